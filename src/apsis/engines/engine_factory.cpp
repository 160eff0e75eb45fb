// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/host_engine.hpp>
#include <apsis/engines/opencl_engine.hpp>
#include <apsis/engines/several_devices.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/kernel_law.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {
namespace {

void require_no_kernels(const EngineSettings& settings) {
  if (!settings.device.kernel_dir.empty()) {
    throw bad_data(
        fmt::format("the native cpu has no use for kernels from {}", settings.device.kernel_dir),
        "leave device.kernel_dir out, or name an OpenCL device");
  }
}

template <class State>
using Around = std::function<SolverPointer<Host<State>>(SolverPointer<Host<State>>)>;

template <class State>
std::unique_ptr<Engine> host_engine(const EngineSettings& settings, const SolverInfo& solver,
                                    const Around<State>& around) {
  return std::make_unique<HostEngine<State>>(
      settings, [&solver, around](const SolverSettings& wanted) {
        auto made = make_solver<State>(solver, wanted);
        return around ? around(std::move(made)) : std::move(made);
      });
}

// An option that would do nothing is a mistake that the user should hear of.
void require_use_for(const EngineSettings& settings, const SolverInfo& solver) {
  const auto refuse = [&](const char* key, bool given, bool SolverInfo::*taken) {
    if (!given || solver.*taken) return;
    const auto others = solvers_that([&](const SolverInfo& s) { return s.*taken; });
    throw bad_data(
        fmt::format("{} means nothing to solver {}", key, solver.name),
        others.empty() ? "leave it out" : "leave it out, or use solver " + list_of(others));
  };
  const auto& [accuracy, opening_angle, order] = settings.force.far_field;
  const auto& [box, bins] = settings.force.bins;
  refuse("force.opening_angle", opening_angle.has_value(), &SolverInfo::takes_accuracy);
  refuse("force.order", order.has_value(), &SolverInfo::takes_accuracy);
  refuse("force.box", box.has_value(), &SolverInfo::takes_bins);
  refuse("force.bins", bins.has_value(), &SolverInfo::takes_bins);
}

}  // namespace

std::vector<std::string> solver_names() {
  auto names = solvers_that([](const SolverInfo&) { return true; });
  names.insert(names.begin(), "auto");
  return names;
}

const SolverInfo& chosen_solver(const EngineSettings& settings) {
  const ForceSettings& force = settings.force;
  const bool of_fmm = force.far_field.opening_angle || force.far_field.order;
  const std::string by_itself = of_fmm ? "fmm" : "direct";
  const SolverInfo& solver = solver_named(force.solver == "auto" ? by_itself : force.solver);
  require_use_for(settings, solver);
  require_sums(solver, law_of(force).radial);
  return solver;
}

std::unique_ptr<Engine> make_engine(const EngineSettings& settings) {
  chosen_solver(settings);
  if (settings.device.name == "auto" || settings.device.name == "cpu") {
    return make_native_engine(settings, {});
  }
  if (names_several(settings.device.name)) return make_on_several(settings);
  return make_engine(settings, chosen_device(settings.device.name));
}

std::unique_ptr<Engine> make_native_engine(const EngineSettings& settings,
                                           const SolverWrapper& wrapper) {
  const SolverInfo& solver = chosen_solver(settings);
  require_on_cpu(solver, settings.precision());
  require_no_kernels(settings);
  return settings.precision() == Precision::f32
             ? host_engine<float>(settings, solver, wrapper.around_float)
             : host_engine<double>(settings, solver, wrapper.around_double);
}

EngineSettings settings_on(const EngineSettings& settings, const DeviceInfo& device) {
  const SolverInfo& solver = chosen_solver(settings);
  require_on_device(solver, settings.precision(), device);
  require_follows(kernel_folder(settings.device.kernel_dir), solver,
                  law_of(settings.force).radial.radial, settings.needs_jerk);
  EngineSettings there = settings;
  there.force.solver = solver.name;
  return there;
}

std::unique_ptr<Engine> make_engine(const EngineSettings& settings, const DeviceInfo& device) {
  return std::make_unique<OpenclEngine>(device, settings_on(settings, device));
}

}  // namespace apsis

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

void require_host_settings(const EngineSettings& settings) {
  if (!settings.kernel_folder.empty()) {
    throw bad_data(fmt::format("the native cpu has no use for kernels from {}",
                               settings.kernel_folder.string()),
                   "leave device.kernel_dir out, or name an OpenCL device");
  }
}

template <class State>
using Around = std::function<SolverPointer<Host<State>>(SolverPointer<Host<State>>)>;

template <class State>
std::unique_ptr<Engine> host_engine(const EngineSettings& settings, const SolverInfo& solver,
                                    const Around<State>& around) {
  const HostEngineSettings host{.law = settings.law,
                                .precision = settings.precision,
                                .threads = thread_count(settings.threads),
                                .driver = fmt::format("native {}", direct_host_instruction_set())};
  const SolverSettings wanted{.precision = settings.precision,
                              .threads = host.threads,
                              .variant = settings.variant,
                              .reproducible = settings.reproducible,
                              .signed_strengths = settings.law.law == Law::coulomb,
                              .far_field = settings.far_field,
                              .settled = settings.settled,
                              .bins = settings.bins};
  return std::make_unique<HostEngine<State>>(
      host, [&solver, wanted, around](const SolverTask& task) {
        SolverSettings here = in_units_of(task.length, wanted);
        here.softening = task.softening, here.bodies = task.bodies;
        auto made = make_solver<State>(solver, here);
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
  refuse("force.opening_angle", settings.far_field.opening_angle.has_value(),
         &SolverInfo::takes_accuracy);
  refuse("force.order", settings.far_field.order.has_value(), &SolverInfo::takes_accuracy);
  refuse("force.box", settings.bins.box.has_value(), &SolverInfo::takes_bins);
  refuse("force.bins", settings.bins.bins != 0, &SolverInfo::takes_bins);
}

}  // namespace

std::vector<std::string> solver_names() {
  auto names = solvers_that([](const SolverInfo&) { return true; });
  names.insert(names.begin(), "auto");
  return names;
}

const SolverInfo& chosen_solver(const EngineSettings& settings) {
  const bool of_fmm = settings.far_field.opening_angle || settings.far_field.order;
  const std::string by_itself = of_fmm ? "fmm" : "direct";
  const SolverInfo& solver = solver_named(settings.solver == "auto" ? by_itself : settings.solver);
  require_use_for(settings, solver);
  return solver;
}

std::unique_ptr<Engine> make_engine(const EngineSettings& settings) {
  chosen_solver(settings);
  if (settings.device == "auto" || settings.device == "cpu") {
    return make_native_engine(settings, {});
  }
  if (names_several(settings.device)) return make_on_several(settings);
  return make_engine(settings, chosen_device(settings.device));
}

std::unique_ptr<Engine> make_native_engine(const EngineSettings& settings,
                                           const SolverWrapper& wrapper) {
  const SolverInfo& solver = chosen_solver(settings);
  require_on_cpu(solver, settings.precision);
  require_host_settings(settings);
  return settings.precision == Precision::f32
             ? host_engine<float>(settings, solver, wrapper.around_float)
             : host_engine<double>(settings, solver, wrapper.around_double);
}

std::unique_ptr<Engine> make_engine(const EngineSettings& settings, const DeviceInfo& device) {
  const SolverInfo& solver = chosen_solver(settings);
  require_on_device(solver, settings.precision, device);
  return std::make_unique<OpenclEngine>(device, opencl_settings(settings, solver));
}

OpenclEngineSettings opencl_settings(const EngineSettings& settings, const SolverInfo& solver) {
  require_follows(kernel_folder(settings.kernel_folder), solver, settings.needs_jerk);
  return {.law = settings.law,
          .precision = settings.precision,
          .variant = settings.variant,
          .sizes = settings.sizes,
          .reproducible = settings.reproducible,
          .kernel_folder = settings.kernel_folder,
          .solver = solver.name,
          .far_field = settings.far_field,
          .settled = settings.settled,
          .bins = settings.bins};
}

}  // namespace apsis

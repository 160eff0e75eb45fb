// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/host_engine.hpp>
#include <apsis/engines/opencl_engine.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/reference.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {
namespace {

template <class State>
std::unique_ptr<Engine> direct_engine(const HostEngineSettings& host,
                                      const EngineSettings& settings) {
  const DirectHostSettings direct{.threads = host.threads,
                                  .precision = settings.precision,
                                  .variant = settings.variant,
                                  .reproducible = settings.reproducible};
  return std::make_unique<HostEngine<State>>(host, [direct](double softening) {
    DirectHostSettings softened = direct;
    softened.softening = softening;
    return make_direct_host<State>(softened);
  });
}

void require_solver(const std::string& solver) {
  const auto solvers = solver_names();
  if (std::count(solvers.begin(), solvers.end(), solver) > 0) return;
  throw bad_data(fmt::format("unknown solver '{}'{}", solver, did_you_mean(solver, solvers)),
                 "choose " + list_of(solvers));
}

void require_host_settings(const EngineSettings& settings) {
  if (!settings.kernel_folder.empty()) {
    throw bad_data(fmt::format("the native cpu has no use for kernels from {}",
                               settings.kernel_folder.string()),
                   "leave device.kernel_dir out, or name an OpenCL device");
  }
}

std::unique_ptr<Engine> make_host_engine(const EngineSettings& settings) {
  HostEngineSettings host{.law = settings.law,
                          .precision = settings.precision,
                          .threads = thread_count(settings.threads),
                          .driver = fmt::format("native {}", direct_host_instruction_set())};
  if (settings.solver == "reference") {
    if (settings.precision != Precision::f64) {
      throw bad_data(
          fmt::format("solver reference works in f64, not {}", name_of(settings.precision)),
          "use precision = \"f64\" or solver = \"direct\"");
    }
    return std::make_unique<HostEngine<double>>(host, [threads = host.threads](double softening) {
      return std::make_unique<ReferenceSolver>(softening, threads);
    });
  }
  require_host_settings(settings);
  return settings.precision == Precision::f32 ? direct_engine<float>(host, settings)
                                              : direct_engine<double>(host, settings);
}

}  // namespace

std::vector<std::string> solver_names() { return {"auto", "direct", "reference"}; }

std::unique_ptr<Engine> make_engine(const EngineSettings& settings) {
  require_solver(settings.solver);
  if (settings.device == "auto" || settings.device == "cpu") return make_host_engine(settings);
  return make_engine(settings, chosen_device(settings.device));
}

std::unique_ptr<Engine> make_engine(const EngineSettings& settings, const DeviceInfo& device) {
  require_solver(settings.solver);
  if (settings.solver == "reference") {
    throw bad_data(fmt::format("solver reference runs on the native cpu, not on {}", device.name),
                   "use device cpu, or solver direct");
  }
  return std::make_unique<OpenclEngine>(
      device, OpenclEngineSettings{.law = settings.law,
                                   .precision = settings.precision,
                                   .variant = settings.variant,
                                   .sizes = settings.sizes,
                                   .reproducible = settings.reproducible,
                                   .kernel_folder = settings.kernel_folder});
}

}  // namespace apsis

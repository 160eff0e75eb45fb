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
std::unique_ptr<Solver<Host<State>>> direct_solver(double softening, Precision precision,
                                                   int threads) {
  return make_direct_host<State>(
      {.softening = softening, .threads = threads, .precision = precision});
}

// The bits of every OpenCL device in that mode.
std::unique_ptr<Solver<Host<double>>> reproducible_solver(double softening, Precision precision,
                                                          int threads) {
  return make_direct_host<double>(
      {.softening = softening, .threads = threads, .precision = precision, .reproducible = true});
}

std::unique_ptr<Solver<Host<double>>> reference_solver(double softening, Precision /*f64*/,
                                                       int threads) {
  return std::make_unique<ReferenceSolver>(softening, threads);
}

void require_solver(const std::string& solver) {
  const auto solvers = solver_names();
  if (std::count(solvers.begin(), solvers.end(), solver) > 0) return;
  throw bad_data(fmt::format("unknown solver '{}'{}", solver, did_you_mean(solver, solvers)),
                 "choose " + list_of(solvers));
}

void require_host_settings(const EngineSettings& settings) {
  const auto variants = direct_host_variants();
  const std::string& variant = settings.variant;
  if (!variant.empty() && std::count(variants.begin(), variants.end(), variant) == 0) {
    throw bad_data(fmt::format("solver direct has no variant '{}' on the cpu{}", variant,
                               did_you_mean(variant, variants)),
                   "choose " + list_of(variants));
  }
  if (variant == "reproducible" && settings.precision != Precision::f64) {
    throw bad_data(
        fmt::format("variant reproducible works in f64, not {}", name_of(settings.precision)),
        "use precision = \"f64\", or leave the variant out: native sums have one order anyway");
  }
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
    return std::make_unique<HostEngine<double>>(host, &reference_solver);
  }
  require_host_settings(settings);
  if (settings.precision == Precision::f32) {
    return std::make_unique<HostEngine<float>>(host, &direct_solver<float>);
  }
  const bool one_order = settings.reproducible || settings.variant == "reproducible";
  return std::make_unique<HostEngine<double>>(
      host, one_order && settings.precision == Precision::f64 ? &reproducible_solver
                                                              : &direct_solver<double>);
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

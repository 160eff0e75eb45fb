// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/host_engine.hpp>
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

std::unique_ptr<Solver<Host<double>>> reference_solver(double softening, Precision /*f64*/,
                                                       int threads) {
  return std::make_unique<ReferenceSolver>(softening, threads);
}

void require_host_device(const std::string& device) {
  if (device == "auto" || device == "cpu") return;
  throw Error(ExitCode::unavailable, fmt::format("device '{}' is not available", device),
              "this build drives the native cpu only: use auto or cpu");
}

void require_variant(const std::string& variant) {
  const auto variants = direct_host_variants();
  if (variant.empty() || std::count(variants.begin(), variants.end(), variant) > 0) return;
  throw bad_data(fmt::format("solver direct has no variant '{}' on the cpu{}", variant,
                             did_you_mean(variant, variants)),
                 "choose " + list_of(variants));
}

}  // namespace

std::vector<std::string> solver_names() { return {"auto", "direct", "reference"}; }

std::unique_ptr<Engine> make_engine(const EngineSettings& settings) {
  require_host_device(settings.device);
  const auto solvers = solver_names();
  if (std::count(solvers.begin(), solvers.end(), settings.solver) == 0) {
    throw bad_data(fmt::format("unknown solver '{}'{}", settings.solver,
                               did_you_mean(settings.solver, solvers)),
                   "choose " + list_of(solvers));
  }
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
  require_variant(settings.variant);
  if (settings.precision == Precision::f32) {
    return std::make_unique<HostEngine<float>>(host, &direct_solver<float>);
  }
  return std::make_unique<HostEngine<double>>(host, &direct_solver<double>);
}

}  // namespace apsis

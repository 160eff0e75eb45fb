// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/measure/bench_settings.hpp>
#include <apsis/solvers/bins/bins_grid.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

constexpr double default_accuracy = FarFieldSettings{}.accuracy;

int size_option(const char* name, std::int64_t value) {
  if (value >= 1 && value <= 4096) return static_cast<int>(value);
  throw Error(ExitCode::wrong_usage, fmt::format("--{} {} is no size", name, value),
              "give a whole number from 1 to 4096");
}

// Each solver gets what it takes: that at least one does is checked before.
void take_far_field(EngineSettings& settings, const BenchOptions& options) {
  const SolverInfo* solver = find_solver(settings.force.solver);
  if (solver == nullptr) return;  // auto, or a name that the engine refuses
  if (solver->takes_accuracy) {
    settings.force.far_field = {.accuracy = options.accuracy.value_or(default_accuracy),
                                .opening_angle = options.opening_angle,
                                .order = options.order};
  }
  if (solver->takes_bins) {
    settings.force.bins.bins = options.bins;
    if (!options.box.empty()) {
      std::copy(options.box.begin(), options.box.end(), settings.force.bins.box.emplace().begin());
    }
  }
}

// An option that would do nothing is a mistake that the user should hear of.
void require_a_taker(const BenchOptions& options) {
  const auto refuse = [&](const char* name, bool given, bool SolverInfo::*taken) {
    const auto takes = [&](const std::string& solver) {
      const SolverInfo* found = find_solver(solver);
      return found != nullptr && found->*taken;
    };
    if (!given || std::any_of(options.solvers.begin(), options.solvers.end(), takes)) return;
    const auto others = solvers_that([&](const SolverInfo& s) { return s.*taken; });
    throw Error(ExitCode::wrong_usage,
                fmt::format("--{} means nothing to solver {}", name, list_of(options.solvers)),
                fmt::format("leave out --{}{}", name,
                            others.empty() ? "" : ", or use solver " + list_of(others)));
  };
  refuse("opening-angle", options.opening_angle.has_value(), &SolverInfo::takes_accuracy);
  refuse("order", options.order.has_value(), &SolverInfo::takes_accuracy);
  refuse("box", !options.box.empty(), &SolverInfo::takes_bins);
  refuse("bins", options.bins.has_value(), &SolverInfo::takes_bins);
}

}  // namespace

EngineSettings engine_settings(const BenchOptions& options, const std::string& solver,
                               Precision precision, const ForceLaw& law) {
  EngineSettings settings{.force = forces(law, solver),
                          .device = {.name = options.device,
                                     .precision = precision,
                                     .threads = options.threads,
                                     .reproducible = options.reproducible,
                                     .variant = options.variant,
                                     .kernel_dir = options.kernel_dir}};
  settings.sizes = sizes_from(options.sizes);
  if (options.unroll) settings.sizes.unroll = size_option("unroll", *options.unroll);
  if (options.group) settings.sizes.group = size_option("group", *options.group);
  take_far_field(settings, options);
  return settings;
}

void require_meaningful(const BenchOptions& options, const EngineDescription& engine) {
  const auto refuse = [&](const char* name, bool given) {
    if (!given) return;
    throw Error(
        ExitCode::wrong_usage,
        fmt::format("--{} means nothing to solver {} on {}", name, engine.solver, engine.device),
        fmt::format("leave out --{}", name));
  };
  if (engine.device != "cpu") return;
  refuse("unroll", options.unroll.has_value());
  refuse("group", options.group.has_value());
  refuse("sizes", !options.sizes.empty());
}

void require_valid(const BenchOptions& options) {
  const auto demand = [](bool holds, const std::string& what, const std::string& remedy) {
    if (!holds) throw Error(ExitCode::wrong_usage, what, remedy);
  };
  demand(options.repeats >= 1, fmt::format("--repeats {} times nothing", options.repeats),
         "give at least 1");
  demand(options.warmup >= 0, fmt::format("--warmup {} is below zero", options.warmup),
         "give 0 or more");
  demand(options.threads >= 0, fmt::format("--threads {} is below zero", options.threads),
         "give 0 for all, or a number");
  const double accuracy = options.accuracy.value_or(default_accuracy);
  demand(accuracy > 0 && std::isfinite(accuracy),
         fmt::format("--accuracy {} is no error", accuracy), "give a number above 0");
  const double angle = options.opening_angle.value_or(1);
  demand(angle > 0 && angle <= 2, fmt::format("--opening-angle {} is no such angle", angle),
         "give a number above 0 and up to 2");
  const auto order = options.order.value_or(1), bins = options.bins.value_or(1);
  demand(order >= 1 && order <= 64, fmt::format("--order {} is no order", order), "give 1 to 64");
  demand(bins >= 1 && bins <= most_bins, fmt::format("--bins {} are too few or too many", bins),
         fmt::format("give 1 to {}", most_bins));
  const auto& box = options.box;
  demand(box.empty() || (box.size() == 6 && box[0] < box[1] && box[2] < box[3] && box[4] < box[5]),
         fmt::format("--box {} is no box", fmt::join(box, ",")),
         "give x0,x1,y0,y1,z0,z1 with each low side first");
  require_a_taker(options);
}

std::optional<double> wanted_accuracy(const BenchOptions& options) {
  if (options.accuracy || options.opening_angle) return options.accuracy;
  return default_accuracy;
}

}  // namespace apsis

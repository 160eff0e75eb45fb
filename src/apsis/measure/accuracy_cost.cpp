// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/measure/accuracy_cost.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace apsis {
namespace {

constexpr std::array accuracies{1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5};
constexpr std::array bins_a_side{3, 4, 6, 8, 12, 16, 24};

void require_steps(const BenchOptions& options) {
  const auto approximates = [](const std::string& name) { return !sums_all_pairs(name); };
  if (std::none_of(options.solvers.begin(), options.solvers.end(), approximates)) {
    throw Error(ExitCode::wrong_usage,
                fmt::format("--curve: solver {} sums exactly", list_of(options.solvers)),
                fmt::format("add solver {}",
                            list_of(solvers_that([](const SolverInfo& s) { return !s.exact; }))));
  }
  if (options.accuracy_given || options.force.far_field.opening_angle || options.force.bins.bins) {
    throw Error(ExitCode::wrong_usage, "--curve goes through accuracies and bins by itself",
                "leave out --accuracy, --opening-angle and --bins");
  }
}

// What the solver is asked for, one after the other; exact sums have nothing to be asked for.
std::vector<BenchOptions> steps_of(const BenchOptions& options, const std::string& solver) {
  BenchOptions alone = options;
  alone.solvers = {solver};
  const SolverInfo* known = find_solver(solver);
  std::vector<BenchOptions> steps;
  if (known != nullptr && known->takes_accuracy) {
    for (const double accuracy : accuracies) {
      steps.push_back(alone);
      steps.back().force.far_field.accuracy = accuracy;
    }
  } else if (known != nullptr && known->takes_bins) {
    for (const int bins : bins_a_side) {
      steps.push_back(alone);
      steps.back().force.bins.bins = bins;
    }
  } else {
    alone.force.far_field.order.reset(), alone.force.bins.box.reset();
    steps.push_back(alone);
  }
  return steps;
}

}  // namespace

AccuracyCost measure_accuracy_cost(const BenchOptions& options) {
  require_steps(options);
  AccuracyCost cost;
  for (const std::string& solver : options.solvers) {
    std::size_t reached = 0;
    for (const BenchOptions& step : steps_of(options, solver)) {
      try {
        for (BenchResult& result : bench(step)) cost.results.push_back(std::move(result));
        ++reached;
      } catch (const Error& error) {
        // a wish beyond the solver or the precision ends its curve, if it is one
        if (reached == 0 || error.code() != ExitCode::bad_data) throw;
        cost.notices.push_back(fmt::format("{} goes no further: {}", solver, error.what()));
        break;
      }
    }
  }
  return cost;
}

Chart accuracy_cost_chart(std::span<const BenchResult> results) {
  std::vector<Series> series;
  // a colour a solver, a marker for what else differs
  std::map<std::string, std::size_t> places, colours, markers;
  for (const BenchResult& result : results) {
    const Resolution& engine = result.engine;
    const std::string name =
        fmt::format("{} {}, {}", engine.solver, name_of(engine.precision), engine.bodies);
    const auto [place, added] = places.emplace(name, series.size());
    if (added) {
      const std::string rest = fmt::format("{}, {}", name_of(engine.precision), engine.bodies);
      const std::size_t colour = colours.emplace(engine.solver, colours.size()).first->second,
                        marker = markers.emplace(rest, markers.size()).first->second;
      series.push_back(
          {.name = name,
           .look = engine.sums_all_pairs() ? Series::Look::points : Series::Look::lines_and_points,
           .colour = colour,
           .marker = marker});
    }
    series[place->second].spread.push_back(result.whole.deviation());
    series[place->second].x.push_back(result.error.p99);
    series[place->second].y.push_back(result.whole.median());
  }
  Chart chart;
  if (!results.empty()) {
    const BenchResult& first = results.front();
    chart.title = fmt::format("Force evaluations on {} ({}, softening {:g})", first.engine.device(),
                              first.model, first.law.softening);
  }
  chart.panels.push_back(
      {{.label = "force error that 99 % of the bodies stay below", .logarithmic = true},
       {.label = "seconds", .logarithmic = true},
       std::move(series)});
  return chart;
}

}  // namespace apsis

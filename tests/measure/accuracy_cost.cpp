// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/measure/accuracy_cost.hpp>

#include <gtest/gtest.h>

namespace apsis {
namespace {

BenchOptions small(std::vector<std::string> solvers) {
  BenchOptions options;
  options.solvers = std::move(solvers);
  options.device.name = "cpu";
  options.bodies = {300};
  options.repeats = 1;
  options.warmup = 0;
  return options;
}

TEST(AccuracyCost, goes_through_bins_and_puts_exact_sums_beside_them) {
  const AccuracyCost cost = measure_accuracy_cost(small({"direct", "bins"}));
  ASSERT_GE(cost.results.size(), 6U);
  EXPECT_EQ(cost.results[0].engine.solver, "direct");
  for (std::size_t i = 1; i < cost.results.size(); ++i) {
    EXPECT_EQ(cost.results[i].engine.solver, "bins");
    EXPECT_NE(cost.results[i].engine.sizes(), cost.results[i - 1].engine.sizes());
  }
  const Chart chart = accuracy_cost_chart(cost.results);
  ASSERT_EQ(chart.panels.size(), 1U);
  const auto& series = chart.panels[0].series;
  ASSERT_EQ(series.size(), 2U);
  EXPECT_EQ(series[0].name, "direct f32, 300");
  EXPECT_EQ(series[0].x.size(), 1U);
  EXPECT_EQ(series[1].x.size(), cost.results.size() - 1);
  EXPECT_TRUE(chart.panels[0].x.logarithmic && chart.panels[0].y.logarithmic);
}

TEST(AccuracyCost, needs_a_solver_that_approximates_and_steps_of_its_own) {
  EXPECT_THROW(measure_accuracy_cost(small({"direct"})), Error);
  BenchOptions options = small({"bins"});
  options.force.bins.bins = 4;
  EXPECT_THROW(measure_accuracy_cost(options), Error);
  options = small({"bins"}), options.accuracy_given = true;
  EXPECT_THROW(measure_accuracy_cost(options), Error);
}

}  // namespace
}  // namespace apsis

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

TEST(Curve, goes_through_bins_and_puts_exact_sums_beside_them) {
  const Curve curve = measure_curve(small({"direct", "bins"}));
  ASSERT_GE(curve.results.size(), 6U);
  EXPECT_EQ(curve.results[0].engine.solver, "direct");
  for (std::size_t i = 1; i < curve.results.size(); ++i) {
    EXPECT_EQ(curve.results[i].engine.solver, "bins");
    EXPECT_NE(curve.results[i].engine.sizes, curve.results[i - 1].engine.sizes);
  }
  const Chart chart = curve_chart(curve.results);
  ASSERT_EQ(chart.panels.size(), 1U);
  const auto& series = chart.panels[0].series;
  ASSERT_EQ(series.size(), 2U);
  EXPECT_EQ(series[0].name, "direct f32, 300");
  EXPECT_EQ(series[0].x.size(), 1U);
  EXPECT_EQ(series[1].x.size(), curve.results.size() - 1);
  EXPECT_TRUE(chart.panels[0].x.logarithmic && chart.panels[0].y.logarithmic);
}

TEST(Curve, needs_a_solver_that_approximates_and_steps_of_its_own) {
  EXPECT_THROW(measure_curve(small({"direct"})), Error);
  BenchOptions options = small({"bins"});
  options.force.bins.bins = 4;
  EXPECT_THROW(measure_curve(options), Error);
  options = small({"bins"}), options.accuracy_given = true;
  EXPECT_THROW(measure_curve(options), Error);
}

}  // namespace
}  // namespace apsis

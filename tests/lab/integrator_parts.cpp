// SPDX-License-Identifier: MIT
// Why a scheme's error falls faster than its order says, and what jerks cost: on made-up rows, also
// such as contradict the theory.
#include <apsis/lab/jerk_cost.hpp>
#include <apsis/lab/orbit_parts.hpp>
#include <apsis/measure/roofline.hpp>

#include <gtest/gtest.h>
#include <lab/made_up.hpp>

#include <cmath>

namespace apsis::test {
namespace {

using lab::ResultTable;

// Rows of a scheme whose parts fall to these powers.
void add_scheme(ResultTable& table, const std::string& name, double stays, double swings,
                double stays_power, double swings_power) {
  for (const double steps : {100.0, 200.0, 400.0, 800.0}) {
    table.add({{"integrator", name},
               {"order", 4.0},
               {"steps", steps},
               {"stays", stays * std::pow(100 / steps, stays_power)},
               {"swings", swings * std::pow(100 / steps, swings_power)}});
  }
}

TEST(OrbitParts, what_is_the_same_out_and_back_swings_and_the_rest_stays) {
  // a hill that is gone at the end, on a slope that is not
  std::vector<double> errors;
  for (int i = 0; i <= 100; ++i) {
    const double t = i / 100.0;
    errors.push_back(3e-6 * std::pow(std::sin(3.14159265358979 * t), 2) - 1e-6 * t);
  }
  const lab::OrbitParts parts = lab::parts_of(errors);
  EXPECT_DOUBLE_EQ(parts.stays, -1e-6);
  EXPECT_NEAR(parts.swings, 3e-6, 1e-15);
  EXPECT_EQ(lab::parts_of({}).swings, 0);
  EXPECT_EQ(lab::parts_of({0}).stays, 0);
}

TEST(OrbitParts, powers_are_those_of_the_rows_and_rounding_has_none) {
  ResultTable table = lab::orbit_table();
  add_scheme(table, "rk4", -4e-6, 3e-6, 5, 4);
  add_scheme(table, "exact", 1e-15, 1e-9, 0, 2);
  const lab::OrbitPowers rk4 = lab::powers_of(table, "rk4");
  EXPECT_NEAR(*rk4.stays, 5, 1e-9);
  EXPECT_NEAR(*rk4.swings, 4, 1e-9);
  EXPECT_FALSE(lab::powers_of(table, "exact").stays.has_value());
  EXPECT_FALSE(lab::powers_of(table, "nobody").swings.has_value());
}

TEST(OrbitParts, many_orbits_show_the_power_of_what_stays_and_few_steps_more_that_of_what_swings) {
  ResultTable table = lab::orbit_table();
  add_scheme(table, "rk4", -4e-6, 3e-6, 5, 4);
  EXPECT_NEAR(*lab::power_from_parts(table, "rk4", 1000, 100, 200), 5, 0.01);
  EXPECT_NEAR(*lab::power_from_parts(table, "rk4", 1, 1e6, 2e6), 4, 0.01);
  const double between = *lab::power_from_parts(table, "rk4", 10, 500, 1000);
  EXPECT_GT(between, 4.2);
  EXPECT_LT(between, 4.95);
  EXPECT_FALSE(lab::power_from_parts(table, "rk4", 10, 500, 500).has_value());
}

TEST(OrbitParts, a_slope_between_two_powers_gets_its_reason) {
  ResultTable table = lab::orbit_table();
  add_scheme(table, "rk4", -4e-6, 3e-6, 5, 4);
  const double slope = *lab::power_from_parts(table, "rk4", 10, 500, 1000);
  const std::string reason = lab::reason_for({"rk4", 4, slope, 10, 500, 1000}, table);
  EXPECT_TRUE(says({reason}, {"two errors at once", "to the power of 4.0", "a loss",
                              "to the power of 5.0", "From about"}))
      << reason;
}

TEST(OrbitParts, a_slope_that_the_parts_do_not_give_gets_none) {
  ResultTable table = lab::orbit_table();
  add_scheme(table, "rk4", 4e-6, 3e-6, 4, 4);
  EXPECT_TRUE(says({lab::reason_for({"rk4", 4, 4.8, 10, 500, 1000}, table)},
                   {"its parts do not say why", "a gain", "4.0 would follow"}));
  EXPECT_EQ(lab::reason_for({"nobody", 4, 4.8, 10, 500, 1000}, table), "");
}

ResultTable made_up_work(double hermite, double other) {
  ResultTable work("results", "",
                   {{"problem", "", "", lab::Look::text},
                    {"integrator", "", "", lab::Look::text},
                    {"evaluations", "", "", lab::Look::whole},
                    {"error", "", "", lab::Look::error}});
  for (const double evaluations : {1000.0, 2000.0}) {
    const double falls = std::pow(1000 / evaluations, 4);
    work.add({{"problem", "kepler"},
              {"integrator", "hermite4"},
              {"evaluations", evaluations},
              {"error", hermite * falls}});
    work.add({{"problem", "kepler"},
              {"integrator", "leapfrog"},
              {"evaluations", evaluations},
              {"error", other * falls}});
  }
  return work;
}

ResultTable made_up_jerk(double forces, double both, double deviation) {
  ResultTable table = lab::jerk_table();
  const auto add = [&](const char* what, const char* loop, double operations, double seconds) {
    table.add({{"what", what},
               {"variant", loop},
               {"bodies", 1024.0},
               {"operations", operations},
               {"seconds", seconds},
               {"seconds_deviation", deviation}});
  };
  add("forces", "soa", 20, forces);
  add("forces and jerks", "soa", 42, both);
  add("forces, fastest loop", "simd-symmetric", 19, forces / 2);
  return table;
}

TEST(JerkCost, is_said_in_operations_and_in_time) {
  const auto said = lab::jerk_findings(made_up_jerk(1e-3, 1.5e-3, 1e-5), made_up_work(1e-9, 1e-6));
  EXPECT_TRUE(says(said, {"42 operations instead of 20, 2.10 times", "1.50 ± 0.02 times the time",
                          "simd-symmetric) 3.00"}));
  EXPECT_TRUE(says(said, {"kepler", "hermite4 is ahead, within 1.0e-09 for 1,000 evaluations",
                          "leapfrog within 6.2e-08 for 2,000"}));
}

TEST(JerkCost, says_so_where_jerks_do_not_pay_or_nothing_was_measured) {
  const auto said = lab::jerk_findings(made_up_jerk(1e-3, 3e-3, 1e-3), made_up_work(1e-6, 1e-6));
  EXPECT_TRUE(says(said, {"hermite4 is behind"}));
  EXPECT_TRUE(says(said, {"within what the times spread"}));
  EXPECT_TRUE(lab::jerk_findings(lab::jerk_table(), made_up_work(1e-6, 1e-6)).empty());
}

TEST(JerkCost, jerks_more_than_double_the_operations_of_a_pair) {
  EXPECT_DOUBLE_EQ(work_with_jerk(Precision::f64).operations, 42);
  EXPECT_DOUBLE_EQ(work_with_jerk(Precision::f64).bytes, 7 * 8);
  EXPECT_DOUBLE_EQ(work_with_jerk(Precision::f32).bytes, 7 * 4);
}

}  // namespace
}  // namespace apsis::test

// SPDX-License-Identifier: MIT
// The theory of encounters against what is known of it, the walks against a sphere without
// encounters, and the lesson's sentences on made-up rows, also such as contradict the theory.
#include <apsis/initial/model.hpp>
#include <apsis/lab/relaxation.hpp>
#include <apsis/lab/relaxation_findings.hpp>

#include <gtest/gtest.h>
#include <lab/made_up.hpp>

#include <cmath>

namespace apsis::test {
namespace {

using namespace lab;

TEST(Relaxation, the_coulomb_logarithm_is_the_integral_over_softened_deflections) {
  for (const double softening : {0.01, 0.1, 1.0}) {
    double sum = 0;
    const int pieces = 200000;
    for (int i = 0; i < pieces; ++i) {
      const double b = (i + 0.5) / pieces, square = b * b + softening * softening;
      sum += b * b * b / (square * square) / pieces;
    }
    // the midpoint rule is off by a few times 1/pieces² here
    EXPECT_NEAR(coulomb_logarithm(1, softening, 0), sum, 1e-6) << softening;
  }
  EXPECT_NEAR(coulomb_logarithm(1, 3e-6, 4e-6), std::log(1 / 5e-6) - 0.5, 1e-6);
  EXPECT_EQ(coulomb_logarithm(1, 0, 0), 0);
}

TEST(Relaxation, half_of_a_plummer_sphere_is_within_the_half_mass_radius) {
  const double r = PlummerTheory::half_mass_radius(), a = PlummerTheory::scale_length();
  EXPECT_NEAR(r * r * r / std::pow(r * r + a * a, 1.5), 0.5, 1e-12);
  EXPECT_NEAR(r, 0.769, 1e-3);
}

TEST(Relaxation, the_theorys_growth_falls_as_one_over_the_number_of_bodies) {
  const auto growth = [](std::uint64_t bodies) {
    return PlummerTheory::growth(make_model({.model = "plummer", .bodies = bodies}).bodies);
  };
  // the scatter of 1000 bodies' places and speeds
  EXPECT_NEAR(growth(1000) / growth(16000), 16, 1);
}

TEST(Relaxation, without_encounters_energies_stay_and_with_them_they_walk) {
  WalkSettings settings{
      .bodies = 64, .seed = 1, .softening = 0.05, .time = 1, .step = 0.005, .threads = 1};
  const EnergyWalk walk = walk_of(settings);
  settings.encounters = false;
  const EnergyWalk smooth = walk_of(settings);
  ASSERT_EQ(walk.times.size(), 12U);
  EXPECT_NEAR(walk.times.back(), 1, 1e-9);
  EXPECT_LT(walk.energy_error, 1e-3);
  // leapfrog's own error of a step of 0.005, squared
  EXPECT_LT(smooth.mean_squares.back(), 1e-8);
  EXPECT_GT(walk.mean_squares.back(), 1e3 * smooth.mean_squares.back());
  // an order of magnitude of theory, which has nothing but the logarithm to be wrong in
  const double growth = slope_of(walk.times, walk.mean_squares, 0.2);
  const double logarithm = growth / walk.growth_of_theory;
  EXPECT_GT(logarithm, 0.2);
  EXPECT_LT(logarithm, 10);
}

TEST(Relaxation, slopes_means_and_powers_are_those_of_the_numbers) {
  EXPECT_DOUBLE_EQ(slope_of({0, 1, 2, 3}, {9, 3, 5, 7}, 1), 2);
  EXPECT_TRUE(std::isnan(slope_of({0, 1}, {0, 1}, 1)));
  const MeanWithError mean = mean_of({1, 2, 3});
  EXPECT_DOUBLE_EQ(mean.mean, 2);
  EXPECT_DOUBLE_EQ(mean.error, 1 / std::sqrt(3.0));
  EXPECT_EQ(mean_of({5}).error, 0);
  const PowerLaw law = power_law({1, 10, 100}, {2, 20, 200}, {0.2, 2, 20});
  EXPECT_NEAR(law.power, 1, 1e-12);
  // relative errors of a tenth over two decades of which the middle one does not count
  EXPECT_NEAR(law.error, 0.1 / (std::log(10.0) * std::sqrt(2.0)), 1e-12);
}

struct Made {
  double bodies, softening, t_relax, theory, ratio = 0.8, error = 0.05;  // error: relative
};

ResultTable made(const std::vector<Made>& rows) {
  ResultTable table = relaxation_table();
  for (const Made& row : rows) {
    table.add({{"what", "encounters"},
               {"bodies", row.bodies},
               {"softening", row.softening},
               {"growth", 1 / row.t_relax},
               {"logarithm", 3 * row.ratio},
               {"logarithm_error", 3 * row.ratio * row.error},
               {"logarithm_theory", 3.0},
               {"ratio", row.ratio},
               {"t_relax", row.t_relax},
               {"t_relax_error", row.error * row.t_relax},
               {"t_relax_theory", row.theory},
               {"complaint", ""}});
  }
  return table;
}

void add_smooth(ResultTable& table, double growth) {
  table.add({{"what", "smooth sphere"},
             {"bodies", 1000.0},
             {"softening", 0.02},
             {"growth", growth},
             {"complaint", ""}});
}

TEST(RelaxationFindings, agree_with_theory_where_rows_do) {
  ResultTable table =
      made({{250, 0.02, 20, 15}, {500, 0.02, 40, 30}, {1000, 0.02, 80, 60}, {1000, 0.2, 400, 300}});
  add_smooth(table, 1e-12);
  const auto said = relaxation_findings(table);
  EXPECT_TRUE(
      says(said, {"From 250 to 1,000 bodies", "1.000 ± 0.051", "theory has 1.00, which agrees"}));
  EXPECT_TRUE(says(said, {"5.00 ± 0.35 times as long", "theory has 5 times"}));
  EXPECT_TRUE(says(said, {"0.80 to 0.80 times", "All rows are within it"}));
  EXPECT_TRUE(says(said, {"less than 1e-09", "encounters, and not the steps"}));
}

TEST(RelaxationFindings, contradict_theory_where_rows_do) {
  ResultTable table = made({{250, 0.02, 20, 15, 0.2},
                            {500, 0.02, 80, 30, 3},
                            {1000, 0.02, 320, 60},
                            {1000, 0.2, 310, 300}});
  add_smooth(table, -1e-3);
  const auto said = relaxation_findings(table);
  EXPECT_TRUE(says(said, {"power of 2.000", "theory has 1.00", "standard deviations away"}));
  EXPECT_TRUE(says(said, {"No effect of softening is seen here"}));
  EXPECT_TRUE(says(said, {"Outside of it: 250 bodies", "500 bodies"}));
  EXPECT_TRUE(says(said, {"32 % of the rate", "the steps are too long"}));
}

TEST(RelaxationFindings, conclude_nothing_from_one_walk_or_from_bad_steps) {
  const auto once =
      relaxation_findings(made({{250, 0.02, 20, 15, 0.8, 0}, {500, 0.02, 40, 30, 0.8, 0}}));
  EXPECT_TRUE(says(once, {"without an error of the former nothing follows"}));
  ResultTable bad = made({{250, 0.02, 20, 15}});
  bad.add({{"what", "encounters"},
           {"bodies", 500.0},
           {"softening", 0.02},
           {"t_relax", 1.0},
           {"complaint", "energy error 2.0e-02 exceeds 1e-03: the steps are too long"}});
  const auto said = relaxation_findings(bad);
  EXPECT_FALSE(says(said, {"to the power"}));
  EXPECT_TRUE(says(said, {"500 bodies", "Nothing is concluded"}));
  EXPECT_TRUE(relaxation_findings(relaxation_table()).empty());
}

}  // namespace
}  // namespace apsis::test

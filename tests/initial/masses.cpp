// SPDX-License-Identifier: MIT
#include "initial/sample.hpp"
#include <apsis/initial/masses.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace apsis::test {
namespace {

TEST(Masses, power_law_reaches_from_low_to_high) {
  EXPECT_NEAR(initial::power_law_mass(0, 2.35, 0.1, 20), 0.1, 1e-15);
  EXPECT_NEAR(initial::power_law_mass(1, 2.35, 0.1, 20), 20, 1e-10);
}

TEST(Masses, salpeter_follows_its_power_law_and_sums_to_the_models_mass) {
  const auto state = make("plummer", 100000, {{"masses", "salpeter"}});
  const auto& mass = state.bodies.mass;
  EXPECT_NEAR(std::accumulate(mass.begin(), mass.end(), 0.0), 1, 1e-12);
  // up to the factor that makes the sum 1: the smallest of 1e5 draws is 0.1 to 1e-5
  const double unit = *std::min_element(mass.begin(), mass.end()) / 0.1;
  std::vector<double> in_suns;
  in_suns.reserve(mass.size());
  for (const double m : mass) in_suns.push_back(m / unit);
  const auto below = [](double m) {
    const auto power = [](double x) { return std::pow(x, -1.35); };
    return std::clamp((power(0.1) - power(m)) / (power(0.1) - power(20)), 0.0, 1.0);
  };
  EXPECT_LT(kolmogorov(in_suns, below), one_percent_level);
}

TEST(Masses, kroupa_has_few_heavy_bodies_and_bends_at_half_a_sun) {
  const auto state = make("king", 100000, {{"masses", "kroupa"}, {"mass_max", 50.0}});
  const auto& mass = state.bodies.mass;
  const double unit = *std::min_element(mass.begin(), mass.end()) / 0.1;
  const auto heavier = [&](double m) {
    return static_cast<double>(
               std::count_if(mass.begin(), mass.end(), [&](double x) { return x > m * unit; })) /
           1e5;
  };
  // ∫ m^-1.3 from 0.1 to 0.5 and 0.5 ∫ m^-2.3 from 0.5 to 50
  const double light = (std::pow(0.1, -0.3) - std::pow(0.5, -0.3)) / 0.3;
  const auto tail = [](double m) { return 0.5 * (std::pow(m, -1.3) - std::pow(50.0, -1.3)) / 1.3; };
  // binomial deviation at most 0.0016, four of them
  EXPECT_NEAR(heavier(0.5), tail(0.5) / (light + tail(0.5)), 0.0064);
  EXPECT_NEAR(heavier(5), tail(5) / (light + tail(0.5)), 0.002);
}

TEST(Masses, limits_in_the_wrong_order_are_refused) {
  EXPECT_THROW(make("plummer", 10, {{"masses", "kroupa"}, {"mass_min", 30.0}}), Error);
}

}  // namespace
}  // namespace apsis::test

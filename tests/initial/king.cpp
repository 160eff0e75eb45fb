// SPDX-License-Identifier: MIT
#include "initial/sample.hpp"
#include <apsis/initial/king.hpp>

#include <gtest/gtest.h>

namespace apsis::test {
namespace {

using initial::KingModel;

TEST(King, concentration_agrees_with_the_tables) {
  // King (1966), Binney & Tremaine (2008) fig. 4.9; tables round to 0.01 and differ by as much
  constexpr double tolerance = 0.01;
  EXPECT_NEAR(KingModel(3).concentration(), 0.672, tolerance);
  EXPECT_NEAR(KingModel(6).concentration(), 1.255, tolerance);
  EXPECT_NEAR(KingModel(9).concentration(), 2.120, tolerance);
}

TEST(King, mass_and_radius_are_inverse_to_each_other) {
  const KingModel king(6);
  for (const double fraction : {1e-4, 0.1, 0.5, 0.9, 0.999}) {
    // linear interpolation between steps of 0.2 % in both directions
    EXPECT_NEAR(king.mass_fraction(king.radius_of(fraction)) / fraction, 1, 1e-4);
  }
}

TEST(King, density_follows_the_profile) {
  const KingModel king(6);
  const auto state = make("king", 100000);
  const double unit = king.virial_radius();
  const auto below = [&](double r) { return king.mass_fraction(r * unit); };
  EXPECT_LT(kolmogorov(radii(state.bodies), below), one_percent_level);
}

TEST(King, nobody_is_outside_the_tidal_radius_or_unbound) {
  const KingModel king(5);
  const auto state = make("king", 20000, {{"w0", 5.0}});
  const double edge = king.tidal_radius() / king.virial_radius();
  const auto r = radii(state.bodies);
  // the centre of mass moves by about 1/√n when it is put to rest
  EXPECT_LT(*std::max_element(r.begin(), r.end()), edge + 0.03);
}

}  // namespace
}  // namespace apsis::test

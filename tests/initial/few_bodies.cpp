// SPDX-License-Identifier: MIT
#include "initial/sample.hpp"
#include <apsis/initial/kepler_orbit.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace apsis::test {
namespace {

constexpr double pi = std::numbers::pi;

TEST(FigureEight, has_its_published_energy_and_no_angular_momentum) {
  const Energies energies = energies_of(make("figure-eight", 3));
  EXPECT_NEAR(energies.total(), -1.2871420, 5e-8);  // published to 7 decimals
  EXPECT_NEAR(norm(energies.angular_momentum), 0, 1e-8);
  EXPECT_EQ(norm(energies.momentum), 0);
}

TEST(Pythagorean, starts_at_rest_with_its_published_energy) {
  const auto state = make("pythagorean", 3);
  const Energies energies = energies_of(state);
  EXPECT_NEAR(energies.total(), -12.0 - 49.0 / 60, 1e-14);  // -(15/4 + 12/5 + 20/3)
  EXPECT_EQ(energies.kinetic, 0);
  EXPECT_EQ(norm(energies.center_of_mass), 0);
}

TEST(Kepler, energy_and_angular_momentum_are_those_of_the_elements) {
  for (const double e : {0.0, 0.5, 0.9, 0.99, 0.9999, 0.999999}) {
    for (const double anomaly : {0.0, 10.0, 170.0, -90.0}) {
      const auto state = make("kepler", 2,
                              {{"eccentricity", e},
                               {"semi_major_axis", 2.0},
                               {"mass_ratio", 0.25},
                               {"mean_anomaly", anomaly}});
      const double reduced = 0.8 * 0.2;  // m1 m2 / (m1 + m2)
      const Energies energies = energies_of(state);
      // cancellation of K and U near the pericentre costs a factor 1/(1-e)
      EXPECT_NEAR(energies.total(), -reduced / 4, 1e-15 / (1 - e)) << e << " " << anomaly;
      EXPECT_NEAR(energies.angular_momentum.z, reduced * std::sqrt(2 * (1 - e * e)), 1e-12);
      EXPECT_LT(norm(energies.momentum), 1e-12);
    }
  }
}

TEST(Kepler, starts_at_the_pericentre_and_orientation_turns_it) {
  const auto flat = make("kepler", 2, {{"eccentricity", 0.6}});
  EXPECT_NEAR(norm(flat.bodies.position(1) - flat.bodies.position(0)), 0.4, 1e-15);
  const auto upright = make("kepler", 2, {{"eccentricity", 0.6}, {"inclination", 90.0}});
  // a right angle in degrees is rounded
  EXPECT_NEAR(cross(upright.bodies.position(1), upright.bodies.velocity(1)).z, 0, 1e-15);
}

TEST(Kepler, default_run_is_ten_periods) {
  const auto state = make("kepler", 2, {{"semi_major_axis", 4.0}, {"mass", 2.0}});
  EXPECT_DOUBLE_EQ(state.defaults.until, 10 * 2 * pi * std::sqrt(64.0 / 2));
  EXPECT_EQ(state.defaults.softening, 0);
  EXPECT_EQ(state.defaults.precision, Precision::f64);
}

TEST(KeplersEquation, is_solved_for_every_eccentricity) {
  for (const double e : {0.0, 0.3, 0.9, 0.999, 0.999999}) {
    for (double m = -3.1; m < 3.14; m += 0.05) {
      const double anomaly = initial::eccentric_anomaly(m, e);
      EXPECT_NEAR(anomaly - e * std::sin(anomaly), m, 2e-15) << e << " " << m;
    }
  }
}

TEST(Parabola, energy_is_zero_and_the_pericentre_is_met) {
  const auto state = initial::state_on_parabola(1.5, 9, 4);
  EXPECT_NEAR(norm(state.position), 9, 1e-14);
  EXPECT_NEAR(0.5 * dot(state.velocity, state.velocity), 4 / norm(state.position), 1e-14);
  EXPECT_LT(dot(state.position, state.velocity), 0);  // approaching
  // L² = 2 G M q
  EXPECT_NEAR(cross(state.position, state.velocity).z, std::sqrt(2 * 4 * 1.5), 1e-13);
}

}  // namespace
}  // namespace apsis::test

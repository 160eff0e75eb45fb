// SPDX-License-Identifier: MIT
#include <apsis/analysis/orbits.hpp>
#include <apsis/initial/kepler_orbit.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace apsis::analysis {
namespace {

constexpr double pi = std::numbers::pi;

TEST(Orbits, elements_go_both_ways) {
  for (const double e : {0.01, 0.3, 0.9, 0.999}) {
    for (const double inclination : {0.1, 1.5, 3.0}) {
      for (const double node : {0.2, 3.3, 6.1}) {
        for (const double anomaly : {0.3, 2.9, 3.4, 6.0}) {
          const initial::KeplerOrbit orbit{2.5, e, inclination, node, 1.1, anomaly};
          const auto state = initial::state_on_orbit(orbit, 3);
          const OrbitalElements found = elements_of(state.position, state.velocity, 3);
          // the pericentre's direction is known to rounding over e; near it a is lost as 1/(1-e)
          const double tolerance = 1e-13 / e / (1 - e);
          EXPECT_NEAR(found.semi_major_axis, 2.5, 2.5 * tolerance);
          EXPECT_NEAR(found.eccentricity, e, tolerance);
          EXPECT_NEAR(found.inclination, inclination, tolerance);
          EXPECT_NEAR(found.node, node, tolerance);
          EXPECT_NEAR(found.periapsis, 1.1, tolerance);
          EXPECT_NEAR(found.mean_anomaly, anomaly, 10 * tolerance);
          EXPECT_NEAR(found.period, initial::orbital_period(orbit, 3), 100 * tolerance);
          EXPECT_NEAR(found.pericentre, 2.5 * (1 - e), 10 * tolerance);
        }
      }
    }
  }
}

TEST(Orbits, a_circle_in_the_plane_counts_from_the_x_axis) {
  const OrbitalElements found = elements_of({0, 2, 0}, {-1, 0, 0}, 2);
  EXPECT_DOUBLE_EQ(found.semi_major_axis, 2);
  EXPECT_EQ(found.eccentricity, 0);
  EXPECT_EQ(found.inclination, 0);
  EXPECT_EQ(found.node, 0);
  EXPECT_EQ(found.periapsis, 0);
  EXPECT_DOUBLE_EQ(found.true_anomaly, pi / 2);
  EXPECT_DOUBLE_EQ(found.mean_anomaly, pi / 2);
  EXPECT_DOUBLE_EQ(elements_of({0, 2, 0}, {1, 0, 0}, 2).inclination, pi);  // backwards
}

// r = p/(1 + e cos f), with the speed from energy and angular momentum.
TEST(Orbits, a_hyperbola_has_a_negative_axis_and_times_before_its_pericentre) {
  const double e = 1.5, a = -2, p = a * (1 - e * e), mu = 4;
  for (const double f : {-1.2, -0.1, 0.7}) {
    const double r = p / (1 + e * std::cos(f)), s = std::sqrt(mu / p);
    const OrbitalElements found = elements_of({r * std::cos(f), r * std::sin(f), 0},
                                              {-s * std::sin(f), s * (e + std::cos(f)), 0}, mu);
    EXPECT_NEAR(found.semi_major_axis, a, 1e-13);
    EXPECT_NEAR(found.eccentricity, e, 1e-13);
    EXPECT_NEAR(found.true_anomaly, f, 1e-13);
    EXPECT_NEAR(found.pericentre, 1, 1e-13);
    EXPECT_EQ(std::signbit(found.mean_anomaly), f < 0);
    EXPECT_TRUE(std::isinf(found.period));
    const double hyperbolic = 2 * std::atanh(std::sqrt(0.5 / 2.5) * std::tan(f / 2));
    EXPECT_NEAR(found.mean_anomaly, e * std::sinh(hyperbolic) - hyperbolic, 1e-13);
  }
}

TEST(Orbits, a_parabola_does_not_come_back) {
  const auto state = initial::state_on_parabola(0.5, 4, 2);
  const OrbitalElements found = elements_of(state.position, state.velocity, 2);
  EXPECT_NEAR(found.eccentricity, 1, 1e-12);
  EXPECT_NEAR(found.pericentre, 0.5, 1e-12);
  EXPECT_GT(std::abs(found.semi_major_axis), 1e10);
}

TEST(Orbits, a_fall_straight_down_has_numbers) {
  const OrbitalElements found = elements_of({1, 0, 0}, {-0.5, 0, 0}, 1);
  EXPECT_DOUBLE_EQ(found.eccentricity, 1);
  EXPECT_EQ(found.pericentre, 0);
  EXPECT_TRUE(std::isfinite(found.semi_major_axis));
}

// At rest at its farthest point, and on the way down from there: r = a (1 - cos E), v = -√(...) sin
// E.
TEST(Orbits, a_fall_has_the_mean_anomaly_of_a_thin_ellipse) {
  EXPECT_NEAR(elements_of({2, 0, 0}, {}, 1).mean_anomaly, pi, 1e-12);
  EXPECT_DOUBLE_EQ(elements_of({2, 0, 0}, {}, 1).semi_major_axis, 1);
  const double eccentric = 4, r = 1 - std::cos(eccentric);
  const OrbitalElements found = elements_of({r, 0, 0}, {std::sin(eccentric) / r, 0, 0}, 1);
  EXPECT_NEAR(found.mean_anomaly, eccentric - std::sin(eccentric), 1e-12);
}

TEST(Orbits, the_heaviest_is_the_first_of_equals) {
  Bodies bodies(4);
  bodies.mass = {1, 5, 5, 2};
  EXPECT_EQ(heaviest(bodies), 1U);
}

}  // namespace
}  // namespace apsis::analysis

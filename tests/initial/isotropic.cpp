// SPDX-License-Identifier: MIT
#include <apsis/initial/isotropic.hpp>
#include <apsis/initial/spherical.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace apsis::initial {
namespace {

TEST(HernquistSphere, table_agrees_with_the_closed_form) {
  const HernquistSphere sphere(2, 0.5);
  for (const double r : {1e-4, 0.01, 0.5, 3.0, 1e3}) {
    const double outer = r + 0.5;
    // cubic interpolation, 100 points to a decade; outermost tail 1e-6
    EXPECT_NEAR(sphere.enclosed(r) / (2 * r * r / (outer * outer)), 1, 3e-6) << r;
    EXPECT_NEAR(sphere.potential(r).value / (2 / outer), 1, 3e-6) << r;
    EXPECT_NEAR(sphere.potential(r).curvature / (4 / (outer * outer * outer)), 1, 1e-3) << r;
    EXPECT_NEAR(sphere.radius_of(sphere.enclosed(r)) / r, 1, 1e-4) << r;
  }
}

TEST(HernquistSphere, taper_keeps_the_mass_and_ends_the_sphere) {
  const HernquistSphere sphere(3, 1, 5);
  EXPECT_NEAR(sphere.enclosed(50), 3, 1e-9);  // exp(-100) is left outside
  EXPECT_EQ(sphere.density(500).value, 0);
}

// Hernquist (1990), eq. 17, for G = M = a = 1.
double closed_form(double energy) {
  const double q = std::sqrt(energy);
  const double pi = std::numbers::pi;
  return (3 * std::asin(q) +
          q * std::sqrt(1 - q * q) * (1 - 2 * q * q) * (8 * q * q * q * q - 8 * q * q - 3)) /
         (8 * std::sqrt(2.0) * pi * pi * pi * std::pow(1 - q * q, 2.5));
}

TEST(Eddington, gives_the_closed_form_of_the_hernquist_sphere) {
  const HernquistSphere sphere(1, 1);
  const IsotropicVelocities velocities(sphere, {{sphere}});
  for (const double energy : {0.02, 0.1, 0.3, 0.5, 0.8, 0.95}) {
    // interpolation of log f between 50 points to a decade
    EXPECT_NEAR(velocities.distribution(energy) / closed_form(energy), 1, 5e-3) << energy;
  }
}

TEST(Eddington, nothing_unbound_is_drawn) {
  const HernquistSphere sphere(1, 1);
  const IsotropicVelocities velocities(sphere, {{sphere}});
  EXPECT_EQ(velocities.distribution(-0.1), 0);
  EXPECT_EQ(velocities.distribution(0), 0);
  for (std::uint64_t body = 0; body < 1000; ++body) {
    BodyRandom random(1, body);
    const Vec3 v = velocities.velocity(0.7, random);
    EXPECT_LT(0.5 * dot(v, v), sphere.potential(0.7).value);
  }
}

TEST(RejectedSpeed, stands_still_where_no_speed_is_possible) {
  BodyRandom random(1, 1);
  EXPECT_EQ(rejected_speed(random, 0.0, [](double v) { return v * v; }), 0);
}

}  // namespace
}  // namespace apsis::initial

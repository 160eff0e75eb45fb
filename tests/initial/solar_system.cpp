// SPDX-License-Identifier: MIT
#include "initial/sample.hpp"
#include <apsis/core/units.hpp>

#include <gtest/gtest.h>

#include <array>
#include <numbers>

namespace apsis::test {
namespace {

enum Body { sun, mercury, venus, earth, moon, mars, jupiter, saturn, uranus, neptune, pluto };

struct Orbit {
  double semi_major_axis, eccentricity, inclination;  // degrees, against the x-y plane
};

Orbit orbit_about(const Bodies& bodies, Body centre, Body body) {
  const double gm = units_named("au-msun-yr").gravity * (bodies.mass[centre] + bodies.mass[body]);
  const Vec3 r = bodies.position(body) - bodies.position(centre);
  const Vec3 v = bodies.velocity(body) - bodies.velocity(centre);
  const Vec3 momentum = cross(r, v);
  const double axis = 1 / (2 / norm(r) - dot(v, v) / gm);
  const Vec3 e = cross(v, momentum) / gm - r / norm(r);
  return {axis, norm(e), std::acos(momentum.z / norm(momentum)) * 180 / std::numbers::pi};
}

TEST(SolarSystem, osculating_orbits_are_those_of_the_planets) {
  const auto state = make("solar-system", 11);
  struct Known {
    Body body;
    Orbit orbit;
  };
  // Standish & Williams, mean elements at J2000; osculating ones swing about them by up to 1 % of
  // the axis for the outer planets, which the Sun's motion about the barycentre disturbs
  constexpr std::array<Known, 9> known{{{mercury, {0.38710, 0.2056, 7.005}},
                                        {venus, {0.72333, 0.0068, 3.395}},
                                        {earth, {1.00000, 0.0167, 0.000}},
                                        {mars, {1.52371, 0.0934, 1.850}},
                                        {jupiter, {5.2029, 0.0484, 1.304}},
                                        {saturn, {9.5367, 0.0539, 2.486}},
                                        {uranus, {19.189, 0.0473, 0.773}},
                                        {neptune, {30.070, 0.0086, 1.770}},
                                        {pluto, {39.482, 0.2488, 17.140}}}};
  for (const auto& [body, orbit] : known) {
    const Orbit found = orbit_about(state.bodies, sun, body);
    EXPECT_NEAR(found.semi_major_axis / orbit.semi_major_axis, 1, 0.01) << body;
    EXPECT_NEAR(found.eccentricity, orbit.eccentricity, 0.01) << body;
    EXPECT_NEAR(found.inclination, orbit.inclination, 0.05) << body;
  }
}

TEST(SolarSystem, the_moon_circles_the_earth_once_a_month) {
  const auto state = make("solar-system", 11);
  const Orbit orbit = orbit_about(state.bodies, earth, moon);
  const double gm =
      units_named("au-msun-yr").gravity * (state.bodies.mass[earth] + state.bodies.mass[moon]);
  const double period = 2 * std::numbers::pi * std::sqrt(std::pow(orbit.semi_major_axis, 3) / gm);
  // the Sun makes the osculating axis swing by about 1 %, so the period by 2 %
  EXPECT_NEAR(orbit.semi_major_axis, 0.00257, 0.00257 * 0.015);
  EXPECT_NEAR(period * 365.25, 27.32, 27.32 * 0.025);
  EXPECT_NEAR(orbit.inclination, 5.145, 0.3);
  // 402,449 km on that day
  EXPECT_NEAR(norm(state.bodies.position(moon) - state.bodies.position(earth)) * 1.495978707e8,
              402449, 10);
}

TEST(SolarSystem, barycentre_rests_at_the_origin) {
  const auto state = make("solar-system", 11);
  EXPECT_LT(norm(center_of_mass(state.bodies)), 1e-15);
  EXPECT_LT(norm(mean_velocity(state.bodies)), 1e-15);
}

TEST(SolarSystem, another_unit_system_means_the_same_state) {
  const auto own = make("solar-system", 11);
  auto wanted = request("solar-system", 11);
  wanted.units = "si";
  const auto si = make_model(wanted);
  const double au = 1.495978707e11;
  const double year = 365.25 * 86400;
  EXPECT_EQ(si.defaults.units, "si");
  EXPECT_NEAR(norm(si.bodies.position(earth)) / au, norm(own.bodies.position(earth)), 1e-14);
  EXPECT_NEAR(norm(si.bodies.velocity(earth)), 29780, 600);  // m/s, within e = 0.0167
  EXPECT_NEAR(si.bodies.mass[earth], 5.972e24, 1e21);
  EXPECT_NEAR(si.defaults.until / year, own.defaults.until, 1e-12);
}

TEST(SolarSystem, without_units_lengths_stay_and_orbits_keep_their_shape) {
  auto wanted = request("solar-system", 11);
  wanted.units = "dimensionless";
  const auto state = make_model(wanted);
  // one year is 2π where G = 1, AU and solar mass are the units
  EXPECT_NEAR(state.defaults.until, 12 * 2 * std::numbers::pi, 0.01);
  EXPECT_NEAR(norm(state.bodies.velocity(earth)), 1, 0.02);
}

}  // namespace
}  // namespace apsis::test

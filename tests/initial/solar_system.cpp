// SPDX-License-Identifier: MIT
#include "initial/sample.hpp"
#include <apsis/core/units.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/integrators/integrator.hpp>

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

// To the equator of J2000, in km.
Vec3 equatorial(Vec3 a) {
  const double obliquity = 84381.448 / 3600 * std::numbers::pi / 180;
  const double c = std::cos(obliquity);
  const double s = std::sin(obliquity);
  return 1.495978707e8 * Vec3{a.x, c * a.y - s * a.z, s * a.y + c * a.z};
}

Bodies after_days(double days) {
  InitialState state = make("solar-system", 11);
  const PairLaw law{Law::gravity, units_named("au-msun-yr").gravity, 0};
  const auto engine = make_engine(
      {.force = forces(law, "direct"), .device = {.precision = Precision::f64, .threads = 1}});
  constexpr double step = 0.5;  // days
  const auto operations = integrator_named("yoshida6").step(0, step / 365.25);
  engine->load(state.bodies);
  for (double t = 0; t < days; t += step) engine->apply(operations);
  engine->store(state.bodies);
  return state.bodies;
}

TEST(SolarSystem, twenty_years_later_the_planets_are_where_the_ephemeris_has_them) {
  // JPL Horizons, geometric, ICRF, km: heliocentric for JD 2459000.5, the Moon geocentric for
  // JD 2459216. Left out here: relativity, the Earth's figure, asteroids, the planets' moons.
  constexpr double tolerance = 500;
  const Bodies in_2020 = after_days(2459000.5 - 2451545);
  const auto from_sun = [&](Body body) {
    return equatorial(in_2020.position(body) - in_2020.position(sun));
  };
  const Vec3 saturn_then{6.758845926039357e8, -1.225678487134377e9, -5.353728050271363e8};
  const Vec3 uranus_then{2.374742857240990e9, 1.633720606186591e9, 6.819437397891679e8};
  const Vec3 neptune_then{4.388897213219954e9, -7.767856116252367e8, -4.272247742589144e8};
  EXPECT_LT(norm(from_sun(saturn) - saturn_then), tolerance);
  EXPECT_LT(norm(from_sun(uranus) - uranus_then), tolerance);
  EXPECT_LT(norm(from_sun(neptune) - neptune_then), tolerance);
  const Bodies in_2021 = after_days(2459216 - 2451545);
  const Vec3 moon_then{-2.415972771741238e5, 2.630988164221789e5, 1.432200852614276e5};
  EXPECT_LT(norm(equatorial(in_2021.position(moon) - in_2021.position(earth)) - moon_then),
            tolerance);
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

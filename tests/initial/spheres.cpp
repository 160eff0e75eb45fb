// SPDX-License-Identifier: MIT
#include "initial/sample.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace apsis::test {
namespace {

constexpr double plummer_scale = 3 * std::numbers::pi / 16;
// K/U of 8,000 bodies has a deviation of 0.005; four of them.
constexpr double virial_tolerance = 0.02;

TEST(Plummer, density_follows_the_profile) {
  const auto state = make("plummer", 100000);
  // the cut-off at 22.8 scale lengths leaves (1 + 1/22.8²)^-1.5 of the mass
  const double inside = std::pow(1 + 1 / (22.8 * 22.8), -1.5);
  const auto below = [&](double r) {
    const double x = r / plummer_scale;
    return std::min(1.0, std::pow(1 + 1 / (x * x), -1.5) / inside);
  };
  EXPECT_LT(kolmogorov(radii(state.bodies), below), one_percent_level);
}

TEST(Plummer, dispersion_follows_the_profile) {
  const auto state = make("plummer", 100000);
  for (const double x : {0.3, 0.8, 1.5, 3.0}) {
    const Shell measured = shell(state.bodies, 0.95 * x * plummer_scale, 1.05 * x * plummer_scale);
    const double expected = 1 / (6 * plummer_scale * std::sqrt(1 + x * x));
    // variance of 3n components: relative deviation √(2/3n), four of them
    const double tolerance = 4 * std::sqrt(2.0 / (3.0 * static_cast<double>(measured.bodies)));
    EXPECT_NEAR(measured.dispersion_squared / expected, 1, tolerance) << "at " << x << " a";
  }
}

TEST(Plummer, has_henon_energies) {
  const Energies energies = energies_of(make("plummer", 8000));
  // sampling noise of the energies of 8,000 bodies is about 1 %, four of them
  EXPECT_NEAR(energies.kinetic, 0.25, 0.01);
  EXPECT_NEAR(energies.potential, -0.5, 0.02);
  EXPECT_NEAR(energies.virial(), 0.5, virial_tolerance);
}

TEST(Plummer, half_mass_radius_is_that_of_henon_units) {
  const auto state = make("plummer", 100000);
  // deviation of the median: 0.5/(√n f(r)), f = 0.59 at the half-mass radius; four of them,
  // and 0.2 % of the radius for the mass that the cut-off takes away
  EXPECT_NEAR(median(radii(state.bodies)), 0.768571, 4 * 0.5 / (0.59 * std::sqrt(1e5)) + 0.0016);
}

TEST(Plummer, centre_of_mass_rests_at_the_origin) {
  const auto state = make("plummer", 1000);
  // rounding of 1000 terms of order 1
  EXPECT_LT(norm(center_of_mass(state.bodies)), 1e-14);
  EXPECT_LT(norm(mean_velocity(state.bodies)), 1e-14);
}

TEST(Plummer, no_body_is_beyond_the_cut_off) {
  const auto state = make("plummer", 20000, {{"cutoff", 3.0}});
  const auto r = radii(state.bodies);
  // the centre of mass moves by about 1/√n when it is put to rest
  EXPECT_LT(*std::max_element(r.begin(), r.end()), 3 * plummer_scale + 0.03);
}

TEST(Hernquist, density_follows_the_profile) {
  const auto state = make("hernquist", 100000);
  const double inside = std::pow(100.0 / 101.0, 2);
  const auto below = [&](double r) { return std::min(1.0, std::pow(r / (r + 1), 2) / inside); };
  EXPECT_LT(kolmogorov(radii(state.bodies), below), one_percent_level);
}

TEST(Hernquist, dispersion_follows_the_profile) {
  const auto state = make("hernquist", 100000);
  for (const double r : {0.3, 1.0, 3.0}) {
    const Shell measured = shell(state.bodies, 0.95 * r, 1.05 * r);
    // Hernquist (1990), eq. 10
    const double expected = (12 * r * std::pow(r + 1, 3) * std::log(1 + 1 / r) -
                             r / (r + 1) * (25 + 52 * r + 42 * r * r + 12 * r * r * r)) /
                            12;
    const double tolerance = 4 * std::sqrt(2.0 / (3.0 * static_cast<double>(measured.bodies)));
    EXPECT_NEAR(measured.dispersion_squared / expected, 1, tolerance) << "at " << r;
  }
}

TEST(Hernquist, is_in_virial_equilibrium) {
  EXPECT_NEAR(energies_of(make("hernquist", 8000)).virial(), 0.5, virial_tolerance);
}

TEST(King, is_in_virial_equilibrium_in_henon_units) {
  for (const double w0 : {1.0, 6.0, 10.0}) {
    const Energies energies = energies_of(make("king", 8000, {{"w0", w0}}));
    EXPECT_NEAR(energies.virial(), 0.5, virial_tolerance) << w0;
    // 0.004 is the deviation of the energy of 8,000 bodies at w0 = 10, four of them
    EXPECT_NEAR(energies.total(), -0.25, 0.016) << w0;
  }
}

TEST(Sphere, is_uniform_and_at_rest) {
  const auto state = make("sphere", 100000);
  EXPECT_LT(kolmogorov(radii(state.bodies), [](double r) { return std::min(1.0, r * r * r); }),
            one_percent_level);
  EXPECT_EQ(motion(state.bodies).kinetic, 0);
}

TEST(Sphere, virial_ratio_is_the_one_asked_for) {
  for (const double ratio : {0.1, 0.5}) {
    const auto state = make("sphere", 8000, {{"virial_ratio", ratio}});
    // relative sampling noise of K and U is below 0.5 %, four of them
    EXPECT_NEAR(energies_of(state).virial(), ratio, 0.02 * ratio);
  }
}

}  // namespace
}  // namespace apsis::test

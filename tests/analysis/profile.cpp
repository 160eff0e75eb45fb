// SPDX-License-Identifier: MIT
// Radii and profiles against the models' own formulas.
#include "analysis/scenes.hpp"
#include <apsis/analysis/profile.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace apsis::analysis {
namespace {

constexpr double pi = std::numbers::pi;
const double plummer_scale = 3 * pi / 16;  // in Hénon's units

struct Law {
  const char* model;
  double (*radius)(double share);
  double (*slope)(double share);  // dr/dM
};

double plummer_radius(double m) { return plummer_scale / std::sqrt(std::pow(m, -2.0 / 3) - 1); }

// The error of a quantile of N bodies is √(M (1 - M)/N) dr/dM; four of them are passed once in
// 16,000 tries.
TEST(LagrangianRadii, of_a_plummer_sphere_are_those_of_its_formula) {
  const std::vector<double> shares{0.01, 0.1, 0.25, 0.5, 0.75, 0.9};
  constexpr std::size_t n = 100'000;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Bodies bodies = test::model("plummer", n, seed);
    const auto radii = lagrangian_radii(bodies, by_distance(bodies, {}), shares);
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const double m = shares[k], d = 1e-5;
      const double slope = (plummer_radius(m + d) - plummer_radius(m - d)) / (2 * d);
      EXPECT_NEAR(radii[k], plummer_radius(m), 4 * slope * std::sqrt(m * (1 - m) / n))
          << m << " seed " << seed;
    }
  }
  EXPECT_NEAR(plummer_radius(0.5), 0.7686, 1e-4);  // what handbooks print
}

TEST(LagrangianRadii, of_unequal_masses_are_by_mass) {
  Bodies line(4);
  line.mass = {1, 6, 1, 2};
  for (std::size_t i = 0; i < 4; ++i) line.set_position(i, {0, 0, static_cast<double>(i + 1)});
  const auto sorted = by_distance(line, {});
  const double shares[] = {0, 0.1, 0.5, 0.7, 0.8, 0.81, 1};
  EXPECT_EQ(lagrangian_radii(line, sorted, shares), (std::vector<double>{1, 1, 2, 2, 3, 4, 4}));
  line.mass = {0, 0, 0, 0};
  EXPECT_EQ(lagrangian_radii(line, sorted, shares)[2], 2);
  EXPECT_EQ(lagrangian_radii(Bodies(0), {}, shares)[3], 0);
}

TEST(Profile, of_a_plummer_sphere_has_its_density_and_dispersion) {
  constexpr std::size_t n = 200'000;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Bodies bodies = test::model("plummer", n, seed);
    const auto shells = profile(bodies, by_distance(bodies, {}), {}, {.count = 12});
    ASSERT_EQ(shells.size(), 13U);
    for (const Shell& shell : shells) {
      const auto within = [](double r) {
        return std::pow(1 + plummer_scale * plummer_scale / (r * r), -1.5);
      };
      const double inner = shell.inner > 0 ? within(shell.inner) : 0;
      const double volume = 4 * pi / 3 * (std::pow(shell.outer, 3) - std::pow(shell.inner, 3));
      const double expected = (within(shell.outer) - inner) / volume;
      EXPECT_NEAR(shell.density, expected, 4 * shell.density_error) << shell.outer;
      // σ² = 1/(6 √(r² + a²)) in each direction; a dispersion of k bodies is good to σ/√(2k)
      const double r = std::sqrt((std::pow(shell.inner, 2) + std::pow(shell.outer, 2)) / 2);
      const double sigma = std::pow(36 * (r * r + plummer_scale * plummer_scale), -0.25);
      const double noise = sigma / std::sqrt(2 * static_cast<double>(shell.bodies));
      // what the shell's width changes is small beside a twentieth
      EXPECT_NEAR(shell.radial_dispersion, sigma, 4 * noise + 0.05 * sigma) << shell.outer;
      EXPECT_NEAR(shell.tangential_dispersion, sigma, 4 * noise + 0.05 * sigma) << shell.outer;
      EXPECT_NEAR(*shell.anisotropy, 0, 16 * noise / sigma) << shell.outer;
    }
  }
}

TEST(Profile, counts_every_body_once_up_to_the_last_radius) {
  const Bodies bodies = test::scattered(1000, 2);
  const Centre centre{{0.5, 0.5, 0.5}, {}};
  const auto sorted = by_distance(bodies, centre.position);
  const auto shells = profile(bodies, sorted, centre, {.count = 7, .least = 0.1, .most = 2});
  std::size_t counted = 0;
  for (const Shell& shell : shells) counted += shell.bodies;
  EXPECT_EQ(counted, 1000U);
  EXPECT_DOUBLE_EQ(shells.back().mass_within, 1000);
  EXPECT_EQ(shells.front().inner, 0);
  EXPECT_EQ(shells.front().outer, 0.1);
  EXPECT_EQ(shells.back().outer, 2);
}

// v = Ω × r: at the equator of a shell Ω r, everywhere no radial motion and, beside the rotation's
// own spread, no dispersion.
TEST(Profile, a_ball_that_turns_as_a_whole_has_its_speed_at_the_equator) {
  Bodies ball(200'000);
  for (std::size_t i = 0; i < ball.size(); ++i) {
    BodyRandom random(8, i);
    const Vec3 p = random.in_ball();
    ball.set_position(i, p), ball.set_velocity(i, cross(Vec3{0, 0, 0.5}, p)), ball.mass[i] = 1;
  }
  const auto shells =
      profile(ball, by_distance(ball, {}), {}, {.count = 6, .least = 0.2, .most = 1});
  for (std::size_t k = 1; k < shells.size(); ++k) {
    const double r = std::sqrt((std::pow(shells[k].inner, 2) + std::pow(shells[k].outer, 2)) / 2);
    EXPECT_NEAR(shells[k].rotation, 0.5 * r, 0.01 * r) << r;
    EXPECT_NEAR(shells[k].radial_speed, 0, 1e-12);
    EXPECT_NEAR(shells[k].radial_dispersion, 0, 1e-12);
  }
}

TEST(Profile, of_few_and_coincident_bodies_has_numbers) {
  EXPECT_TRUE(profile(Bodies(0), {}, {}, {}).empty());
  for (const std::size_t n : {1, 5, 300}) {
    Bodies heap(n);
    std::fill(heap.mass.begin(), heap.mass.end(), 1);
    const auto shells = profile(heap, by_distance(heap, {}), {}, {});
    ASSERT_EQ(shells.size(), 1U) << n;
    EXPECT_EQ(shells[0].bodies, n);
    EXPECT_EQ(shells[0].density, 0);
    EXPECT_FALSE(shells[0].anisotropy);
  }
}

}  // namespace
}  // namespace apsis::analysis

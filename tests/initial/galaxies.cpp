// SPDX-License-Identifier: MIT
#include "initial/sample.hpp"
#include <apsis/initial/exponential_disk.hpp>

#include <gtest/gtest.h>

#include <numbers>
#include <numeric>

namespace apsis::test {
namespace {

constexpr double pi = std::numbers::pi;

// Disk bodies come first: half of them by default.
std::vector<double> disk_radii(const Bodies& bodies, std::size_t disk) {
  std::vector<double> values;
  for (std::size_t i = 0; i < disk; ++i) values.push_back(std::hypot(bodies.x()[i], bodies.y()[i]));
  return values;
}

TEST(Disk, surface_density_is_exponential_with_scale_length_one) {
  const auto state = make("disk", 100000);
  const auto below = [](double r) {
    const double inside = 1 - 11 * std::exp(-10.0);  // the disk ends at 10
    return std::min(1.0, (1 - (1 + r) * std::exp(-r)) / inside);
  };
  EXPECT_LT(kolmogorov(disk_radii(state.bodies, 50000), below), one_percent_level);
}

TEST(Disk, height_follows_sech_squared) {
  const auto state = make("disk", 100000, {{"height", 0.3}});
  const std::vector<double> z(state.bodies.z().begin(), state.bodies.z().begin() + 50000);
  EXPECT_LT(kolmogorov(z, [](double at) { return 0.5 * (1 + std::tanh(at / 0.3)); }),
            one_percent_level);
}

TEST(Disk, rotation_curve_is_that_of_its_own_gravity) {
  const auto state = make("disk", 20000);
  const initial::GalaxyShape shape{
      .bulge = {0.25, 0.2, 2}, .halo = {4, 2, 12}, .softening = state.defaults.softening};
  const initial::DiskKinematics disk(shape);
  for (const double radius : {1.0, 2.0, 3.0}) {
    // the pull of all bodies on a ring of probes without mass
    constexpr int probes = 32;
    Bodies all = state.bodies;
    Bodies ring(probes);
    for (int k = 0; k < probes; ++k) {
      const double angle = 2 * pi * k / probes;
      ring.set_position(k, {radius * std::cos(angle), radius * std::sin(angle), 0});
    }
    all.append(ring);
    std::vector<std::size_t> targets(probes);
    std::iota(targets.begin(), targets.end(), state.bodies.size());
    const auto pull = reference_accelerations(all, {Law::gravity, 1, 0.08}, targets);
    double inward = 0;
    for (int k = 0; k < probes; ++k) {
      const double angle = 2 * pi * k / probes;
      inward -= (pull.x()[k] * std::cos(angle) + pull.y()[k] * std::sin(angle)) / probes;
    }
    // sampling noise of 12,000 disk and halo bodies, 0.5 % of the speed, three times; in the plane
    // the pull is a little stronger than its mean over the height
    EXPECT_NEAR(std::sqrt(inward * radius) / disk.circular_speed(radius), 1, 0.02) << radius;
  }
}

TEST(Disk, bodies_rotate_slower_than_circles_by_the_asymmetric_drift) {
  const auto state = make("disk", 100000);
  const initial::GalaxyShape shape{.bulge = {0.25, 0.2, 2}, .halo = {4, 2, 12}, .softening = 0.08};
  const initial::DiskKinematics disk(shape);
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < 50000; ++i) {
    const double radius = std::hypot(state.bodies.x()[i], state.bodies.y()[i]);
    if (std::abs(radius - 2) > 0.1) continue;
    sum += cross(state.bodies.position(i), state.bodies.velocity(i)).z / radius;
    ++count;
  }
  // dispersion 0.1 over √2700 bodies, four of them
  EXPECT_NEAR(sum / count, disk.mean_rotation(2), 0.01);
  EXPECT_LT(disk.mean_rotation(2), disk.circular_speed(2));
}

TEST(Disk, toomre_q_is_the_one_asked_for) {
  const initial::GalaxyShape shape{.toomre_q = 1.7, .halo = {4, 2, 12}};
  const initial::DiskKinematics disk(shape);
  const double surface_density = std::exp(-2.0) / (2 * pi);
  const double kappa = 2 * disk.epicyclic_ratio(2) * disk.circular_speed(2) / 2;
  EXPECT_NEAR(disk.radial_dispersion(2) * kappa / (3.36 * surface_density), 1.7, 1e-12);
}

TEST(Disk, starts_near_virial_equilibrium) {
  const auto state = make("disk", 8000);
  EXPECT_NEAR(energies_of(state, 1, state.defaults.softening).virial(), 0.5, 0.02);
}

TEST(Disk, parts_have_the_masses_asked_for) {
  const auto state = make("disk", 10000, {{"halo_mass", 6.0}, {"bulge_mass", 0.5}});
  const auto& mass = state.bodies.mass;
  // sums of 5000 equal terms round to 1e-13
  EXPECT_NEAR(std::accumulate(mass.begin(), mass.begin() + 5000, 0.0), 1, 1e-12);
  EXPECT_NEAR(std::accumulate(mass.begin(), mass.end(), 0.0), 7.5, 1e-11);
}

TEST(Merger, galaxies_start_at_their_separation_on_a_parabola) {
  const auto state = make("galaxy-merger", 8192, {{"separation", 12.0}});
  Bodies first;
  Bodies second;
  for (std::size_t i = 0; i < 8192; ++i) {
    Bodies one(1);
    one.set_position(0, state.bodies.position(i));
    one.set_velocity(0, state.bodies.velocity(i));
    one.mass[0] = state.bodies.mass[i];
    (i < 4096 ? first : second).append(one);
  }
  const Vec3 apart = center_of_mass(second) - center_of_mass(first);
  const Vec3 speed = mean_velocity(second) - mean_velocity(first);
  EXPECT_NEAR(norm(apart), 12, 1e-12);
  EXPECT_NEAR(0.5 * dot(speed, speed), 8.5 / 12, 1e-12);  // escape speed of 2 (1 + 0.25 + 3)
  EXPECT_LT(dot(apart, speed), 0);
  EXPECT_LT(norm(center_of_mass(state.bodies)), 1e-12);
}

TEST(Merger, a_lighter_companion_gets_its_share_of_bodies_and_mass) {
  const auto state = make("galaxy-merger", 8000, {{"mass_ratio", 0.25}});
  const auto& mass = state.bodies.mass;
  const double first = std::accumulate(mass.begin(), mass.begin() + 6400, 0.0);
  const double second = std::accumulate(mass.begin() + 6400, mass.end(), 0.0);
  EXPECT_NEAR(second / first, 0.25, 1e-10);
}

TEST(Merger, inclination_turns_the_spin_of_the_disk) {
  const auto state =
      make("galaxy-merger", 8192, {{"inclination_1", 180.0}, {"inclination_2", 0.0}});
  // half a turn about x sends the spin to -z; the orbit's own momentum is along +z
  double spin = 0;
  Vec3 middle;
  Vec3 drift;
  for (std::size_t i = 0; i < 2800; ++i) {
    middle += state.bodies.position(i) / 2800;
    drift += state.bodies.velocity(i) / 2800;
  }
  for (std::size_t i = 0; i < 2800; ++i) {
    spin += cross(state.bodies.position(i) - middle, state.bodies.velocity(i) - drift).z;
  }
  EXPECT_LT(spin / 2800, -1);
}

TEST(Galaxies, shares_above_one_and_a_start_inside_the_pericentre_are_refused) {
  EXPECT_THROW(make("disk", 100, {{"disk_share", 0.9}, {"bulge_share", 0.2}}), Error);
  EXPECT_THROW(make("galaxy-merger", 100, {{"separation", 1.0}}), Error);
}

}  // namespace
}  // namespace apsis::test

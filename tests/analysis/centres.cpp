// SPDX-License-Identifier: MIT
#include "analysis/scenes.hpp"
#include <apsis/analysis/centres.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace apsis::analysis {
namespace {

constexpr Vec3 place{30, -20, 10}, motion{0.5, 2, -1};

// A Plummer sphere in Hénon's units has a scale of 3π/16 = 0.589.
Bodies sphere_with_a_neighbour_and_a_runaway() {
  Bodies all = test::moved(test::model("plummer", 20000), place, motion);
  Bodies neighbour = test::moved(test::model("plummer", 4000), {38, -20, 10}, {});
  for (double& mass : neighbour.mass) mass *= 0.2;
  all.append(neighbour);
  all.set_position(24'000 - 1, {1e7, 2e7, -1e7});
  all.renumber();
  return all;
}

TEST(Centres, of_density_and_of_a_shrinking_sphere_are_not_drawn_away) {
  const Bodies bodies = sphere_with_a_neighbour_and_a_runaway();
  // the mean of N places in a core of 0.6 is good to 0.6/√N; a hundredth of the bodies is left
  const Centre sphere = shrinking_sphere_centre(bodies);
  EXPECT_LT(norm(sphere.position - place), 0.05);
  EXPECT_LT(norm(sphere.velocity - motion), 0.15);
  const DensityCentre dense = density_centre(bodies);
  EXPECT_LT(norm(dense.centre.position - place), 1.0);  // the neighbour has a weight, too
  EXPECT_GT(norm(centre_of_mass(bodies).position - place), 100);
}

// For a Plummer sphere ∫ρ·ρ/∫ρ and the rms distance weighted by ρ² have closed forms:
// (3/4π a³)·∫x²(1+x²)^-5/∫x²(1+x²)^-2.5 and a·√(∫x⁴(1+x²)^-5/∫x²(1+x²)^-5) = a·√(3/7)... the
// weights that are estimated from six neighbours scatter, which draws the latter in by a fifth.
TEST(Centres, the_core_of_a_plummer_sphere_has_its_size) {
  const double scale = 3 * std::acos(-1.0) / 16;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const DensityCentre dense = density_centre(test::model("plummer", 50000, seed));
    EXPECT_LT(norm(dense.centre.position), 0.02) << seed;
    EXPECT_NEAR(dense.core_radius, scale * std::sqrt(3.0 / 7), 0.15 * scale) << seed;
  }
}

TEST(Centres, have_the_same_bits_for_any_number_of_threads) {
  const Bodies bodies = sphere_with_a_neighbour_and_a_runaway();
  const auto all = [&](int threads) {
    const DensityCentre dense = density_centre(bodies, threads);
    const Centre mass = centre_of_mass(bodies, threads);
    const Centre sphere = shrinking_sphere_centre(bodies, threads);
    return std::vector<double>{dense.centre.position.x, dense.centre.velocity.y, dense.core_radius,
                               dense.density,           mass.position.z,         sphere.position.x,
                               sphere.velocity.z};
  };
  EXPECT_EQ(all(1), all(2));
  EXPECT_EQ(all(1), all(5));
}

TEST(Centres, of_none_one_and_heaps) {
  EXPECT_EQ(density_centre(Bodies(0)).centre.position, Vec3{});
  EXPECT_EQ(shrinking_sphere_centre(Bodies(0)).position, Vec3{});
  for (const std::size_t n : {1, 6, 7, 150}) {
    Bodies heap(n);
    for (std::size_t i = 0; i < n; ++i) heap.set_position(i, {1, 2, 3}), heap.mass[i] = 0.25;
    EXPECT_EQ(density_centre(heap).centre.position, (Vec3{1, 2, 3})) << n;
    EXPECT_EQ(shrinking_sphere_centre(heap).position, (Vec3{1, 2, 3})) << n;
    EXPECT_EQ(density_centre(heap).core_radius, 0) << n;
  }
}

TEST(Centres, of_bodies_without_mass_count_them) {
  Bodies bodies = test::moved(test::model("plummer", 3000), place, motion);
  const Centre with = centre_of_mass(bodies);
  std::fill(bodies.mass.begin(), bodies.mass.end(), 0);
  const Centre without = centre_of_mass(bodies);
  EXPECT_NEAR(without.position.x, with.position.x, 1e-9);
  EXPECT_LT(norm(density_centre(bodies).centre.position - place), 0.1);
}

// A cubic lattice has six nearest neighbours at its spacing.
TEST(Densities, of_a_lattice_are_five_bodies_in_a_sphere_of_its_spacing) {
  Bodies lattice(1000);
  for (std::size_t i = 0; i < 1000; ++i) {
    lattice.set_position(i,
                         {0.5 * static_cast<double>(i % 10), 0.5 * static_cast<double>(i / 10 % 10),
                          0.5 * static_cast<double>(i / 100)});
    lattice.mass[i] = 2;
  }
  const double expected = 5 * 2 / (4 * std::acos(-1.0) / 3 * 0.125);
  EXPECT_DOUBLE_EQ(local_densities(lattice)[555], expected);
  EXPECT_LT(local_densities(lattice)[0], expected);
}

}  // namespace
}  // namespace apsis::analysis

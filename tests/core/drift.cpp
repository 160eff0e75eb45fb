// SPDX-License-Identifier: MIT
// How far a state is from what its own forces cannot change.
#include <apsis/core/drift.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <cmath>

namespace apsis {
namespace {

Bodies two_bodies() {
  Bodies bodies(2);
  bodies.set_position(0, {-1, 0, 0}), bodies.set_position(1, {1, 0, 0});
  bodies.mass = {2, 2};
  return bodies;
}

TEST(Extent, of_two_bodies_is_as_by_hand) {
  const Extent extent = extent_of(two_bodies());
  EXPECT_EQ(extent.mass, 4);
  EXPECT_EQ(extent.radius, 1);
}

TEST(Extent, has_the_same_bits_on_any_number_of_threads) {
  const Bodies bodies = test::random_bodies(100000, 7);
  const Extent one = extent_of(bodies, 1);
  for (const int threads : {2, 3, 8}) {
    const Extent many = extent_of(bodies, threads);
    EXPECT_EQ(many.mass, one.mass);
    EXPECT_EQ(many.radius, one.radius);
  }
}

TEST(Drift, of_a_center_that_moves_evenly_is_none) {
  Energies start, now;
  start.kinetic = 2, start.potential = -6;
  start.momentum = now.momentum = {4, 0, 0};
  now.center_of_mass = {3, 0, 0};  // mass 4, momentum 4: speed 1
  const Drift drift = drift_of(now, start, {.mass = 4, .radius = 2}, 3);
  EXPECT_EQ(drift.center_of_mass, 0);
  EXPECT_EQ(drift.momentum, 0);
  EXPECT_EQ(drift.angular_momentum, 0);
}

TEST(Drift, is_a_share_of_the_size_and_of_the_most_that_energies_allow) {
  Energies start, now;
  start.kinetic = 2, start.potential = -6;  // sqrt(2 * 4 * 8) = 8
  now.momentum = {0, 0.08, 0}, now.angular_momentum = {0, 0, 0.16};
  now.center_of_mass = {0, 0, 0.02};
  const Drift drift = drift_of(now, start, {.mass = 4, .radius = 2}, 3);
  EXPECT_DOUBLE_EQ(drift.center_of_mass.value(), 0.01);
  EXPECT_DOUBLE_EQ(drift.momentum.value(), 0.01);
  EXPECT_DOUBLE_EQ(drift.angular_momentum.value(), 0.01);
}

TEST(Drift, is_not_known_where_there_is_nothing_to_compare_with) {
  Energies resting, now;
  now.momentum = {1, 0, 0};
  EXPECT_FALSE(drift_of(now, resting, extent_of(Bodies(0)), 1).momentum);
  EXPECT_FALSE(drift_of(now, resting, extent_of(Bodies(3)), 1).momentum);  // no mass
  const Drift at_one_place = drift_of(now, resting, {.mass = 1, .radius = 0}, 1);
  EXPECT_FALSE(at_one_place.center_of_mass);
  EXPECT_FALSE(at_one_place.momentum);  // nor energy
  EXPECT_FALSE(at_one_place.angular_momentum);
  resting.kinetic = 1;
  now.momentum = {NAN, 0, 0};
  EXPECT_FALSE(drift_of(now, resting, {.mass = 1, .radius = 1}, 1).momentum);
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
// Which pair asks for the shortest step, and what is said when a run has lost its energy.
#include <apsis/measure/energy_causes.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <cmath>
#include <limits>
#include <numbers>

namespace apsis {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t nearest_by_all_pairs(const Bodies& b, std::size_t i) {
  std::size_t best = i;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < b.size(); ++j) {
    const Vec3 r = b.position(j) - b.position(i);
    if (j != i && dot(r, r) < least) best = j, least = dot(r, r);
  }
  return best;
}

// Two bodies on a circle of radius 1/2 about each other, G = 1, total mass 2.
Bodies circling_pair() {
  Bodies b(2);
  b.mass = {1, 1};
  test::assign(b.x(), {-0.5, 0.5});
  const double speed = std::sqrt(2.0) / 2;
  test::assign(b.vy(), {-speed, speed});
  return b;
}

TEST(NearestNeighbours, are_those_of_all_pairs_at_any_size) {
  for (const std::size_t n : {2U, 3U, 7U, 64U, 65U, 1000U}) {
    const Bodies bodies = test::random_bodies(n);
    const auto nearest = nearest_neighbours(bodies);
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(nearest[i], nearest_by_all_pairs(bodies, i));
  }
}

TEST(NearestNeighbours, many_bodies_at_one_place_and_one_far_away_are_no_trouble) {
  Bodies bodies(20000);  // quadratic work would take seconds
  bodies.x()[17] = 1e30;
  const auto nearest = nearest_neighbours(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) EXPECT_NE(nearest[i], i);
  EXPECT_EQ(nearest_neighbours(Bodies(1)), std::vector<std::size_t>{0});
  EXPECT_TRUE(nearest_neighbours(Bodies()).empty());
}

TEST(ClosestPair, of_two_bodies_has_the_time_of_their_orbit) {
  const auto pair = closest_pair(circling_pair(), {});
  ASSERT_TRUE(pair);
  EXPECT_TRUE(pair->bound);
  EXPECT_DOUBLE_EQ(pair->distance, 1);
  // Kepler's third law: 2 pi sqrt(r^3 / (G (m1 + m2)))
  EXPECT_NEAR(pair->time(), 2 * std::numbers::pi / std::sqrt(2.0), 1e-12);
}

TEST(ClosestPair, an_orbit_about_the_strongest_body_is_timed_where_it_is_fastest) {
  Bodies b(3);
  b.mass = {1, 1e-6, 1e-6};
  b.id = {5, 6, 7};
  test::assign(b.x(), {0, 1, 0}), test::assign(b.y(), {0, 0, 20});
  test::assign(b.vx(), {0, 0, 1 / std::sqrt(20.0)});  // circular, far out
  test::assign(b.vy(), {0, 0.1, 0});  // at its apocentre: comes as near as about 0.005
  const auto pair = closest_pair(b, {});
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first_id, 5U);
  EXPECT_EQ(pair->second_id, 6U);
  EXPECT_TRUE(pair->at_pericentre);
  // p = L^2/GM = 0.01, e = 1 - p to first order at the apocentre: p/(1+e) = 0.01/1.99
  EXPECT_NEAR(pair->distance, 0.01 / 1.99, 1e-6);
}

TEST(ClosestPair, needs_two_bodies_that_act_on_each_other) {
  EXPECT_FALSE(closest_pair(Bodies(0), {}));
  EXPECT_FALSE(closest_pair(Bodies(1), {}));
  EXPECT_FALSE(closest_pair(Bodies(100), {}));  // without mass
  Bodies charges(3, true);
  charges.mass = {1, 1, 1}, charges.charge = {0, 0, 1};
  test::assign(charges.x(), {0, 1e-9, 1});
  EXPECT_FALSE(closest_pair(charges, {.law = Law::coulomb}));  // the only charge is alone
}

TEST(ClosestPair, charges_of_both_signs_count_by_their_strength) {
  Bodies b(4, true);
  b.mass = {1, 1, 1, 1}, b.charge = {1, -1, 1, 1};
  test::assign(b.x(), {0, 0.1, 5, 5.2});
  const auto pair = closest_pair(b, {.law = Law::coulomb});
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->second_id, 1U);
  EXPECT_TRUE(pair->bound);  // opposite charges
  test::assign(b.x(), {0, 0.3, 5, 5.1});
  EXPECT_FALSE(closest_pair(b, {.law = Law::coulomb})->bound);  // like ones part
}

TEST(ClosestPair, at_one_place_has_no_time_unless_softened) {
  Bodies b(2);
  b.mass = {1, 1};
  EXPECT_EQ(closest_pair(b, {})->time(), 0);
  EXPECT_GT(closest_pair(b, {.softening = 0.1})->time(), 0);
}

EnergyLoss loss() {
  return {.error = 0.69,
          .step = 40,
          .time = 4,
          .time_step = 0.1,
          .integrator = "leapfrog",
          .pair = ClosePair{.first_id = 12,
                            .second_id = 87,
                            .distance = 2e-3,
                            .bound = true,
                            .orbital_time = 0.012,
                            .crossing_time = std::numeric_limits<double>::infinity(),
                            .pull = 2e-3},
          .size = 1,
          .precision = "f32"};
}

TEST(EnergyCauses, a_long_step_is_told_with_the_pair_and_with_values_for_both_keys) {
  const std::string text = sentence(loss());
  EXPECT_THAT(text, HasSubstr("energy error 0.69 at step 40 (t = 4), above 0.01"));
  EXPECT_THAT(text, HasSubstr("time.step = 0.1 is 8.3 times the shortest orbital time, 0.012"));
  EXPECT_THAT(text, HasSubstr("bodies 12 and 87 at a distance of 0.002"));
  EXPECT_THAT(text, HasSubstr("force.softening = 0;"));
  EXPECT_THAT(text, HasSubstr("try time.step = 0.0002 or force.softening = 0.2"));
}

TEST(EnergyCauses, a_softening_as_large_as_the_system_is_not_offered) {
  EnergyLoss few = loss();
  few.pair->pull = 1;  // two heavy bodies
  EXPECT_THAT(sentence(few), HasSubstr("try time.step = 0.0002"));
  EXPECT_THAT(sentence(few), Not(HasSubstr("or force.softening")));
}

TEST(EnergyCauses, bodies_at_one_place_need_softening_and_no_step_is_named) {
  EnergyLoss merged = loss();
  merged.pair->distance = merged.pair->orbital_time = 0;
  EXPECT_THAT(sentence(merged), HasSubstr("bodies 12 and 87 shared one place"));
  EXPECT_THAT(sentence(merged), HasSubstr("try force.softening = 0.2"));
  EXPECT_THAT(sentence(merged), Not(HasSubstr("inf")));
}

TEST(EnergyCauses, an_integrator_of_first_order_comes_first) {
  EnergyLoss drift = loss();
  drift.integrator = "euler", drift.order = 1, drift.pair.reset();
  EXPECT_THAT(sentence(drift), HasSubstr("time.integrator = euler is of order 1"));
  EXPECT_THAT(sentence(drift), HasSubstr("try time.integrator = leapfrog"));
}

TEST(EnergyCauses, without_a_cause_in_sight_there_is_still_something_to_try) {
  EnergyLoss odd = loss();
  odd.pair->orbital_time = 1000, odd.force_error = 0.02;
  EXPECT_THAT(sentence(odd), HasSubstr("is short enough for the closest pair now"));
  EXPECT_THAT(sentence(odd), HasSubstr("force errors reach 2.0e-02"));
  odd.pair.reset(), odd.error = std::numeric_limits<double>::infinity();
  EXPECT_THAT(sentence(odd), HasSubstr("the energy was 0 and is not any more"));
  EXPECT_THAT(sentence(odd), Not(HasSubstr("inf")));
}

}  // namespace
}  // namespace apsis

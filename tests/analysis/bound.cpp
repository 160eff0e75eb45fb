// SPDX-License-Identifier: MIT
#include "analysis/scenes.hpp"
#include <apsis/analysis/bound.hpp>
#include <apsis/solvers/reference.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace apsis::analysis {
namespace {

// All pairs in double, with G = 1.
std::vector<double> potentials(const Bodies& bodies) {
  std::vector<double> sums(bodies.size());
  BodiesView<Host<double>> view{bodies.size(), bodies.x().data(), bodies.y().data(),
                                bodies.z().data(), bodies.mass.data()};
  ReferenceSolver(1e-3).add_self_field(view, {.potential = sums.data()});
  for (double& value : sums) value = -value;
  return sums;
}

TEST(BoundPart, of_a_plummer_sphere_is_all_of_it_in_equilibrium) {
  const Bodies bodies = test::moved(test::model("plummer", 3000), {3, 4, 5}, {10, 0, -3});
  const BoundPart part = bound_part(bodies, potentials);
  EXPECT_EQ(part.bodies, 3000U);
  EXPECT_NEAR(part.mass, 1, 1e-12);
  EXPECT_NEAR(part.velocity.x, 10, 1e-12);
  // Hénon's units: the energy is -1/4; a sample of N scatters by about 1/√N
  EXPECT_NEAR(part.kinetic + part.potential, -0.25, 0.02);
  EXPECT_NEAR(part.kinetic, 0.25, 0.02);
}

TEST(BoundPart, leaves_out_what_flies_through_and_what_only_that_would_hold) {
  Bodies bodies = test::model("plummer", 1000);
  Bodies fast = test::moved(test::model("plummer", 200), {0.5, 0, 0}, {30, 0, 0});
  for (double& mass : fast.mass) mass *= 0.01;
  bodies.append(fast);
  bodies.renumber();
  const BoundPart part = bound_part(bodies, potentials);
  EXPECT_EQ(part.bodies, 1000U);
  for (std::size_t i = 0; i < bodies.size(); ++i) EXPECT_EQ(part.is_bound[i], i < 1000) << i;
  EXPECT_GE(part.rounds, 2);
}

TEST(BoundPart, a_runaway_that_carries_the_centre_of_mass_away_takes_nobody_along) {
  Bodies bodies = test::model("plummer", 1000);
  Bodies runaway(1);
  runaway.mass = {1e-3}, runaway.id = {1000};
  runaway.set_position(0, {1e12, 0, 0}), runaway.set_velocity(0, {1e6, 0, 0});
  bodies.append(runaway);
  const BoundPart part = bound_part(bodies, potentials);
  EXPECT_EQ(part.bodies, 1000U);
  EXPECT_EQ(part.is_bound.back(), 0);
  EXPECT_NEAR(part.velocity.x, 0, 1e-12);
}

TEST(BoundPart, of_a_disrupted_system_is_nobody) {
  Bodies bodies = test::scattered(50, 1);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.mass[i] = 1e-6, bodies.set_velocity(i, bodies.position(i) - Vec3{0.5, 0.5, 0.5});
  }
  const BoundPart part = bound_part(bodies, potentials);
  EXPECT_EQ(part.bodies, 0U);
  EXPECT_EQ(part.mass, 0);
  EXPECT_EQ(part.kinetic, 0);
}

TEST(BoundPart, of_none_and_of_one_is_nobody_and_of_a_pair_both) {
  EXPECT_EQ(bound_part(Bodies(0), potentials).bodies, 0U);
  Bodies one(1);
  one.mass = {1};
  EXPECT_EQ(bound_part(one, potentials).bodies, 0U);
  Bodies pair(2);
  pair.mass = {1, 1};
  pair.set_position(1, {1, 0, 0});
  EXPECT_EQ(bound_part(pair, potentials).bodies, 2U);
}

}  // namespace
}  // namespace apsis::analysis

// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/render/between.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/columns.hpp>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

// One body on the unit circle with angular speed 1.
Bodies on_circle(double angle) {
  Bodies body(1);
  body.set_position(0, {std::cos(angle), std::sin(angle), 0});
  body.set_velocity(0, {-std::sin(angle), std::cos(angle), 0});
  return body;
}

TEST(Between, ends_are_the_states_themselves) {
  const Bodies from = test::random_bodies(100, 1), to = test::random_bodies(100, 2);
  const Bodies first = between(from, to, 0.5, 0, 1), last = between(from, to, 0.5, 1, 1);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(first.position(i), from.position(i));
    // x0 + (x1 - x0) rounds
    EXPECT_LT(norm(last.position(i) - to.position(i)), 1e-15);
  }
}

TEST(Between, a_circle_stays_round) {
  for (const double angle : {0.1, 0.5, 1.0}) {
    const Bodies middle = between(on_circle(0), on_circle(angle), angle, 0.5, 1);
    // error of a cubic Hermite interpolant: φ⁴/384
    EXPECT_NEAR(norm(middle.position(0)), 1, std::pow(angle, 4) / 384 * 1.1) << angle;
    EXPECT_NEAR(middle.position(0).y / middle.position(0).x, std::tan(angle / 2), 1e-12);
  }
}

TEST(Between, more_than_half_a_turn_is_never_thrown_outwards) {
  for (double angle = 2.2; angle < 12; angle += 0.1) {
    for (const double share : {0.2, 0.5, 0.8}) {
      const Bodies middle = between(on_circle(0), on_circle(angle), angle, share, 1);
      // the chord lies inside the circle; a third of a turn, still trusted, bulges by 5 %
      EXPECT_LT(norm(middle.position(0)), 1.06) << angle;
    }
  }
}

TEST(Between, bodies_at_rest_stay) {
  const Bodies still(3);
  EXPECT_EQ(between(still, still, 1, 0.3, 1), still);
  EXPECT_EQ(unresolved_paths(still, still, 1, 1), 0U);
}

TEST(Between, unresolved_paths_are_counted) {
  Bodies from = on_circle(0), to = on_circle(3.1);
  EXPECT_EQ(unresolved_paths(from, to, 3.1, 1), 1U);
  EXPECT_EQ(unresolved_paths(from, on_circle(0.5), 0.5, 1), 0U);
}

TEST(Between, no_bodies_are_no_problem) {
  EXPECT_EQ(between(Bodies(), Bodies(), 1, 0.5, 1).size(), 0U);
  EXPECT_EQ(in_order_of(Bodies(), Bodies()).size(), 0U);
}

TEST(InOrderOf, bodies_are_matched_by_id) {
  const Bodies like = test::bodies_with_everything(50);
  std::vector<std::size_t> backwards = test::numbers_below(50);
  std::ranges::reverse(backwards);
  const Bodies shuffled = picked(like, backwards);
  ASSERT_NE(shuffled.id, like.id);
  EXPECT_EQ(in_order_of(like, shuffled), like);
}

TEST(InOrderOf, other_bodies_are_refused) {
  Bodies other(3);
  other.id = {0, 1, 7};
  EXPECT_THROW(in_order_of(Bodies(3), other), Error);
  EXPECT_THROW(in_order_of(Bodies(3), Bodies(4)), Error);
}

}  // namespace
}  // namespace apsis

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

TEST(InOrderOf, bodies_may_be_gone) {
  const Bodies like = test::bodies_with_everything(50);
  const std::vector<std::size_t> left{3, 4, 17, 49}, mixed{17, 3, 49, 4};
  EXPECT_EQ(in_order_of(like, picked(like, mixed)), picked(like, left));
  Bodies ids;  // all that is needed of them
  ids.id = like.id;
  EXPECT_EQ(in_order_of(ids, picked(like, mixed)), picked(like, left));
}

// Three bodies that go along x, of which the second merges into the first half way.
struct Merger {
  Bodies from{3}, to;
  std::vector<Departure> departures{{.id = 1, .share = 0.5, .place = {1, 1, 0}, .into = 0}};

  Merger() {
    from.mass = {3, 1, 1}, from.radius = {0.3, 0.1, 0.1};
    for (std::size_t i = 0; i < 3; ++i) {
      from.set_position(i, {0, static_cast<double>(i), 0});
      from.set_velocity(i, {2, 0, 0});
    }
    to = from;
    for (std::size_t i = 0; i < 3; ++i) to.set_position(i, to.position(i) + Vec3{2, 0, 0});
    to.remove(std::vector<std::size_t>{1});
    to.mass[0] = 4, to.radius[0] = std::cbrt(0.028);
  }
};

TEST(Between, a_body_is_there_until_it_leaves_and_then_in_the_one_that_took_it_in) {
  const Merger merger;
  const auto at = [&](double share) {
    return between(merger.from, merger.to, 1, share, 1, merger.departures);
  };
  const Bodies before = at(0.4), after = at(0.6);
  ASSERT_EQ(before.size(), 3U);
  EXPECT_LT(norm(before.position(1) - Vec3{0.8, 1, 0}), 1e-12);
  EXPECT_EQ(before.mass[0], 3);
  ASSERT_EQ(after.size(), 2U);
  EXPECT_EQ(after.id, merger.to.id);
  EXPECT_EQ(after.mass[0], 4);
  EXPECT_NEAR(after.radius[0], merger.to.radius[0], 1e-15);
  EXPECT_LT(norm(after.position(1) - Vec3{1.2, 2, 0}), 1e-12);
  EXPECT_EQ(at(0).positions, merger.from.positions);
  EXPECT_EQ(at(1), merger.to);
}

TEST(Between, a_body_that_leaves_ends_at_its_place_whatever_its_velocity_is) {
  Merger merger;
  for (const Vec3 velocity : {Vec3{2, 0, 0}, Vec3{-9, 4, 0}, Vec3{}}) {
    merger.from.set_velocity(1, velocity);
    const Bodies last = between(merger.from, merger.to, 1, 0.5 - 1e-9, 1, merger.departures);
    ASSERT_EQ(last.size(), 3U);
    EXPECT_LT(norm(last.position(1) - Vec3{1, 1, 0}), 1e-7);
  }
}

TEST(Between, without_a_known_departure_a_body_goes_straight_on_until_the_end) {
  const Merger merger;
  const Bodies late = between(merger.from, merger.to, 1, 0.99, 1);
  ASSERT_EQ(late.size(), 3U);
  EXPECT_LT(norm(late.position(1) - Vec3{1.98, 1, 0}), 1e-12);
  EXPECT_EQ(between(merger.from, merger.to, 1, 1, 1).size(), 2U);
}

TEST(Between, chains_of_mergers_add_up) {
  Merger merger;
  merger.departures = {{.id = 2, .share = 0.3, .place = {}, .into = 1},
                       {.id = 1, .share = 0.6, .place = {}, .into = 0}};
  merger.to.remove(std::vector<std::size_t>{1});
  const auto at = [&](double share) {
    return between(merger.from, merger.to, 1, share, 1, merger.departures);
  };
  EXPECT_EQ(at(0.5).mass, (std::vector<double>{3, 2}));
  EXPECT_EQ(at(0.7).mass, (std::vector<double>{5}));
}

TEST(Between, unresolved_paths_are_those_of_bodies_that_stay) {
  const Merger merger;
  EXPECT_EQ(unresolved_paths(merger.from, merger.to, 1, 1), 0U);
}

}  // namespace
}  // namespace apsis

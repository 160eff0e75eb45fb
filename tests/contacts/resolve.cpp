// SPDX-License-Identifier: MIT
// What becomes of spheres that touch: textbook collisions, chains of them, mergers, walls.
#include "spheres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace apsis {
namespace {

using test::problem;
using test::sphere;

// A dozen roundings of numbers about 1.
constexpr double rounding = 1e-14;

void expect_near(Vec3 got, Vec3 expected, double tolerance = rounding) {
  EXPECT_LE(norm(got - expected), tolerance)
      << got.x << " " << got.y << " " << got.z << " instead of " << expected.x << " " << expected.y
      << " " << expected.z;
}

TEST(Bounce, head_on_has_the_speeds_of_the_textbook_for_every_restitution) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const double ma = 2, mb = 3, ua = 1.5, ub = -0.5;
    const auto out = resolve(
        problem({sphere(0, {0, 0, 0}, {ua, 0, 0}, ma), sphere(1, {2, 0, 0}, {ub, 0, 0}, mb)}, 1,
                {.restitution = e}));
    const double mean = (ma * ua + mb * ub) / (ma + mb);
    EXPECT_NEAR(out.spheres[0].velocity.x, mean + e * mb * (ub - ua) / (ma + mb), rounding) << e;
    EXPECT_NEAR(out.spheres[1].velocity.x, mean + e * ma * (ua - ub) / (ma + mb), rounding) << e;
    ASSERT_EQ(out.contacts.size(), 1U);
    EXPECT_NEAR(out.contacts[0].time, 0.5, rounding);  // a gap of 1 at a speed of 2
    EXPECT_NEAR(out.contacts[0].approach, 2, rounding);
    const double lost = 0.5 * (ma * mb / (ma + mb)) * (1 - e * e) * 4;
    EXPECT_NEAR(out.contacts[0].kinetic_lost, lost, rounding);
    EXPECT_NEAR(out.contacts[0].kinetic_before - out.contacts[0].kinetic_after, lost, rounding);
    // where they are: half a unit of time on their new ways from where they touched
    EXPECT_NEAR(out.spheres[0].place.x, 0.5 * ua + 0.5 * out.spheres[0].velocity.x, rounding);
    EXPECT_NEAR(out.spheres[1].place.x, 2 + 0.5 * ub + 0.5 * out.spheres[1].velocity.x, rounding);
  }
}

// The part along the line of centres is turned, the other stays. At contact the line has the sine
// b/(2R) for an impact parameter b.
TEST(Bounce, oblique_turns_the_part_along_the_line_of_centres_alone) {
  const double b = 0.6;  // radii of 0.5
  for (const double e : {0.0, 0.5, 1.0}) {
    const auto out = resolve(problem(
        {sphere(0, {0, 0, 0}, {1, 0, 0}), sphere(1, {3, b, 0}, {0, 0, 0})}, 5, {.restitution = e}));
    const Vec3 normal{std::sqrt(1 - b * b), b, 0}, tangent{-b, std::sqrt(1 - b * b), 0};
    const double along = normal.x, across = tangent.x;
    expect_near(out.spheres[0].velocity, (0.5 * (1 - e) * along) * normal + across * tangent);
    expect_near(out.spheres[1].velocity, (0.5 * (1 + e) * along) * normal);
  }
}

TEST(Bounce, a_grazing_path_does_not_touch_and_a_hair_less_does) {
  const auto at = [](double b) {
    return resolve(problem({sphere(0, {0, 0, 0}, {1, 0, 0}), sphere(1, {3, b, 0}, {})}, 5, {}));
  };
  EXPECT_TRUE(at(1 + 1e-9).contacts.empty());
  EXPECT_EQ(at(1 - 1e-9).contacts.size(), 1U);
}

TEST(Bounce, bodies_without_mass_give_way_and_two_of_them_share) {
  const auto light =
      resolve(problem({sphere(0, {0, 0, 0}, {1, 0, 0}, 0), sphere(1, {2, 0, 0}, {}, 5)}, 2, {}));
  expect_near(light.spheres[0].velocity, {-1, 0, 0});
  expect_near(light.spheres[1].velocity, {});
  const auto both =
      resolve(problem({sphere(0, {0, 0, 0}, {1, 0, 0}, 0), sphere(1, {2, 0, 0}, {}, 0)}, 2, {}));
  expect_near(both.spheres[0].velocity, {});
  expect_near(both.spheres[1].velocity, {1, 0, 0});
}

std::vector<MovingSphere> cradle(int n, double gap) {
  std::vector<MovingSphere> balls{sphere(0, {-3, 0, 0}, {1, 0, 0})};
  for (int k = 1; k < n; ++k) {
    balls.push_back(sphere(static_cast<std::uint64_t>(k), {k * (1 + gap), 0, 0}, {}));
  }
  return balls;
}

TEST(Bounce, of_newtons_cradle_the_last_one_leaves_with_the_speed_of_the_first) {
  for (const double gap : {0.0, 1e-12, 1e-3, 0.1}) {
    const auto out = resolve(problem(cradle(5, gap), 10, {}));
    expect_near(out.spheres[4].velocity, {1, 0, 0}, 1e-6);
    for (int k = 0; k < 4; ++k) expect_near(out.spheres[k].velocity, {}, 1e-6);
    EXPECT_EQ(out.contacts.size(), 4U) << gap;
  }
}

// Two come from the two sides at the same time: what comes from the left goes back to the left.
TEST(Bounce, of_a_body_that_is_hit_from_both_sides_is_symmetric_where_energy_is_kept) {
  const auto out = resolve(problem({sphere(0, {-2, 0, 0}, {1, 0, 0}), sphere(1, {0, 0, 0}, {}),
                                    sphere(2, {2, 0, 0}, {-1, 0, 0})},
                                   3, {}));
  expect_near(out.spheres[0].velocity, {-1, 0, 0});
  expect_near(out.spheres[1].velocity, {});
  expect_near(out.spheres[2].velocity, {1, 0, 0});
}

// A ball between two others at 60 degrees, both touched in the same moment: momentum and energy.
TEST(Bounce, of_three_at_once_keeps_momentum_and_energy) {
  std::vector<MovingSphere> balls{sphere(0, {-3, 0, 0}, {1, 0, 0}), sphere(1, {0, 0.5, 0}, {}),
                                  sphere(2, {0, -0.5, 0}, {})};
  const auto out = resolve(problem(balls, 6, {}));
  expect_near(test::momentum(out.spheres), test::momentum(balls));
  EXPECT_NEAR(test::kinetic_energy(out.spheres), test::kinetic_energy(balls), rounding);
  EXPECT_GT(out.spheres[1].velocity.x, 0.3) << "both are pushed";
  EXPECT_GT(out.spheres[2].velocity.x, 0.3);
}

TEST(Bounce, order_of_input_does_not_matter) {
  auto balls = test::gas(40, 0.15, 1, 3);
  const auto forwards = resolve(problem(balls, 2, {.restitution = 0.8}));
  std::ranges::reverse(balls);
  auto backwards = resolve(problem(balls, 2, {.restitution = 0.8}));
  std::ranges::reverse(backwards.spheres);
  EXPECT_GT(forwards.contacts.size(), 10U);
  EXPECT_EQ(forwards.contacts, backwards.contacts);
  for (std::size_t k = 0; k < balls.size(); ++k) {
    EXPECT_EQ(forwards.spheres[k].place, backwards.spheres[k].place);
    EXPECT_EQ(forwards.spheres[k].velocity, backwards.spheres[k].velocity);
  }
}

TEST(Bounce, nobody_overlaps_afterwards_and_momentum_is_kept) {
  for (const double e : {0.0, 0.3, 1.0}) {
    const auto balls = test::gas(60, 0.15, 2, 7);
    const auto out = resolve(problem(balls, 0.5, {.restitution = e}));
    EXPECT_LE(test::worst_overlap(out.spheres), 1e-12) << e;
    expect_near(test::momentum(out.spheres), test::momentum(balls), 1e-13);
    double lost = 0;
    for (const Contact& contact : out.contacts) lost += contact.kinetic_lost;
    EXPECT_NEAR(test::kinetic_energy(out.spheres) + lost, test::kinetic_energy(balls), 1e-12) << e;
  }
}

// Three in a row with e = 0: the inner one would be hit for ever.
TEST(Bounce, that_would_never_end_ends_side_by_side) {
  const auto out =
      resolve(problem({sphere(0, {-2, 0, 0}, {1, 0, 0}), sphere(1, {0, 0, 0}, {}),
                       sphere(2, {1.5, 0, 0}, {-1, 0, 0}), sphere(3, {-3.2, 0.1, 0}, {1.5, 0, 0})},
                      4, {.restitution = 0.05}));
  EXPECT_LE(test::worst_overlap(out.spheres), 1e-12);
  expect_near(test::momentum(out.spheres), {1.5, 0, 0});
}

TEST(Merge, keeps_mass_momentum_centre_volume_and_charge) {
  auto a = sphere(4, {0, 0, 0}, {1, 0.2, 0}, 2, 0.5),
       b = sphere(9, {1.5, 0.3, 0}, {-1, 0, 0}, 3, 0.7);
  a.charge = 2, b.charge = -0.5;
  const auto out = resolve(problem({a, b}, 1, {.on = OnContact::merge}));
  ASSERT_EQ(out.contacts.size(), 1U);
  EXPECT_TRUE(out.gone[0]) << "the heavier one is left";
  EXPECT_FALSE(out.gone[1]);
  const MovingSphere& left = out.spheres[1];
  EXPECT_EQ(left.id, 9U);
  EXPECT_EQ(left.mass, 5);
  EXPECT_EQ(left.charge, 1.5);
  EXPECT_NEAR(std::pow(left.radius, 3), std::pow(0.5, 3) + std::pow(0.7, 3), rounding);
  expect_near(left.velocity, (2 * a.velocity + 3 * b.velocity) / 5);
  expect_near(left.place, (2 * a.at(1) + 3 * b.at(1)) / 5);
  const double reduced = 6.0 / 5, speed2 = dot(a.velocity - b.velocity, a.velocity - b.velocity);
  EXPECT_NEAR(out.contacts[0].kinetic_lost, 0.5 * reduced * speed2, rounding);
  EXPECT_EQ(out.contacts[0].a, 9U);
  EXPECT_EQ(out.contacts[0].b, 4U);
}

TEST(Merge, of_equal_masses_leaves_the_smaller_id) {
  const auto out = resolve(problem({sphere(9, {0, 0, 0}, {1, 0, 0}), sphere(4, {1.5, 0, 0}, {})}, 2,
                                   {.on = OnContact::merge}));
  EXPECT_TRUE(out.gone[0]);
  EXPECT_EQ(out.spheres[1].id, 4U);
}

TEST(Merge, turns_angular_momentum_into_spin_where_bodies_have_some_and_accounts_for_it_otherwise) {
  const auto a = sphere(0, {0, 0, 0}, {1, 0, 0}, 2), b = sphere(1, {3, 0.6, 0}, {}, 1);
  auto with_spin = problem({a, b}, 4, {.on = OnContact::merge});
  with_spin.keeps_spin = true;
  with_spin.spheres[1].spin = {0, 0.25, 0};
  const auto spinning = resolve(with_spin);
  const auto plain = resolve(problem({a, b}, 4, {.on = OnContact::merge}));
  // about the centre of mass: reduced mass, impact parameter, speed; x × y with b above a
  const Vec3 about_centre{0, 0, 2.0 / 3 * 0.6 * 1};
  expect_near(spinning.spheres[0].spin, about_centre + Vec3{0, 0.25, 0});
  expect_near(spinning.contacts[0].angular_momentum_lost, {});
  expect_near(plain.contacts[0].angular_momentum_lost, about_centre);
}

// Each merger makes the body larger, so that it touches the next one at once.
TEST(Merge, goes_on_through_a_clump_in_one_step) {
  std::vector<MovingSphere> clump{sphere(0, {-3, 0, 0}, {1, 0, 0}, 8, 0.5)};
  for (std::uint64_t k = 1; k < 8; ++k) {
    clump.push_back(sphere(k, {1.001 * static_cast<double>(k), 0, 0}, {}, 1, 0.5));
  }
  const auto out = resolve(problem(clump, 12, {.on = OnContact::merge}));
  EXPECT_EQ(out.contacts.size(), 7U);
  EXPECT_EQ(out.spheres[0].mass, 15);
  expect_near(out.spheres[0].velocity, {8.0 / 15, 0, 0});
}

TEST(Merge, takes_overlapping_bodies_together_whether_they_approach_or_not) {
  const auto out =
      resolve(problem({sphere(0, {0, 0, 0}, {-1, 0, 0}), sphere(1, {0.5, 0, 0}, {1, 0, 0})}, 1,
                      {.on = OnContact::merge}));
  EXPECT_EQ(out.contacts.size(), 1U);
  const auto bounced = resolve(
      problem({sphere(0, {0, 0, 0}, {-1, 0, 0}), sphere(1, {0.5, 0, 0}, {1, 0, 0})}, 1, {}));
  EXPECT_TRUE(bounced.contacts.empty()) << "hard spheres that separate are left alone";
}

TEST(Stop, finds_the_first_contact_and_changes_nothing) {
  const auto balls = cradle(3, 0.1);
  const auto out = resolve(problem(balls, 10, {.on = OnContact::stop}));
  ASSERT_EQ(out.contacts.size(), 1U);
  EXPECT_EQ(out.contacts[0].a, 0U);
  EXPECT_EQ(out.contacts[0].b, 1U);
  EXPECT_NEAR(out.contacts[0].time, 3.1, rounding);
  EXPECT_THAT(out.changed, testing::Each(false));
}

TEST(Walls, reflect_at_the_surface_of_a_body_and_keep_its_speed) {
  const ContactRule box{.walls = Box{-2, 2, -2, 2, -2, 2}};
  const auto out = resolve(problem({sphere(0, {0, 0, 0}, {1, 0.25, 0})}, 4, box));
  // 1.5 to the right, and back: at 4 it is at 1.5 - 2.5
  expect_near(out.spheres[0].place, {-1, 1, 0});
  expect_near(out.spheres[0].velocity, {-1, 0.25, 0});
  EXPECT_EQ(out.wall_hits, 1U);
  EXPECT_TRUE(out.contacts.empty());
}

TEST(Walls, and_other_bodies_take_turns) {
  // the first is thrown back by the wall and meets the second on its way
  const ContactRule box{.walls = Box{-2, 2, -2, 2, -2, 2}};
  const auto out =
      resolve(problem({sphere(0, {1, 0, 0}, {1, 0, 0}), sphere(1, {-0.5, 0, 0}, {})}, 2.2, box));
  ASSERT_EQ(out.contacts.size(), 1U);
  EXPECT_NEAR(out.contacts[0].time, 1.5, rounding);  // 0.5 to the wall, 1 back
  expect_near(out.spheres[0].velocity, {});
  expect_near(out.spheres[1].velocity, {-1, 0, 0});
}

// Every one of these would hit walls for ever.
TEST(Walls, end_a_step_also_for_those_that_have_no_room_or_no_rest) {
  const Box narrow{-1, 1, -1, 1, -0.1, 0.1};
  // a merger that is wider than the box
  const auto merged = resolve(problem({sphere(0, {-0.5, 0, 0}, {1, 0, 0.01}, 1, 0.09),
                                       sphere(1, {0.5, 0, 0}, {-1, 0, 0.01}, 1, 0.09)},
                                      2, {.on = OnContact::merge, .walls = narrow}));
  EXPECT_EQ(merged.contacts.size(), 1U);
  EXPECT_EQ(merged.spheres[0].place.z, 0);
  EXPECT_GT(merged.held, 0U);
  // one that crosses the box a thousand million times
  const auto fast = resolve(problem({sphere(0, {}, {0, 0, 1e12}, 1, 0.01)}, 1, {.walls = narrow}));
  EXPECT_LE(std::abs(fast.spheres[0].place.z), 0.09 + rounding);
  EXPECT_EQ(std::abs(fast.spheres[0].velocity.z), 1e12);
  // a light one between a wall and a heavy one that comes nearer
  for (const double light : {0.0, 1e-12}) {
    const auto between = resolve(problem(
        {sphere(0, {0, 0, 0.05}, {}, light, 0.01), sphere(1, {0, 0, -0.03}, {0, 0, 1}, 1, 0.05)}, 1,
        {.walls = narrow}));
    for (const MovingSphere& s : between.spheres) {
      EXPECT_LE(std::abs(s.place.z), 0.1 - s.radius + rounding) << light;
    }
  }
  // numbers that went bad are left for the run to see
  const double infinite = std::numeric_limits<double>::infinity();
  const auto bad =
      resolve(problem({sphere(0, {}, {0, 0, infinite}, 1, 0.01)}, 1, {.walls = narrow}));
  EXPECT_FALSE(std::isfinite(bad.spheres[0].place.z));
}

}  // namespace
}  // namespace apsis

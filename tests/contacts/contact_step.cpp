// SPDX-License-Identifier: MIT
// The contacts of a step with a search: the same as if everybody had been compared with everybody
// all the time.
#include "spheres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace apsis {
namespace {

using test::Columns;
using test::sphere;

ContactSource source_of(const std::vector<MovingSphere>& spheres, const Columns& columns,
                        ContactFinder& finder, const ContactRule& rule) {
  finder.look_at(columns.paths());
  ContactSource source;
  source.candidates = [&finder] { return finder.candidates(); };
  source.near = [&finder](std::span<const Stray> strayed) { return finder.near(strayed); };
  if (rule.walls) {
    source.beyond_walls = [&columns, rule] { return beyond_walls(columns.paths(), *rule.walls); };
  }
  source.spheres = [&spheres](std::span<const std::uint32_t> numbers) {
    std::vector<MovingSphere> out;
    for (const std::uint32_t i : numbers) out.push_back(spheres[i]);
    return out;
  };
  return source;
}

void expect_same_as_with_all_pairs(const std::vector<MovingSphere>& spheres, double duration,
                                   const ContactRule& rule, std::size_t at_least) {
  const ContactOutcome expected = resolve(test::problem(spheres, duration, rule));
  ASSERT_GE(expected.contacts.size(), at_least);
  const Columns columns(spheres, duration);
  for (const ContactSearch how :
       {ContactSearch::direct, ContactSearch::grid, ContactSearch::tree}) {
    ContactFinder finder(how, 2);
    ContactSource source = source_of(spheres, columns, finder, rule);
    source.threads = how == ContactSearch::tree ? 3 : 1;
    const auto changes = contacts_of_step(source, duration, rule, false);
    EXPECT_EQ(changes.contacts, expected.contacts) << name_of(how);
    for (std::size_t k = 0; k < changes.numbers.size(); ++k) {
      const std::size_t i = changes.numbers[k];
      EXPECT_EQ(expected.gone[i], std::ranges::count(changes.gone, changes.numbers[k]) == 1);
      if (expected.gone[i]) continue;
      EXPECT_EQ(changes.spheres[k].place, expected.spheres[i].place) << name_of(how);
      EXPECT_EQ(changes.spheres[k].velocity, expected.spheres[i].velocity) << name_of(how);
    }
    for (std::uint32_t i = 0; i < spheres.size(); ++i) {
      if (!expected.changed[i]) continue;
      EXPECT_EQ(std::ranges::count(changes.numbers, i), 1) << name_of(how) << " body " << i;
    }
    EXPECT_EQ(changes.wall_hits, expected.wall_hits) << name_of(how);
  }
}

TEST(ContactStep, finds_the_bodies_that_only_a_turned_path_leads_to) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto spheres = test::gas(200, 0.08, 3, seed);
    for (const double e : {0.2, 1.0}) {
      expect_same_as_with_all_pairs(spheres, 0.2, {.restitution = e}, 80);
    }
    expect_same_as_with_all_pairs(spheres, 0.2, {.on = OnContact::merge}, 40);
    expect_same_as_with_all_pairs(spheres, 0.3, {.walls = Box{-1.2, 1.2, -1.2, 1.2, -1.2, 1.2}},
                                  100);
  }
}

// One that ends at a wall to the bit is turned whether or not somebody else is beside it.
TEST(ContactStep, turns_whoever_ends_at_a_wall) {
  const ContactRule rule{.walls = Box{-1, 1, -1, 1, -1, 1}};
  std::vector<MovingSphere> some{sphere(1, {0.5, 0, 0}, {1, 0, 0}, 0, 0.25),
                                 sphere(2, {-0.5, 0, 0}, {}, 0, 0.0625)};
  expect_same_as_with_all_pairs(some, 0.25, rule, 0);
  some.push_back(sphere(3, {0.5, 0.3125005, 0}, {1, 0, 0}, 0, 0.0625));
  expect_same_as_with_all_pairs(some, 0.25, rule, 0);
}

// Every ball hits the next one, and none but the first two touch on the straight paths.
TEST(ContactStep, follows_a_chain_of_fifty_to_its_end) {
  std::vector<MovingSphere> chain{sphere(0, {-3, 0, 0}, {1, 0, 0})};
  for (std::uint64_t k = 1; k < 50; ++k) {
    chain.push_back(sphere(k, {1.01 * static_cast<double>(k), 0, 0}, {}));
  }
  expect_same_as_with_all_pairs(chain, 60, {}, 49);
}

// A bullet a thousand times as fast as its own size a step, through a wall of spheres without gaps.
TEST(ContactStep, a_bullet_never_passes_a_wall_whatever_the_step) {
  std::vector<MovingSphere> wall;
  for (int y = -5; y <= 5; ++y) {
    for (int z = -5; z <= 5; ++z) {
      wall.push_back(sphere(wall.size(), {10, 0.9 * y, 0.9 * z}, {}, 100, 0.5));
    }
  }
  const double speed = 100;
  for (int k = 0; k < 30; ++k) {
    const double step = 7e-3 * std::pow(1.3, k);  // up to 14 units of time, 1400 lengths
    auto scene = wall;
    // not yet in contact where the step begins, and beyond the wall where it would end
    const Vec3 start{10 - std::max(0.6, 0.7 * speed * step), 0.3, 0.2};
    scene.push_back(sphere(wall.size(), start, {speed, 0, 0}, 0.01, 0.01));
    const Columns columns(scene, step);
    ContactFinder finder(ContactSearch::tree, 1);
    const auto changes = contacts_of_step(source_of(scene, columns, finder, {}), step, {}, false);
    const Vec3 end = scene.back().at(step);
    const bool crosses = start.x < 10 && end.x > 10;
    EXPECT_TRUE(crosses);
    ASSERT_FALSE(changes.contacts.empty()) << step;
    EXPECT_LT(changes.spheres.back().place.x, 10) << step;
    EXPECT_LT(changes.spheres.back().velocity.x, 0) << step;
  }
}

// Clumps out of each other's reach, their bodies one after the other in the list: cradles on a
// grid, which all meet at the very same times, and bits of gas.
std::vector<MovingSphere> far_clumps() {
  constexpr std::size_t clumps = 40, balls = 10;
  const auto gas = test::gas(balls, 0.3, 3, 5);
  std::vector<MovingSphere> all;
  for (std::size_t k = 0; k < balls; ++k) {
    for (std::size_t c = 0; c < clumps; ++c) {
      const auto y = 64 * static_cast<double>(c);
      MovingSphere ball =
          sphere(0, {1.25 * static_cast<double>(k), y, 0}, k == 0 ? Vec3{4, 0, 0} : Vec3{});
      ball.id = all.size(), all.push_back(ball);
      ball = gas[k], ball.id = all.size();
      ball.place += Vec3{32, y, 0.1 * static_cast<double>(c)};
      all.push_back(ball);
    }
  }
  return all;
}

TEST(ContactStep, parts_side_by_side_make_what_one_problem_makes) {
  const auto spheres = far_clumps();
  expect_same_as_with_all_pairs(spheres, 3, {}, 450);
  expect_same_as_with_all_pairs(spheres, 3, {.restitution = 0.5}, 400);
  expect_same_as_with_all_pairs(spheres, 3, {.on = OnContact::merge}, 250);
  expect_same_as_with_all_pairs(spheres, 3, {.on = OnContact::stop}, 1);
}

TEST(ContactParts, are_made_again_only_where_somebody_new_joins) {
  const auto spheres = far_clumps();
  std::size_t asked = 0;
  const SpheresOf some = [&](std::span<const std::uint32_t> numbers) {
    asked += numbers.size();
    std::vector<MovingSphere> out;
    for (const std::uint32_t i : numbers) out.push_back(spheres[i]);
    return out;
  };
  ContactProblem like;
  like.duration = 3;
  ContactParts parts(like, some, 3);
  BodyPairs neighbours;  // in the cradles; all pairs in the bits of gas
  const auto clumps = static_cast<std::uint32_t>(spheres.size() / 10);
  for (std::uint32_t a = 0; a < spheres.size(); ++a) {
    for (std::uint32_t b = a + clumps; b < spheres.size(); b += clumps) {
      if (a % 2 == 1 || (b - a == clumps && b < 9 * clumps)) neighbours.push_back({a, b});
    }
  }
  parts.add(neighbours, {});
  const std::size_t made = parts.all().size();
  EXPECT_GE(made, 3U);
  // nobody is in two of them, and the last balls of the cradles are in none
  std::vector<int> members(spheres.size(), 0);
  for (const ContactPart& part : parts.all()) {
    for (const std::uint32_t number : part.numbers) ++members[number];
  }
  EXPECT_EQ(std::ranges::count(members, 1), static_cast<long>(spheres.size() - clumps / 2));
  EXPECT_EQ(asked, spheres.size() - clumps / 2);

  EXPECT_TRUE(parts.add({neighbours.front(), neighbours.back()}, {}).empty()) << "all known";
  const std::uint32_t last = 9 * clumps;  // the tenth ball of the first cradle
  const auto news = parts.add({{8 * clumps, last}}, {});
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(parts.all().size(), made);
  EXPECT_EQ(std::ranges::count(news.front().numbers, last), 1);
  EXPECT_TRUE(news.front().has({last - clumps, last}));
  EXPECT_EQ(asked, spheres.size() - clumps / 2 + 1) << "the others were known";
}

// A new pair joins parts that had nothing to do with each other.
TEST(ContactParts, two_become_one_where_a_pair_joins_them) {
  std::vector<MovingSphere> row;
  for (std::uint64_t k = 0; k < 600; ++k) {
    row.push_back(
        sphere(k, {1.25 * static_cast<double>(k), 0, 0}, k % 300 == 0 ? Vec3{1, 0, 0} : Vec3{}));
  }
  ContactProblem like;
  like.duration = 1000;
  BodyPairs halves;
  for (std::uint32_t k = 0; k + 1 < row.size(); ++k) {
    if (k != 299) halves.push_back({k, k + 1});
  }
  ContactParts parts(
      like,
      [&](std::span<const std::uint32_t> numbers) {
        std::vector<MovingSphere> out;
        for (const std::uint32_t i : numbers) out.push_back(row[i]);
        return out;
      },
      2);
  EXPECT_EQ(parts.add(halves, {}).size(), 2U);
  const auto joined = parts.add({{299, 300}}, {});
  ASSERT_EQ(joined.size(), 1U);
  EXPECT_EQ(parts.all().size(), 1U);
  EXPECT_EQ(joined.front().outcome.contacts, resolve(test::problem(row, 1000, {})).contacts);
}

TEST(ContactStep, without_a_contact_asks_for_no_body) {
  const std::vector<MovingSphere> apart{sphere(0, {0, 0, 0}, {1, 0, 0}),
                                        sphere(1, {5, 0, 0}, {1, 0, 0})};
  const Columns columns(apart, 1);
  ContactFinder finder(ContactSearch::automatic, 1);
  ContactSource source = source_of(apart, columns, finder, {});
  source.spheres = [](std::span<const std::uint32_t>) -> std::vector<MovingSphere> {
    ADD_FAILURE() << "asked";
    return {};
  };
  EXPECT_TRUE(contacts_of_step(source, 1, {}, false).empty());
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
#include "analysis/scenes.hpp"
#include <apsis/analysis/groups.hpp>
#include <apsis/core/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace apsis::analysis {
namespace {

// Spreads the lowest number of each group until nothing changes; all pairs.
std::vector<std::size_t> first_of_group(const Vectors& places, double length) {
  std::vector<std::size_t> first(places.size());
  std::iota(first.begin(), first.end(), std::size_t{0});
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Vec3 d = places.at(i) - places.at(j);
        if (dot(d, d) > length * length || first[i] == first[j]) continue;
        first[i] = first[j] = std::min(first[i], first[j]);
        changed = true;
      }
    }
  }
  return first;
}

std::vector<std::size_t> first_of_group(const Groups& groups) {
  std::vector<std::size_t> first(groups.sizes.size(), groups.group_of.size()), result;
  for (std::size_t i = 0; i < groups.group_of.size(); ++i) {
    first[groups.group_of[i]] = std::min(first[groups.group_of[i]], i);
  }
  for (const std::uint32_t group : groups.group_of) result.push_back(first[group]);
  return result;
}

TEST(FriendsOfFriends, are_those_of_all_pairs) {
  for (const std::size_t n : {1, 2, 3, 30, 400}) {
    const Vectors places = test::scattered(n, n).positions;
    for (const double length : {1e-6, 0.02, 0.07, 0.1, 0.14, 0.3, 2.0}) {
      EXPECT_EQ(first_of_group(friends_of_friends(places, length)), first_of_group(places, length))
          << n << " bodies, " << length;
    }
  }
}

// Every neighbour that a cell can have, at distances on either side of the length.
TEST(FriendsOfFriends, two_bodies_are_friends_up_to_the_length_in_every_direction) {
  for (int k = 0; k < 2000; ++k) {
    BodyRandom random(3, static_cast<std::uint64_t>(k));
    Vectors pair(2);
    const double spread = k % 2 == 0 ? 1 : 1e5;
    pair.set(0, spread * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    for (const double share : {0.3, 0.999, 1.001, 1.8}) {
      pair.set(1, pair.at(0) + share * 0.1 * random.direction());
      EXPECT_EQ(friends_of_friends(pair, 0.1).sizes.size(), share < 1 ? 1U : 2U);
    }
  }
}

TEST(FriendsOfFriends, the_largest_group_comes_first_and_of_equal_ones_that_of_the_first_body) {
  Vectors line(7);
  const double x[] = {50, 10, 0, 10.5, 0.5, 0.25, 90};
  for (std::size_t i = 0; i < 7; ++i) line.set(i, {x[i], 0, 0});
  const Groups groups = friends_of_friends(line, 0.5);
  EXPECT_EQ(groups.sizes, (std::vector<std::uint32_t>{3, 2, 1, 1}));
  EXPECT_EQ(groups.group_of, (std::vector<std::uint32_t>{2, 1, 0, 1, 0, 0, 3}));
}

TEST(FriendsOfFriends, two_clusters_are_two_groups) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Bodies both = test::moved(test::model("plummer", 6000, seed), {-15, 0, 0}, {});
    both.append(test::moved(test::model("plummer", 3000, seed + 10), {15, 0, 0}, {}));
    const Groups groups = friends_of_friends(both.positions, usual_linking_length(both.positions));
    // bodies far outside, where neighbours are rare, belong to nobody: a tenth by the length's
    // choice
    EXPECT_GT(groups.sizes[0], 5200U) << seed;
    EXPECT_LE(groups.sizes[0], 6000U) << seed;
    EXPECT_GT(groups.sizes[1], 2500U) << seed;
    EXPECT_LE(groups.sizes[1], 3000U) << seed;
    EXPECT_LT(groups.sizes[2], 30U) << seed;
    for (std::size_t i = 0; i < both.size(); ++i) {
      if (groups.group_of[i] < 2) {
        EXPECT_EQ(groups.group_of[i], i < 6000 ? 0U : 1U) << i;
      }
    }
  }
}

TEST(FriendsOfFriends, heaps_that_just_miss_each_other_are_no_pairs_to_look_at) {
  constexpr std::size_t half = 200'000;  // by pairs it would take minutes
  Vectors heaps(2 * half);
  for (std::size_t i = half; i < heaps.size(); ++i) heaps.set(i, {1.001, 0, 0});
  EXPECT_EQ(friends_of_friends(heaps, 1).sizes, (std::vector<std::uint32_t>{half, half}));
}

TEST(FriendsOfFriends, runaways_are_alone_and_lengths_that_mean_nothing_are_refused) {
  Vectors places = test::scattered(100, 5).positions;
  places.set(40, {-1e9, 0, 1e9});
  EXPECT_EQ(friends_of_friends(places, 0.5).sizes, (std::vector<std::uint32_t>{99, 1}));
  for (const double length : {0.0, -1.0, 1e-9, std::nan("")}) {
    EXPECT_THROW(friends_of_friends(places, length), Error) << length;
  }
  EXPECT_TRUE(friends_of_friends(Vectors{}, 0.1).sizes.empty());
}

}  // namespace
}  // namespace apsis::analysis

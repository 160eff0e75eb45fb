// SPDX-License-Identifier: MIT
#include "analysis/scenes.hpp"
#include <apsis/analysis/neighbours.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace apsis::analysis {
namespace {

std::vector<Neighbour> by_all_pairs(const Vectors& places, Vec3 at, std::size_t count,
                                    std::size_t but) {
  std::vector<Neighbour> all;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3 d = places.at(i) - at;
    if (i != but) all.push_back({dot(d, d), static_cast<std::uint32_t>(i)});
  }
  std::ranges::sort(all);
  all.resize(std::min(all.size(), count));
  return all;
}

void expect_as_by_all_pairs(const Vectors& places, std::size_t count) {
  for (const int threads : {1, 3}) {
    const NeighbourTree tree(places, threads);
    std::vector<Neighbour> found;
    for (std::size_t i = 0; i < places.size(); ++i) {
      tree.nearest(places.at(i), count, i, found);
      ASSERT_EQ(found, by_all_pairs(places, places.at(i), count, i)) << "body " << i;
    }
    tree.nearest({0.3, -7, 20}, count, NeighbourTree::nobody, found);
    EXPECT_EQ(found, by_all_pairs(places, {0.3, -7, 20}, count, NeighbourTree::nobody));
  }
}

TEST(Neighbours, are_those_of_all_pairs_at_any_number_of_bodies) {
  for (const std::size_t n : {1, 2, 7, 12, 13, 25, 500, 1999}) {
    expect_as_by_all_pairs(test::scattered(n, n).positions, 6);
  }
  expect_as_by_all_pairs(test::scattered(300, 4).positions, 1);
  expect_as_by_all_pairs(test::scattered(30, 4).positions, 100);
}

TEST(Neighbours, of_equally_near_ones_the_first_are_taken) {
  Vectors lattice(729), line(200), heap(100);
  for (std::size_t i = 0; i < lattice.size(); ++i) {
    lattice.set(i, {static_cast<double>(i % 9), static_cast<double>(i / 9 % 9),
                    static_cast<double>(i / 81)});
  }
  for (std::size_t i = 0; i < line.size(); ++i) line.set(i, {0, 0, static_cast<double>(i / 2)});
  expect_as_by_all_pairs(lattice, 6);
  expect_as_by_all_pairs(line, 5);
  expect_as_by_all_pairs(heap, 7);
}

TEST(Neighbours, are_found_beside_a_body_that_is_far_away) {
  Vectors places = test::scattered(400, 9).positions;
  places.set(17, {1e9, -1e9, 3e8});
  places.set(300, {1e-9, 1e-9, 1e-9});
  expect_as_by_all_pairs(places, 6);
}

TEST(Neighbours, of_nobody_are_none) {
  const NeighbourTree tree(Vectors{}, 2);
  std::vector<Neighbour> found{{1, 1}};
  tree.nearest({}, 3, NeighbourTree::nobody, found);
  EXPECT_TRUE(found.empty());
}

}  // namespace
}  // namespace apsis::analysis

// SPDX-License-Identifier: MIT
// Keys, sort and octree: every body in exactly one leaf, children beside each other, and quick ends
// for bodies that no cell can tell apart.
#include <apsis/core/random.hpp>
#include <apsis/solvers/tree/octree.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace apsis::far {
namespace {

using Points = std::vector<std::array<double, 3>>;

// Points within [-1, 1] sorted and in a tree, as a solver does it.
struct Grown {
  SortedBodies bodies;
  Octree tree;

  Grown(const Points& points, std::size_t leaf, bool split = true) {
    const Cube cube{-1, -1, -1, 2};
    const KeyLayout layout = key_layout(points.size());
    const MortonKeys key_of(cube, layout.levels);
    std::vector<std::uint64_t> words(points.size()), spare;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto& p = points[i];
      words[i] = key_of(p[0], p[1], p[2]) << layout.number_bits | i;
    }
    radix_sort(words, spare, layout.number_bits, 3 * layout.levels, 2);
    bodies.resize(points.size(), split);
    const std::uint64_t mask = (std::uint64_t{1} << layout.number_bits) - 1;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const auto i = static_cast<std::size_t>(words[k] & mask);
      bodies.id[k] = static_cast<std::uint32_t>(i);
      put(points[i][0], k, bodies.x, bodies.low_x);
      put(points[i][1], k, bodies.y, bodies.low_y);
      put(points[i][2], k, bodies.z, bodies.low_z);
      bodies.strength[k] = 1;
    }
    bodies.pad();
    tree.build(bodies, words, layout, leaf, 2);
  }

 private:
  static void put(double value, std::size_t k, std::vector<float>& high, std::vector<float>& low) {
    high[k] = static_cast<float>(value);
    if (!low.empty()) low[k] = static_cast<float>(value - static_cast<double>(high[k]));
  }
};

bool at_one_point(const SortedBodies& b, const Cell& cell) {
  for (std::size_t i = cell.begin; i < cell.begin + cell.count; ++i) {
    if (b.at_x(i) != b.at_x(cell.begin) || b.at_y(i) != b.at_y(cell.begin) ||
        b.at_z(i) != b.at_z(cell.begin)) {
      return false;
    }
  }
  return true;
}

// Leaves hold every body once, few bodies or one point; children divide their parent.
void expect_sound(const Grown& grown, const Points& points, std::size_t leaf) {
  const auto& cells = grown.tree.cells();
  std::vector<int> seen(points.size(), 0);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const Cell& cell = cells[c];
    if (cell.children == 0) {
      EXPECT_TRUE(cell.count <= leaf || (cell.one_point && at_one_point(grown.bodies, cell)));
      for (std::size_t k = cell.begin; k < cell.begin + cell.count; ++k) ++seen[k];
      continue;
    }
    ASSERT_LE(cell.children, 8);
    ASSERT_GT(cell.first_child, c);
    std::uint32_t at = cell.begin;
    for (std::size_t d = cell.first_child; d < cell.first_child + cell.children; ++d) {
      EXPECT_EQ(cells[d].begin, at);
      EXPECT_EQ(cells[d].parent, c);
      EXPECT_GT(cells[d].count, 0U);
      at += cells[d].count;
    }
    EXPECT_EQ(at, cell.begin + cell.count);
  }
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
  std::vector<std::uint32_t> ids = grown.bodies.id;
  std::sort(ids.begin(), ids.end());
  for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(ids[i], i);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto& p = points[grown.bodies.id[k]];
    ASSERT_NEAR(grown.bodies.at_x(k), p[0], 1e-7);
    ASSERT_NEAR(grown.bodies.at_z(k), p[2], 1e-7);
  }
}

Points random_points(std::size_t n, double size, std::array<double, 3> centre = {0, 0, 0}) {
  Points points(n);
  for (std::size_t i = 0; i < n; ++i) {
    BodyRandom random(5, i);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      points[i][axis] = centre[axis] + size * random.uniform(-1, 1);
    }
  }
  return points;
}

TEST(RadixSort, is_stable_and_the_same_for_any_number_of_threads) {
  for (const std::size_t n : {0U, 1U, 2U, 2047U, 2048U, 5000U, 40000U}) {
    std::vector<std::uint64_t> words(n), spare;
    for (std::size_t i = 0; i < n; ++i) {
      words[i] = static_cast<std::uint64_t>(BodyRandom(3, i).uniform(0, 1000)) << 20 | i;
    }
    std::vector<std::uint64_t> expected = words;
    std::sort(expected.begin(), expected.end());  // the numbers below break ties in order
    for (const int threads : {1, 2, 3}) {
      std::vector<std::uint64_t> sorted = words;
      radix_sort(sorted, spare, 20, 33, threads);
      EXPECT_EQ(sorted, expected) << n << " words, " << threads << " threads";
    }
  }
}

TEST(Octree, is_sound_for_any_number_of_bodies) {
  for (const std::size_t n : {0U, 1U, 2U, 32U, 33U, 1000U, 20000U}) {
    const Points points = random_points(n, 1);
    expect_sound(Grown(points, 32), points, 32);
  }
}

TEST(Octree, ends_for_a_million_bodies_at_one_point) {
  const Points points(1'000'000, {0.3, -0.2, 0.9});
  const Grown grown(points, 32);
  expect_sound(grown, points, 32);
  EXPECT_LT(grown.tree.cells().size(), 40U);
}

TEST(Octree, tells_a_cluster_of_a_millionth_of_the_box_apart) {
  Points points = random_points(20000, 1e-9, {0.1, 0.1, 0.1});
  points.push_back({-1, -1, -1});
  const Grown grown(points, 32);
  expect_sound(grown, points, 32);
  EXPECT_GT(grown.tree.cells().size(), 500U);
}

TEST(Octree, is_sound_for_a_line_and_for_two_points) {
  Points line(5000), two(5000);
  for (std::size_t i = 0; i < line.size(); ++i) {
    line[i] = {static_cast<double>(i) / 5000, 0, 0};
    two[i] = {i % 2 == 0 ? 0.5 : 0.5 + 1e-12, 0, 0};
  }
  expect_sound(Grown(line, 32), line, 32);
  expect_sound(Grown(two, 32), two, 32);
}

// Few distinct places at scales from 1 to 2^-60: coincident, nested and lonely bodies.
RC_GTEST_PROP(Octree, holds_every_body_once, ()) {
  const auto raw = *rc::gen::container<std::vector<std::array<int, 4>>>(rc::gen::apply(
      [](int x, int y, int z, int scale) {
        return std::array{x, y, z, scale};
      },
      rc::gen::inRange(-3, 4), rc::gen::inRange(-3, 4), rc::gen::inRange(-3, 4),
      rc::gen::inRange(0, 4)));
  const auto leaf = static_cast<std::size_t>(*rc::gen::inRange(1, 6));
  Points points;
  for (const auto& r : raw) {
    const double unit = std::array{0.3, 1e-4, 1e-9, 1e-18}[static_cast<std::size_t>(r[3])];
    points.push_back({r[0] * unit, r[1] * unit, r[2] * unit});
  }
  expect_sound(Grown(points, leaf), points, leaf);
  RC_ASSERT(!testing::Test::HasFailure());
}

}  // namespace
}  // namespace apsis::far

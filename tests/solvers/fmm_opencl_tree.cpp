// SPDX-License-Identifier: MIT
// The octree on the first OpenCL device: every body in one leaf, ranges that nest, for bodies that
// are spread out, clustered, in one place, on a line, or all but one together.
#include <apsis/solvers/fmm/fmm_opencl_tree.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/opencl.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace apsis {
namespace {

using fmm_opencl::Tree;

template <class Value>
std::vector<Value> contents(const device::Buffer& buffer, int count) {
  std::vector<Value> values(static_cast<std::size_t>(count));
  buffer.read(std::span(values));
  return values;
}

// What a tree amounts to, on the host.
struct Nodes {
  std::vector<std::uint64_t> keys;
  std::vector<int> order;
  std::vector<std::array<std::uint32_t, 2>> range;
  std::vector<std::uint32_t> child;
  std::vector<int> parent;

  explicit Nodes(const Tree& tree)
      : keys(contents<std::uint64_t>(tree.keys(), tree.bodies())),
        order(contents<int>(tree.order(), tree.bodies())),
        range(contents<std::array<std::uint32_t, 2>>(tree.range(), tree.nodes())),
        child(contents<std::uint32_t>(tree.child(), tree.nodes())),
        parent(contents<int>(tree.parent(), tree.nodes())) {}

  std::size_t children(std::size_t node) const { return child[node] >> 28; }
  std::size_t first_child(std::size_t node) const { return child[node] & 0x0fffffffu; }
  std::uint32_t bodies(std::size_t node) const { return range[node][1] - range[node][0]; }
};

void expect_children_fill_their_parent(const Nodes& nodes, std::size_t node) {
  std::uint32_t at = nodes.range[node][0];
  for (std::size_t k = 0; k < nodes.children(node); ++k) {
    const std::size_t c = nodes.first_child(node) + k;
    ASSERT_LT(c, nodes.range.size());
    EXPECT_EQ(nodes.parent[c], static_cast<int>(node));
    EXPECT_EQ(nodes.range[c][0], at) << "node " << c;
    EXPECT_GT(nodes.bodies(c), 0u);
    at = nodes.range[c][1];
  }
  EXPECT_EQ(at, nodes.range[node][1]);
}

void expect_good_tree(const Tree& tree, std::size_t bodies, int leaf) {
  ASSERT_EQ(tree.bodies(), static_cast<int>(bodies));
  const Nodes nodes(tree);
  EXPECT_TRUE(std::is_sorted(nodes.keys.begin(), nodes.keys.end()));
  auto all = nodes.order;
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < bodies; ++i) ASSERT_EQ(all[i], static_cast<int>(i));
  ASSERT_GE(tree.nodes(), 1);
  EXPECT_EQ(nodes.range[0], (std::array<std::uint32_t, 2>{0, static_cast<std::uint32_t>(bodies)}));
  EXPECT_EQ(nodes.parent[0], -1);
  std::size_t in_leaves = 0;
  for (int level = 0; level <= tree.depth(); ++level) {
    for (int s = tree.level_start(level); s < tree.level_start(level + 1); ++s) {
      const auto node = static_cast<std::size_t>(s);
      if (nodes.children(node) > 0) {
        EXPECT_GT(nodes.bodies(node), static_cast<std::uint32_t>(leaf));
        EXPECT_EQ(static_cast<int>(nodes.first_child(node)) >= tree.level_start(level + 1), true);
        expect_children_fill_their_parent(nodes, node);
      } else {
        in_leaves += nodes.bodies(node);
        EXPECT_TRUE(static_cast<int>(nodes.bodies(node)) <= leaf ||
                    level == fmm_opencl::deepest_level);
      }
    }
  }
  EXPECT_EQ(in_leaves, bodies);  // with ranges that nest: every body in exactly one leaf
}

void expect_good_tree(const Bodies& bodies, int leaf, Precision precision = Precision::f32) {
  SCOPED_TRACE(fmt::format("{} bodies, leaves of {}", bodies.size(), leaf));
  Tree tree(test::context(), {.precision = precision, .leaf = leaf});
  const test::DeviceBodies there(bodies, Law::gravity, precision);
  tree.build({.sources = there.view(), .targets = {}});
  expect_good_tree(tree, bodies.size(), leaf);
}

Bodies on_a_line(std::size_t n) {
  Bodies bodies = test::random_bodies(n);
  std::fill(bodies.y().begin(), bodies.y().end(), 0.25);
  std::fill(bodies.z().begin(), bodies.z().end(), 0.25);
  return bodies;
}
Bodies in_one_place(std::size_t n) {
  Bodies bodies = on_a_line(n);
  std::fill(bodies.x().begin(), bodies.x().end(), 0.75);
  return bodies;
}
Bodies with_outlier(std::size_t n) {
  Bodies bodies = test::random_bodies(n);
  bodies.x()[n / 2] = 1e5;
  return bodies;
}

TEST(FmmOpenclTree, holds_every_body_in_one_leaf) {
  APSIS_NEED_DEVICE();
  for (const std::size_t n : {1, 2, 63, 64, 65, 1000, 4097, 20000}) {
    expect_good_tree(test::random_bodies(n), n == 1000 ? 8 : 64);
  }
  expect_good_tree(test::random_bodies(3000), 16, Precision::mixed);
}

TEST(FmmOpenclTree, takes_bodies_in_degenerate_places) {
  APSIS_NEED_DEVICE();
  for (const std::size_t n : {2, 1000}) {
    expect_good_tree(in_one_place(n), 16);
    expect_good_tree(on_a_line(n), 16);
    expect_good_tree(with_outlier(n), 16);
  }
}

TEST(FmmOpenclTree, of_no_bodies_has_no_nodes) {
  APSIS_NEED_DEVICE();
  Tree tree(test::context(), {});
  const test::DeviceBodies none(Bodies(0), Law::gravity, Precision::f32);
  tree.build({.sources = none.view(), .targets = {}});
  EXPECT_EQ(tree.bodies(), 0);
  EXPECT_EQ(tree.nodes(), 0);
}

TEST(FmmOpenclTree, does_not_depend_on_what_was_built_before) {
  APSIS_NEED_DEVICE();
  const test::DeviceBodies wide(test::random_bodies(3000), Law::gravity, Precision::f32);
  const test::DeviceBodies deep(with_outlier(3000), Law::gravity, Precision::f32);
  Tree fresh(test::context(), {.leaf = 16}), used(test::context(), {.leaf = 16});
  fresh.build({.sources = wide.view(), .targets = {}});
  for (const auto* bodies : {&wide, &deep, &wide}) {
    used.build({.sources = bodies->view(), .targets = {}});
  }
  EXPECT_EQ(used.depth(), fresh.depth());
  EXPECT_EQ(Nodes(used).order, Nodes(fresh).order);
  EXPECT_EQ(Nodes(used).range, Nodes(fresh).range);
}

TEST(FmmOpenclTree, joins_sources_and_other_targets) {
  APSIS_NEED_DEVICE();
  const test::DeviceBodies sources(test::random_bodies(500, 1), Law::gravity, Precision::f32);
  const test::DeviceBodies targets(test::random_bodies(300, 2), Law::gravity, Precision::f32);
  Tree tree(test::context(), {.leaf = 16});
  tree.build({.sources = sources.view(), .targets = targets.view()});
  expect_good_tree(tree, 800, 16);
  const Nodes nodes(tree);
  const auto places = contents<std::array<float, 4>>(tree.places(), 800);
  for (std::size_t i = 0; i < 800; ++i) EXPECT_EQ(places[i][3] == 0, nodes.order[i] >= 500);
}

// Bodies of a leaf stand in the order that is told. One tree and few bodies: what a checker that
// interprets kernels has time for.
TEST(BodyOrderOpenclSmall, is_the_users_in_every_leaf) {
  APSIS_NEED_DEVICE();
  const std::size_t n = 60;
  std::vector<std::int32_t> numbers(n);  // stored from the last to the first
  for (std::size_t k = 0; k < n; ++k) numbers[k] = static_cast<std::int32_t>(n - 1 - k);
  device::Buffer order = test::context().buffer(n * sizeof numbers[0], "the order of the bodies");
  order.write(std::span<const std::int32_t>(numbers));
  const test::DeviceBodies there(test::random_bodies(n), Law::gravity, Precision::f32);
  BodiesView<Device> view = there.view();
  view.order = &order;
  Tree tree(test::context(), {.precision = Precision::f32, .leaf = 16});
  tree.build({.sources = view, .targets = {}});
  expect_good_tree(tree, n, 16);
  const Nodes nodes(tree);
  int alike = 0;  // keys are as long as the tree is deep
  for (std::size_t k = 1; k < n; ++k) {
    if (nodes.keys[k] != nodes.keys[k - 1]) continue;
    EXPECT_LT(nodes.order[k], nodes.order[k - 1]);
    ++alike;
  }
  EXPECT_GT(alike, 10);
}

}  // namespace
}  // namespace apsis

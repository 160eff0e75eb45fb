// SPDX-License-Identifier: MIT
// The walk on the first OpenCL device: whatever the lists say, every target meets every source
// exactly once.
#include <apsis/solvers/fmm/fmm_opencl_passes.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/opencl.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace apsis {
namespace {

using namespace fmm_opencl;

template <class Value>
std::vector<Value> contents(const device::Buffer& buffer, std::size_t count) {
  std::vector<Value> values(count);
  buffer.read(std::span(values));
  return values;
}

struct WalkedTree {
  PassSettings settings;
  Tree tree;
  Multipoles multipoles;
  Lists lists;

  WalkedTree(const Bodies& bodies, const FmmOpenclChoice& choice, double softening,
             bool bodies_only = false)
      : settings{.context = &test::context(),
                 .softening = softening,
                 .bodies_only = bodies_only,
                 .choice = choice},
        tree(test::context(), {.leaf = choice.leaf, .softening = softening}),
        multipoles(settings),
        lists(settings) {
    const test::DeviceBodies there(bodies, Law::gravity, Precision::f32);
    tree.build({.sources = there.view(), .targets = {}});
    multipoles.find(tree);
    lists.find(tree, multipoles, {0, tree.bodies()});
  }
};

// How often each body of a leaf meets each source, over the lists of the leaf and its ancestors.
class Meetings {
 public:
  explicit Meetings(const WalkedTree& walked)
      : bodies_(static_cast<std::size_t>(walked.tree.bodies())),
        nodes_(static_cast<std::size_t>(walked.tree.nodes())),
        range_(contents<std::array<std::uint32_t, 2>>(walked.tree.range(), nodes_)),
        child_(contents<std::uint32_t>(walked.tree.child(), nodes_)),
        parent_(contents<int>(walked.tree.parent(), nodes_)),
        start_(contents<int>(walked.lists.start, nodes_)),
        counts_(contents<std::array<int, 4>>(walked.lists.counts, nodes_)),
        pool_(contents<int>(walked.lists.pool, walked.lists.pool.bytes() / sizeof(int))) {}

  std::array<long, 4> used{};  // entries of each kind

  void expect_each_once() {
    for (std::size_t leaf = 0; leaf < nodes_; ++leaf) {
      if (child_[leaf] != 0) continue;
      std::vector<int> met(bodies_, 0);
      for (int node = static_cast<int>(leaf); node >= 0;
           node = parent_[static_cast<std::size_t>(node)]) {
        add_list(static_cast<std::size_t>(node), 0, met);
      }
      add_list(leaf, 1, met);
      add_list(leaf, 3, met);
      EXPECT_EQ(counts_[leaf][2], 0) << "leaf " << leaf << " leaves sources to nobody";
      const bool once = std::all_of(met.begin(), met.end(), [](int times) { return times == 1; });
      ASSERT_TRUE(once) << "leaf " << leaf;
    }
  }

 private:
  void add_list(std::size_t node, std::size_t kind, std::vector<int>& met) {
    std::size_t first = static_cast<std::size_t>(start_[node]);
    for (std::size_t k = 0; k < kind; ++k) first += static_cast<std::size_t>(counts_[node][k]);
    for (int i = 0; i < counts_[node][kind]; ++i) {
      const int entry = pool_[first + static_cast<std::size_t>(i)];
      ++used[kind];
      if (entry < 0) {
        const int body = ~entry;
        ++met[static_cast<std::size_t>(body)];
        continue;
      }
      const auto [begin, end] = range_[static_cast<std::size_t>(entry)];
      for (std::uint32_t body = begin; body < end; ++body) ++met[body];
    }
  }

  std::size_t bodies_, nodes_;
  std::vector<std::array<std::uint32_t, 2>> range_;
  std::vector<std::uint32_t> child_;
  std::vector<int> parent_, start_;
  std::vector<std::array<int, 4>> counts_;
  std::vector<int> pool_;
};

Bodies clustered(std::size_t n) {
  Bodies bodies = test::random_bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double r2 = bodies.x()[i] * bodies.x()[i] + bodies.y()[i] * bodies.y()[i] +
                      bodies.z()[i] * bodies.z()[i];
    const double pull = i % 50 == 0 ? 10 : r2 * r2;  // a few far away, most in the middle
    bodies.x()[i] *= pull, bodies.y()[i] *= pull, bodies.z()[i] *= pull;
  }
  return bodies;
}

TEST(FmmOpenclLists, every_target_meets_every_source_once) {
  APSIS_NEED_DEVICE();
  std::array<long, 4> used{};
  for (const std::size_t n : {1, 2, 65, 1000, 5000}) {
    for (const int leaf : {8, 64}) {
      for (const double tolerance : {1e-2, 1e-4}) {
        for (const bool dense : {false, true}) {
          SCOPED_TRACE(fmt::format("{} bodies, leaves of {}, tolerance {}", n, leaf, tolerance));
          const WalkedTree walked(dense ? clustered(n) : test::random_bodies(n),
                                  {.order = 4, .tolerance = tolerance, .leaf = leaf}, 0.01);
          Meetings meetings(walked);
          meetings.expect_each_once();
          for (std::size_t k = 0; k < 4; ++k) used[k] += meetings.used[k];
        }
      }
    }
  }
  EXPECT_GT(used[0], 0);  // nodes on expansions
  EXPECT_GT(used[1], 0);  // body by body
  EXPECT_GT(used[3], 0);  // nodes on bodies
}

TEST(FmmOpenclLists, of_a_tree_hold_every_source_once_and_no_cells_for_cells) {
  APSIS_NEED_DEVICE();
  for (const std::size_t n : {1, 65, 5000}) {
    for (const int leaf : {8, 64}) {
      SCOPED_TRACE(fmt::format("{} bodies, leaves of {}", n, leaf));
      const WalkedTree walked(clustered(n), {.order = 4, .tolerance = 1e-3, .leaf = leaf}, 0.01,
                              true);
      Meetings meetings(walked);
      meetings.expect_each_once();
      EXPECT_EQ(meetings.used[0], 0);
      EXPECT_GT(meetings.used[1], 0);
      if (n == 5000) {
        EXPECT_GT(meetings.used[3], 0);
      }
    }
  }
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
// `tree` and `fmm` on the first OpenCL device where some bodies are far from all others, or in
// dense clumps far apart: as accurate as asked for, and about as much work as without. Work is
// counted.
#include <apsis/solvers/fmm/fmm_opencl_passes.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <solvers/far_bodies.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace apsis {
namespace {

using namespace test;
using namespace fmm_opencl;

template <class Value>
std::vector<Value> contents(const device::Buffer& buffer, std::size_t count) {
  std::vector<Value> values(count);
  buffer.read(std::span(values));
  return values;
}

struct Work {
  double nodes = 0, levels = 0;
  double pairs = 0;    // of bodies
  double cells = 0;    // that act on cells or on bodies
  double longest = 0;  // pairs and cells that one leaf waits for
};

Work work_of(const Bodies& bodies, bool bodies_only, Precision precision, double softening = 0.01) {
  const FmmOpenclChoice choice{.order = bodies_only ? 3 : 5, .tolerance = 5e-4, .leaf = 32};
  const PassSettings settings{.context = &context(),
                              .precision = precision,
                              .softening = softening,
                              .bodies_only = bodies_only,
                              .choice = choice};
  Tree tree(context(), {.precision = precision, .leaf = choice.leaf, .softening = softening});
  Multipoles multipoles(settings);
  Lists lists(settings);
  const DeviceBodies there(bodies, Law::gravity, precision);
  tree.build({.sources = there.view(), .targets = {}});
  multipoles.find(tree);
  lists.find(tree, multipoles, {0, tree.bodies()});
  const auto nodes = static_cast<std::size_t>(tree.nodes());
  const auto range = contents<std::array<std::uint32_t, 2>>(tree.range(), nodes);
  const auto near = contents<std::array<std::uint32_t, 2>>(multipoles.near, nodes);
  const auto child = contents<std::uint32_t>(tree.child(), nodes);
  const auto start = contents<int>(lists.start, nodes);
  const auto counts = contents<std::array<int, 4>>(lists.counts, nodes);
  const auto pool = contents<int>(lists.pool, lists.pool.bytes() / sizeof(int));
  Work work{.nodes = static_cast<double>(nodes), .levels = static_cast<double>(tree.depth())};
  for (std::size_t s = 0; s < nodes; ++s) {
    const double own = child[s] == 0 ? range[s][1] - range[s][0] : 0;
    double sources = 0;
    for (int k = 0; k < counts[s][1]; ++k) {
      const auto entry =
          static_cast<std::size_t>(pool[static_cast<std::size_t>(start[s] + counts[s][0] + k)]);
      sources += near[entry][1] - near[entry][0];
    }
    const double at_bodies = own * counts[s][3];
    work.pairs += own * sources;
    work.cells += counts[s][0] + at_bodies;
    work.longest = std::max(work.longest, own * sources + 10 * at_bodies);
  }
  return work;
}

struct Kind {
  const char* name;
  Bodies bodies;
};

std::vector<Kind> far_kinds(std::size_t n) {
  return {{"one at 1e3", with_some_away(n, n, 1e3)},
          {"one at 1e5", with_some_away(n, n, 1e5)},
          {"one at 1e7", with_some_away(n, n, 1e7)},
          {"one at 1e12", with_some_away(n, n, 1e12)},
          {"1 % at 1e3", with_some_away(n, 100, 1e3)},
          {"1 % at 1e5", with_some_away(n, 100, 1e5)},
          {"1 % at 1e7", with_some_away(n, 100, 1e7)},
          {"1 % at 1e12", with_some_away(n, 100, 1e12)},
          {"escapers to 1e12", with_escapers(n, 100, 1e12)}};
}

TEST(FarBodiesOpencl, are_about_as_much_work_as_none) {
  APSIS_NEED_DEVICE();
  const std::size_t n = 12'000;
  for (const bool tree : {false, true}) {
    const Work none = work_of(rounded(plummer(n)), tree, Precision::f32);
    for (const Kind& kind : far_kinds(n)) {
      SCOPED_TRACE(fmt::format("{}, {}", tree ? "tree" : "fmm", kind.name));
      const Work work = work_of(rounded(kind.bodies), tree, Precision::f32);
      EXPECT_LE(work.nodes, 1.5 * none.nodes);
      EXPECT_LE(work.pairs, 1.5 * none.pairs);
      EXPECT_LE(work.cells, 1.5 * none.cells);
      EXPECT_LE(work.longest, 3 * none.longest);  // nobody waits for one leaf
    }
  }
}

// Cells next to the cluster are neither thin slabs nor leaves that see all of it one by one.
TEST(FarBodiesOpencl, do_not_leave_one_leaf_with_all_the_work) {
  APSIS_NEED_DEVICE();
  const std::size_t n = 200'000;
  const Work none = work_of(rounded(plummer(n)), false, Precision::f32);
  for (const Kind& kind : {Kind{"one at 1e7", with_some_away(n, n, 1e7)},
                           Kind{"1 % at 1e5", with_some_away(n, 100, 1e5)},
                           Kind{"1 % at 1e7", with_some_away(n, 100, 1e7)}}) {
    EXPECT_LE(work_of(rounded(kind.bodies), false, Precision::f32).longest, 1.2 * none.longest)
        << kind.name;
  }
}

TEST(FarBodiesOpencl, in_dense_clumps_are_about_as_much_work_as_in_wide_ones) {
  APSIS_NEED_DEVICE();
  for (const bool tree : {false, true}) {
    const Work wide = work_of(clumps(60'000, 100, 2e-2), tree, Precision::mixed, 2e-5);
    const Work dense = work_of(clumps(60'000, 100, 2e-8), tree, Precision::mixed, 2e-11);
    EXPECT_LE(dense.nodes, 1.5 * wide.nodes);
    EXPECT_LE(dense.pairs, 1.5 * wide.pairs);
    EXPECT_LE(dense.cells, 1.5 * wide.cells);
  }
}

// Levels at which no cell is divided are left out.
TEST(FarBodiesOpencl, do_not_make_a_tree_deep) {
  APSIS_NEED_DEVICE();
  const Work none = work_of(rounded(plummer(12'000)), false, Precision::f32);
  const Work one = work_of(rounded(with_some_away(12'000, 12'000, 1e12)), false, Precision::f32);
  EXPECT_LE(one.levels, none.levels + 3);
}

TEST(FarBodiesOpencl, get_the_accuracy_that_is_asked_for) {
  APSIS_NEED_DEVICE();
  for (const Kind& kind : far_kinds(2000)) {
    for (const bool tree : {false, true}) {
      for (const Precision precision : {Precision::f32, Precision::mixed}) {
        expect_accurate({.name = kind.name,
                         .bodies = precision == Precision::f32 ? rounded(kind.bodies) : kind.bodies,
                         .softening = 0.01,
                         .precision = precision,
                         .bodies_only = tree});
      }
    }
  }
}

TEST(FarBodiesOpencl, in_clumps_and_without_softening_get_the_accuracy_that_is_asked_for) {
  APSIS_NEED_DEVICE();
  for (const bool tree : {false, true}) {
    expect_accurate({.name = "clumps",
                     .bodies = clumps(6000, 100, 2e-8),
                     .softening = 1e-10,
                     .precision = Precision::mixed,
                     .bodies_only = tree});
    expect_accurate({.name = "two clusters",
                     .bodies = two_clusters_apart(4000, 1e9),
                     .precision = Precision::mixed,
                     .bodies_only = tree});
    expect_accurate({.name = "escapers",
                     .bodies = rounded(with_escapers(4000, 20, 1e12)),
                     .bodies_only = tree});
    expect_accurate({.name = "charges",
                     .bodies =
                         [] {
                           Bodies charges = rounded(cube(4000, true));
                           charges.x()[77] = 1e12F;
                           return charges;
                         }(),
                     .law = Law::coulomb,
                     .bodies_only = tree});
  }
}

TEST(DeepFarBodiesOpencl, get_it_at_high_orders_too) {
  APSIS_NEED_DEVICE();
  expect_accurate({.name = "1 % at 1e12",
                   .bodies = with_some_away(4000, 100, 1e12),
                   .softening = 0.01,
                   .accuracy = 2e-5,
                   .precision = Precision::mixed});
}

TEST(FarBodiesOpencl, have_the_same_bits_whatever_came_before) {
  APSIS_NEED_DEVICE();
  const std::array<Bodies, 4> sets{with_some_away(4000, 4000, 1e12), plummer(3000),
                                   with_escapers(4000, 100, 1e12), with_some_away(4000, 100, 1e5)};
  const Case one{.name = "far", .bodies = sets[0], .softening = 0.01};
  const auto used = solver(one);
  for (const std::size_t k : {0, 1, 2, 0, 3, 2, 1, 3, 0}) {
    const DeviceBodies there(sets[k], one.law, one.precision);
    PartialSums sums;
    sums.padded = there.padded;
    used->add_self_field(there.view(), {.field = &sums, .wanted = {.potential = true}});
    Case fresh = one;
    fresh.bodies = sets[k];
    EXPECT_EQ(summed(sums, sets[k].size(), one.precision), evaluated(fresh)) << "set " << k;
  }
}

// What a checker that interprets kernels has time for, each in a process of its own.
void expect_agreement_of_few(const Bodies& bodies, bool tree) {
  const Case c{.name = "far",
               .bodies = bodies,
               .softening = 0.02,
               .accuracy = 1e-2,
               .leaf = 4,
               .order = 2,
               .bodies_only = tree};
  EXPECT_LE(errors_of(c, evaluated(c)).p99, 5e-2);  // at so low an order
}

TEST(FarBodiesOpenclSmall, with_keys_of_one_word) {
  APSIS_NEED_DEVICE();
  Bodies bodies = awkward_bodies(60, false);
  bodies.x()[30] = 1e12F;
  expect_agreement_of_few(bodies, false);
}

TEST(FarBodiesOpenclSmall, with_keys_of_three_words) {
  APSIS_NEED_DEVICE();
  Bodies bodies = awkward_bodies(60, false);
  for (std::size_t i = 0; i < bodies.size(); i += 2) {
    bodies.set_position(i, std::ldexp(1.0, static_cast<int>(i / 2 + 1)) * bodies.position(i));
  }
  expect_agreement_of_few(bodies, true);
}

// Random crowds, lines and places, near each other and far away.
Bodies scattered(const std::vector<std::uint32_t>& numbers) {
  Bodies bodies(0);
  for (std::size_t group = 0; group < numbers.size(); ++group) {
    BodyRandom random(numbers[group], group);
    const double distance = std::pow(10.0, random.uniform(-3, 12));
    const double width = std::pow(10.0, random.uniform(-3, 3));
    const Vec3 middle = distance * random.in_ball();
    const auto kind = static_cast<int>(random.uniform(0, 4));
    const auto count = static_cast<std::size_t>(kind == 3 ? 1 : random.uniform(1, 400));
    const Bodies before = bodies;
    bodies = Bodies(before.size() + count);
    for (std::size_t i = 0; i < before.size(); ++i) {
      bodies.set_position(i, before.position(i));
      bodies.mass[i] = before.mass[i];
    }
    for (std::size_t i = before.size(); i < bodies.size(); ++i) {
      Vec3 place = width * random.in_ball();
      if (kind == 1) place.y = place.z = 0;  // a line
      if (kind == 2) place = {};             // one place
      bodies.set_position(i, middle + place);
      bodies.mass[i] = random.uniform(0.5, 1.5);
    }
  }
  return rounded(bodies);
}

// A tree keeps its word about itself; accuracy is not asked of bodies that float can't tell apart.
RC_GTEST_PROP(FarBodiesOpencl, of_any_kind_stand_in_leaves_that_are_not_crowded, ()) {
  if (discovery().devices.empty()) return;
  const auto numbers =
      *rc::gen::resize(12, rc::gen::nonEmpty(rc::gen::arbitrary<std::vector<std::uint32_t>>()));
  const Bodies bodies = scattered(numbers);
  const int leaf = 16;
  Tree tree(context(), {.leaf = leaf});
  const DeviceBodies there(bodies, Law::gravity, Precision::f32);
  tree.build({.sources = there.view(), .targets = {}});
  const auto nodes = static_cast<std::size_t>(tree.nodes());
  const auto range = contents<std::array<std::uint32_t, 2>>(tree.range(), nodes);
  const auto child = contents<std::uint32_t>(tree.child(), nodes);
  const auto order = contents<int>(tree.order(), bodies.size());
  std::size_t in_leaves = 0;
  for (std::size_t s = 0; s < nodes; ++s) {
    if (child[s] != 0) continue;
    const std::size_t count = range[s][1] - range[s][0];
    in_leaves += count;
    if (count <= leaf) continue;
    const Vec3 first = bodies.position(static_cast<std::size_t>(order[range[s][0]]));
    for (std::uint32_t i = range[s][0]; i < range[s][1]; ++i) {
      RC_ASSERT(bodies.position(static_cast<std::size_t>(order[i])) == first);
    }
  }
  RC_ASSERT(in_leaves == bodies.size());
}

}  // namespace
}  // namespace apsis

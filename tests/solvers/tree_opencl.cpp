// SPDX-License-Identifier: MIT
// Barnes and Hut on the first OpenCL device against the reference.
#include "far_opencl_support.hpp"
#include <apsis/core/error.hpp>
#include <apsis/solvers/tree/tree_opencl.hpp>

namespace apsis {
namespace {

using namespace test;

Case of_tree(Case c) {
  c.bodies_only = true;
  return c;
}

// Few orders: building kernels takes longer than running them.
TEST(TreeOpencl, meets_the_accuracy_that_is_asked_for) {
  APSIS_NEED_DEVICE();
  for (const double softening : {0.0, 0.01}) {
    expect_accurate(
        of_tree({.name = "plummer", .bodies = rounded(plummer(8000)), .softening = softening}));
    expect_accurate(of_tree({.name = "charges",
                             .bodies = rounded(cube(8000, true)),
                             .law = Law::coulomb,
                             .softening = softening}));
  }
  expect_accurate(
      of_tree({.name = "cube", .bodies = rounded(cube(8000)), .softening = 0.5, .accuracy = 1e-4}));
}

TEST(TreeOpencl, takes_any_number_of_bodies) {
  APSIS_NEED_DEVICE();
  for (const std::size_t n : {1, 2, 3, 63, 64, 65, 1000, 4097}) {
    for (const bool charged : {false, true}) {
      expect_accurate(of_tree({.name = charged ? "charges" : "masses",
                               .bodies = awkward_bodies(n, charged),
                               .law = charged ? Law::coulomb : Law::gravity,
                               .softening = n % 2 == 0 ? 0.02 : 0.0}));
    }
  }
}

TEST(TreeOpencl, no_bodies_are_no_work) {
  APSIS_NEED_DEVICE();
  const Case none = of_tree({.name = "none", .bodies = Bodies(0)});
  const DeviceBodies there(none.bodies, none.law, none.precision);
  PartialSums sums;
  solver(none)->add_self_field(there.view(), {.field = &sums, .wanted = {}});
  EXPECT_EQ(sums.used, 0);
}

TEST(TreeOpencl, holds_double_positions_in_mixed_precision) {
  APSIS_NEED_DEVICE();
  Bodies far_off = plummer(4000);
  for (double& x : far_off.x()) x += 1000;  // float resolves 6e-5 there
  expect_accurate(of_tree(
      {.name = "mixed", .bodies = far_off, .softening = 1e-3, .precision = Precision::mixed}));
}

TEST(TreeOpencl, ends_for_bodies_in_degenerate_places) {
  APSIS_NEED_DEVICE();
  Bodies one_place = rounded(random_bodies(3000)), line = one_place;
  std::ranges::fill(one_place.positions.values(), 0.75);
  std::ranges::fill(line.y(), 0.25);
  std::ranges::fill(line.z(), -0.25);
  Bodies outlier = rounded(plummer(3000));
  outlier.x()[77] = 1e4;
  // 200,000 in one place: as pairs they would take minutes
  Bodies crowd = rounded(random_bodies(200000));
  for (std::size_t i = 100; i < crowd.size(); ++i) crowd.x()[i] = crowd.y()[i] = crowd.z()[i] = 0.5;
  expect_accurate(of_tree({.name = "line", .bodies = line}));
  expect_accurate(of_tree({.name = "outlier", .bodies = outlier}));
  expect_accurate(of_tree({.name = "place", .bodies = one_place, .softening = 0.01}));
  const auto sums = evaluated(of_tree({.name = "crowd", .bodies = crowd, .softening = 0.01}));
  EXPECT_TRUE(std::all_of(sums.begin(), sums.end(), [](double v) { return std::isfinite(v); }));
}

TEST(TreeOpencl, gives_the_same_bits_again) {
  APSIS_NEED_DEVICE();
  const Case c = of_tree({.name = "plummer", .bodies = plummer(5000), .softening = 0.01});
  EXPECT_EQ(evaluated(c), evaluated(c));
}

TEST(TreeOpencl, a_higher_order_and_a_smaller_angle_are_more_accurate) {
  APSIS_NEED_DEVICE();
  const auto error = [](int order, double angle) {
    const Case c = of_tree({.name = "cube",
                            .bodies = rounded(cube(4000)),
                            .softening = 0.01,
                            .leaf = 16,
                            .angle = angle,
                            .order = order});
    return errors_of(c, evaluated(c)).p99;
  };
  const double low = error(2, 0.6);
  EXPECT_LT(error(4, 0.6), 0.3 * low);
  EXPECT_LT(error(2, 0.3), 0.5 * low);
}

TEST(TreeOpencl, says_what_it_is_and_what_it_chose) {
  APSIS_NEED_DEVICE();
  const Case c = of_tree({.name = "plummer", .bodies = rounded(plummer(3000)), .softening = 0.01});
  const auto tree = make_tree_opencl(
      context(), {.softening = c.softening, .bodies = c.bodies.size(), .calibrate = true});
  EXPECT_EQ(tree->name(), "tree");
  const DeviceBodies there(c.bodies, c.law, c.precision);
  PartialSums sums, again;
  sums.padded = again.padded = there.padded;
  tree->add_self_field(there.view(), {.field = &sums, .wanted = {}});
  const auto resumed =
      make_tree_opencl(context(), {.softening = c.softening,
                                   .bodies = c.bodies.size(),
                                   .calibrate = true,
                                   .chosen = std::get<FmmOpenclChoice>(tree->chosen())});
  resumed->add_self_field(there.view(), {.field = &again, .wanted = {}});
  EXPECT_EQ(resumed->sizes(), tree->sizes());
  EXPECT_EQ(summed(again, c.bodies.size(), c.precision),
            summed(sums, c.bodies.size(), c.precision));
  try {
    make_tree_opencl(context(), {.far_field = {.accuracy = 1e-9}});
    FAIL() << "no error";
  } catch (const Error& refused) {
    EXPECT_STREQ(refused.what(), "accuracy 1e-09 is beyond tree on OpenCL devices");
  }
}

// As FmmOpenclSmall: what a checker that interprets kernels has time for.
TEST(TreeOpenclSmall, agrees_with_the_reference) {
  APSIS_NEED_DEVICE();
  const Case c = of_tree({.name = "masses",
                          .bodies = awkward_bodies(60, false),
                          .softening = 0.02,
                          .accuracy = 1e-2,
                          .leaf = 4,
                          .order = 2});
  EXPECT_LE(errors_of(c, evaluated(c)).p99, 5e-2);  // at so low an order
}

}  // namespace
}  // namespace apsis

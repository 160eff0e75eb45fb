// SPDX-License-Identifier: MIT
// Fast multipoles on the first OpenCL device against the reference.
#include "far_opencl_support.hpp"
#include <apsis/core/error.hpp>

namespace apsis {
namespace {

using namespace test;

// Few orders: building kernels takes longer than running them.
TEST(FmmOpencl, meets_the_accuracy_that_is_asked_for) {
  APSIS_NEED_DEVICE();
  for (const double softening : {0.0, 0.01}) {
    expect_accurate({.name = "plummer", .bodies = rounded(plummer(8000)), .softening = softening});
    expect_accurate({.name = "cube", .bodies = rounded(cube(8000)), .softening = softening});
    expect_accurate({.name = "charges",
                     .bodies = rounded(cube(8000, true)),
                     .law = Law::coulomb,
                     .softening = softening});
  }
  expect_accurate({.name = "plummer", .bodies = rounded(plummer(8000)), .accuracy = 1e-4});
}

TEST(FmmOpencl, a_sampled_check_finds_the_tolerance_that_a_wish_takes) {
  APSIS_NEED_DEVICE();
  const Case c{.name = "plummer", .bodies = rounded(plummer(8000)), .softening = 0.01};
  const DeviceBodies there(c.bodies, c.law, c.precision);
  PartialSums sums;
  sums.padded = there.padded;
  const auto fmm = make_fmm_opencl(
      test::context(), {.softening = c.softening, .bodies = c.bodies.size(), .calibrate = true});
  const std::string before = fmm->sizes();
  fmm->add_self_field(there.view(), {.field = &sums, .wanted = {.potential = true}});
  EXPECT_NE(fmm->sizes(), before);
  const Errors errors = errors_of(c, test::summed(sums, c.bodies.size(), c.precision));
  EXPECT_LE(errors.p99, c.accuracy);
  EXPECT_GE(errors.p99, 0.2 * c.accuracy);  // and no more than that is paid for
}

// Of 4000 bodies every fourth is one that the choice is made on.
TEST(FmmOpencl, what_is_chosen_on_some_bodies_is_confirmed_on_others) {
  APSIS_NEED_DEVICE();
  for (const bool tree : {false, true}) {
    const Case c{.name = "line in a cube",
                 .bodies = easy_and_hard(4000, 4),
                 .softening = 0.01,
                 .accuracy = 5e-3};
    const DeviceBodies there(c.bodies, c.law, c.precision);
    PartialSums sums;
    sums.padded = there.padded;
    const auto solver = make_fmm_opencl(test::context(), {.bodies_only = tree,
                                                          .far_field = {.accuracy = c.accuracy},
                                                          .softening = c.softening,
                                                          .bodies = c.bodies.size(),
                                                          .calibrate = true});
    solver->add_self_field(there.view(), {.field = &sums, .wanted = {.potential = true}});
    const Errors errors = errors_of(c, test::summed(sums, c.bodies.size(), c.precision));
    EXPECT_LE(errors.p99, c.accuracy) << solver->name() << " " << solver->sizes();
  }
}

TEST(FmmOpencl, softens_the_far_field_too) {
  APSIS_NEED_DEVICE();
  expect_accurate({.name = "cube", .bodies = rounded(cube(5000)), .softening = 0.5});
  expect_accurate({.name = "plummer", .bodies = rounded(plummer(5000)), .softening = 100});
}

TEST(FmmOpencl, takes_any_number_of_bodies) {
  APSIS_NEED_DEVICE();
  for (const std::size_t n : {1, 2, 3, 63, 64, 65, 1000, 4097}) {
    for (const bool charged : {false, true}) {
      expect_accurate({.name = charged ? "charges" : "masses",
                       .bodies = awkward_bodies(n, charged),
                       .law = charged ? Law::coulomb : Law::gravity,
                       .softening = n % 2 == 0 ? 0.02 : 0.0});
    }
  }
}

TEST(FmmOpencl, no_bodies_are_no_work) {
  APSIS_NEED_DEVICE();
  const Case none{.name = "none", .bodies = Bodies(0)};
  const DeviceBodies there(none.bodies, none.law, none.precision);
  PartialSums sums;
  solver(none)->add_self_field(there.view(), {.field = &sums, .wanted = {}});
  EXPECT_EQ(sums.used, 0);
}

TEST(FmmOpencl, holds_double_positions_in_mixed_precision) {
  APSIS_NEED_DEVICE();
  Bodies far_off = plummer(4000);
  for (double& x : far_off.x()) x += 1000;  // float resolves 6e-5 there
  expect_accurate(
      {.name = "mixed", .bodies = far_off, .softening = 1e-3, .precision = Precision::mixed});
}

TEST(FmmOpencl, ends_for_bodies_in_degenerate_places) {
  APSIS_NEED_DEVICE();
  Bodies one_place = test::random_bodies(3000), line = rounded(one_place);
  std::ranges::fill(one_place.positions.values(), 0.75);
  std::ranges::fill(line.y(), 0.25);
  std::ranges::fill(line.z(), -0.25);
  Bodies outlier = rounded(plummer(3000));
  outlier.x()[77] = 1e4;
  // 200,000 in one place: as pairs they would take minutes
  Bodies crowd = rounded(test::random_bodies(200000));
  for (std::size_t i = 100; i < crowd.size(); ++i) crowd.x()[i] = crowd.y()[i] = crowd.z()[i] = 0.5;
  for (const double softening : {0.0, 0.01}) {
    const Case on_line{.name = "line", .bodies = line, .softening = softening};
    const Errors errors = errors_of(on_line, evaluated(on_line));
    // with softening, forces along a line cancel to a hundredth of their parts
    EXPECT_LE(errors.p99, softening > 0 ? 0.1 : on_line.accuracy);
    EXPECT_LE(errors.potential_p99, on_line.accuracy);
    expect_accurate({.name = "outlier", .bodies = outlier, .softening = softening});
    expect_accurate({.name = "place", .bodies = rounded(one_place), .softening = softening});
    const auto sums = evaluated({.name = "crowd", .bodies = crowd, .softening = softening});
    EXPECT_TRUE(std::all_of(sums.begin(), sums.end(), [](double v) { return std::isfinite(v); }));
  }
}

TEST(FmmOpencl, gives_the_same_bits_again_whatever_came_before) {
  APSIS_NEED_DEVICE();
  const Case c{.name = "plummer", .bodies = plummer(5000), .softening = 0.01};
  const auto first = evaluated(c);
  const auto again = solver(c);
  const DeviceBodies there(c.bodies, c.law, c.precision);
  const DeviceBodies other(cube(3000), c.law, c.precision);
  for (const DeviceBodies* bodies : {&there, &other, &there}) {
    PartialSums sums;
    sums.padded = bodies->padded;
    again->add_self_field(bodies->view(), {.field = &sums, .wanted = {.potential = true}});
    const auto got = test::summed(sums, bodies->count, c.precision);
    EXPECT_EQ(got == first, bodies == &there);
  }
}

TEST(FmmOpencl, the_field_alone_is_that_with_the_potential_and_adds_to_what_is_there) {
  APSIS_NEED_DEVICE();
  const Case c{.name = "plummer", .bodies = plummer(2000), .softening = 0.01};
  const auto both = evaluated(c);
  const DeviceBodies there(c.bodies, c.law, c.precision);
  PartialSums sums;
  sums.padded = there.padded;
  const auto fmm = solver(c);
  fmm->add_self_field(there.view(), {.field = &sums, .wanted = {}});
  fmm->add_self_field(there.view(), {.field = &sums, .wanted = {}});
  EXPECT_EQ(sums.used, 2);
  const auto twice = test::summed(sums, 2000, c.precision);
  for (std::size_t i = 0; i < 2000; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(twice[4 * i + k] / 2, both[4 * i + k], 1e-5 * std::abs(both[4 * i + k]) + 1e-6);
    }
  }
}

TEST(FmmOpencl, one_set_acts_on_another) {
  APSIS_NEED_DEVICE();
  const Case c{.name = "plummer", .bodies = rounded(plummer(4000)), .softening = 0.01};
  const Bodies targets = rounded(test::random_bodies(1500));
  const DeviceBodies from(c.bodies, c.law, c.precision), to(targets, c.law, c.precision);
  PartialSums sums;
  sums.padded = to.padded;
  solver(c)->add_field(from.view(), to.view(), {.field = &sums, .wanted = {.potential = true}});
  const auto got = test::summed(sums, 1500, c.precision);
  std::vector<double> x(1500), y(x), z(x), potential(x), errors;
  ReferenceSolver(c.softening)
      .add_field({4000, c.bodies.x().data(), c.bodies.y().data(), c.bodies.z().data(),
                  c.bodies.mass.data()},
                 {1500, targets.x().data(), targets.y().data(), targets.z().data()},
                 {x.data(), y.data(), z.data(), potential.data()});
  for (std::size_t i = 0; i < 1500; ++i) {
    const Vec3 expected{x[i], y[i], z[i]};
    errors.push_back(norm(Vec3{got[4 * i], got[4 * i + 1], got[4 * i + 2]} - expected) /
                     norm(expected));
    EXPECT_NEAR(got[4 * i + 3], potential[i], 1e-3 * potential[i]);
  }
  EXPECT_LE(at_share(errors, 0.99), c.accuracy);
}

TEST(FmmOpencl, a_higher_order_and_a_smaller_angle_are_more_accurate) {
  APSIS_NEED_DEVICE();
  const auto error = [](int order, double angle) {
    const Case c{.name = "cube",
                 .bodies = rounded(cube(4000)),
                 .softening = 0.01,
                 .leaf = 16,
                 .angle = angle,
                 .order = order};
    return errors_of(c, evaluated(c)).p99;
  };
  const double low = error(2, 0.6), high = error(5, 0.6);
  EXPECT_LT(high, 0.2 * low);
  EXPECT_LT(error(2, 0.3), 0.5 * low);
}

TEST(FmmOpencl, refuses_what_it_can_not_give_and_says_what_it_can) {
  const auto message = [](const FmmOpenclSettings& settings) -> std::string {
    try {
      fmm_opencl_choice(settings);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_data);
      return std::string(error.what()) + "; " + error.remedy();
    }
    return "";
  };
  EXPECT_NE(message({.precision = Precision::f64}).find("f32 or mixed"), std::string::npos);
  EXPECT_NE(message({.far_field = {.accuracy = 1e-9}}).find("1e-05 can be reached"),
            std::string::npos);
  EXPECT_NE(message({.far_field = {.order = 12}}).find("give 2 to 8"), std::string::npos);
  EXPECT_NE(message({.far_field = {.opening_angle = 2}}).find("not in (0, 1]"), std::string::npos);
  EXPECT_EQ(message({}), "");
}

TEST(FmmOpencl, says_what_it_chose) {
  EXPECT_EQ(text_of({.order = 5, .angle = 0.8, .tolerance = 1e-3, .leaf = 64}),
            "order=5 angle=0.8 tolerance=0.001 leaf=64");
  const auto choice = fmm_opencl_choice({.far_field = {.opening_angle = 0.5, .order = 4}});
  EXPECT_EQ(to_string(choice), "order=4 angle=0.5 leaf=64");
}

// What a checker that interprets kernels has time for: short expansions, and leaves so small that
// nodes meet in every way.
TEST(FmmOpenclSmall, agrees_with_the_reference) {
  APSIS_NEED_DEVICE();
  const Case c{.name = "masses",
               .bodies = awkward_bodies(60, false),
               .softening = 0.02,
               .accuracy = 1e-2,
               .leaf = 4,
               .order = 2};
  EXPECT_LE(errors_of(c, evaluated(c)).p99, 5e-2);  // at so low an order
}

// Bodies stored from the last to the first, with the user's order told: not a bit is another.
TEST(FmmOpencl, sums_have_the_users_order_wherever_bodies_are_stored) {
  APSIS_NEED_DEVICE();
  const std::size_t n = 60;
  for (const bool bodies_only : {false, true}) {
    Case c{.name = "masses",
           .bodies = test::random_bodies(n),
           .softening = 0.02,
           .accuracy = 1e-2,
           .leaf = 16,
           .order = 2,
           .bodies_only = bodies_only};
    const std::vector<double> expected = evaluated(c);
    for (const auto column : {c.bodies.x(), c.bodies.y(), c.bodies.z(), std::span(c.bodies.mass)}) {
      std::ranges::reverse(column);
    }
    std::vector<std::int32_t> numbers(n);
    for (std::size_t k = 0; k < n; ++k) numbers[k] = static_cast<std::int32_t>(n - 1 - k);
    device::Buffer order = test::context().buffer(n * sizeof numbers[0], "the order of the bodies");
    order.write(std::span<const std::int32_t>(numbers));
    const test::DeviceBodies there(c.bodies, c.law, c.precision);
    BodiesView<Device> view = there.view();
    view.order = &order;
    PartialSums sums;
    sums.padded = there.padded;
    solver(c)->add_self_field(view, {.field = &sums, .wanted = {.potential = true}});
    const std::vector<double> got = test::summed(sums, n, c.precision);
    for (std::size_t k = 0; k < 4 * n; ++k) {
      EXPECT_EQ(got[4 * (n - 1 - k / 4) + k % 4], expected[k]) << "body " << k / 4;
    }
    view.order = nullptr;  // the test would not see it if leaves were too small
    sums.used = 0;
    solver(c)->add_self_field(view, {.field = &sums, .wanted = {.potential = true}});
    EXPECT_NE(test::summed(sums, n, c.precision), got);
  }
}

}  // namespace
}  // namespace apsis

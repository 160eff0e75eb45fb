// SPDX-License-Identifier: MIT
// The solver `bins`, native and on the first OpenCL device, by the same claims: exact where all
// bins are near, one body with a dipole where they are not, and every body in exactly one bin.
#include "bins_support.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

namespace apsis {
namespace {

using namespace bins_test;

void expect_exact_where_all_is_near(const Case& where, std::size_t n, double softening,
                                    bool charged, const std::vector<int>& numbers = {1, 2}) {
  SCOPED_TRACE(fmt::format("{} bodies, softening {}, charged {}", n, softening, charged));
  const Bodies bodies = awkward_bodies(n, charged, std::get<1>(where));
  const Fields expected = by_reference(bodies, softening);
  const Fields magnitudes = by_reference(bodies, softening, nullptr, true);
  for (const int bins : numbers) {
    const Cuts cuts{{.box = {}, .bins = bins}, softening};
    expect_equal(by_bins(where, bodies, cuts), expected, magnitudes, rounding(where));
  }
}

const auto precisions = testing::Values(Precision::f32, Precision::mixed, Precision::f64);
std::string case_name(const testing::TestParamInfo<Case>& info) {
  return fmt::format("{}_{}", std::get<0>(info.param) == Place::host ? "cpu" : "opencl",
                     name_of(std::get<1>(info.param)));
}

class BinsTest : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Places, BinsTest,
                         testing::Combine(testing::Values(Place::host, Place::device), precisions),
                         case_name);

// A few bodies: also what a checker that interprets kernels has time for.
class BinsOpenclSmallTest : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Places, BinsOpenclSmallTest,
                         testing::Combine(testing::Values(Place::device), precisions), case_name);

TEST_P(BinsOpenclSmallTest, few_bodies_agree_with_the_reference_and_with_the_native_solver) {
  NEED_PLACE();
  const Precision precision = std::get<1>(GetParam());
  expect_exact_where_all_is_near(GetParam(), 3, 0.0, true, {1});
  expect_exact_where_all_is_near(GetParam(), 65, 0.02, true, {2});
  const Bodies bodies = awkward_bodies(65, true, precision);
  const Cuts cuts{{.box = around, .bins = 4}, 0.0};
  expect_equal(by_bins(GetParam(), bodies, cuts), by_bins({Place::host, precision}, bodies, cuts),
               by_reference(bodies, 0, nullptr, true), rounding(GetParam()));
}

TEST_P(BinsTest, is_exact_where_all_bins_are_near) {
  NEED_PLACE();
  for (const std::size_t n : {1, 2, 3, 63, 64, 65, 1000}) {
    for (const double softening : {0.0, 0.02}) {
      for (const bool charged : {false, true}) {
        expect_exact_where_all_is_near(GetParam(), n, softening, charged);
      }
    }
  }
}

TEST_P(BinsTest, far_bins_err_no_more_than_their_expansion_leaves_out) {
  NEED_PLACE();
  const Precision precision = std::get<1>(GetParam());
  for (const bool charged : {false, true}) {
    const Bodies bodies = awkward_bodies(600, charged, precision);
    const BinsGrid<double> grid(8, {-1, -1, -1}, {1, 1, 1});
    const auto bounds = expansion_bounds(bodies, grid);
    const Fields expected = by_reference(bodies, 0.02);
    const Fields got = by_bins(GetParam(), bodies, {{.box = around, .bins = 8}});
    double error = 0, largest = largest_of(expected);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double own = norm(got[i].field - expected[i].field);
      EXPECT_LE(own, bounds[i] + rounding(GetParam()) * largest) << "body " << i;
      error = std::max(error, own / norm(expected[i].field));
    }
    EXPECT_GT(error, 1e-4);
  }
}

TEST_P(BinsTest, a_far_bin_of_masses_is_one_body_at_their_centre) {
  NEED_PLACE();
  Bodies bodies(3);
  bodies.mass = {1, 1, 3};
  bodies.set_position(1, {0.75, 0, 0}), bodies.set_position(2, {0.875, 0, 0});
  const Fields got = by_bins(GetParam(), bodies, {{.box = around, .bins = 8}, 0.0});
  const double centre = (0.75 + 3 * 0.875) / 4;
  EXPECT_NEAR(got[0].field.x, 4 / (centre * centre), 1e-5);
  EXPECT_NEAR(got[0].potential, 4 / centre, 1e-5);
}

TEST_P(BinsTest, a_far_bin_of_opposite_charges_is_a_dipole) {
  NEED_PLACE();
  Bodies bodies(3, true);
  bodies.mass = {1, 1, 1};
  bodies.charge = {1, 2, -2};
  bodies.set_position(1, {0.75, 0, 0}), bodies.set_position(2, {0.875, 0.125, 0});
  const Vec3 r{0.8125, 0.0625, 0}, dipole{-0.25, -0.25, 0};
  for (const double softening : {0.0, 0.25}) {
    const double rho = std::sqrt(dot(r, r) + softening * softening), cube = rho * rho * rho;
    const Vec3 field = (1 / cube) * dipole - (3 * dot(dipole, r) / (cube * rho * rho)) * r;
    const Fields got = by_bins(GetParam(), bodies, {{.box = around, .bins = 8}, softening});
    EXPECT_LE(norm(got[0].field - field), 1e-6);
    EXPECT_NEAR(got[0].potential, -dot(dipole, r) / cube, 1e-6);
  }
}

TEST_P(BinsTest, bodies_outside_the_box_count_with_the_bins_at_its_border) {
  NEED_PLACE();
  const Bodies bodies = awkward_bodies(100, false, std::get<1>(GetParam()));
  const Fields expected = by_reference(bodies, 0.02);
  // all of them in the corners of a box beside them, and so near to each other
  const Cuts cuts{{.box = {{0.25, 0.375, 0.25, 0.375, 0.25, 0.375}}, .bins = 2}};
  expect_equal(by_bins(GetParam(), bodies, cuts), expected, expected, rounding(GetParam()));
}

TEST_P(BinsTest, two_sets_act_on_each_other) {
  NEED_PLACE();
  const Precision precision = std::get<1>(GetParam());
  const Bodies sources = awkward_bodies(200, false, precision);
  const Bodies targets = rounded_to(test::random_bodies(77, 5), precision);
  const Fields expected = by_reference(sources, 0.02, &targets);
  expect_equal(by_bins(GetParam(), sources, {{.box = {}, .bins = 2}}, &targets), expected, expected,
               rounding(GetParam()));
  const Cuts fine{{.box = around, .bins = 6}};
  expect_equal(by_bins(GetParam(), sources, fine, &targets),
               by_bins({Place::host, precision}, sources, fine, &targets), expected,
               rounding(GetParam()));
}

TEST_P(BinsTest, places_and_threads_agree) {
  NEED_PLACE();
  const Precision precision = std::get<1>(GetParam());
  const Bodies bodies = awkward_bodies(1000, true, precision);
  const Cuts cuts{{.box = around, .bins = 8}, 0.0};
  const Fields got = by_bins(GetParam(), bodies, cuts);
  expect_equal(got, by_bins({Place::host, precision}, bodies, cuts),
               by_reference(bodies, 0, nullptr, true), rounding(GetParam()));
  for (const int threads : {2, 3}) {
    Cuts other = cuts;
    other.threads = threads;
    EXPECT_EQ(by_bins(GetParam(), bodies, other), got) << threads << " threads";
  }
}

TEST_P(BinsTest, adds_to_what_is_there) {
  NEED_PLACE();
  const Bodies bodies = awkward_bodies(65, false, std::get<1>(GetParam()));
  const Cuts cuts{{.box = around, .bins = 4}};
  Fields twice = by_bins(GetParam(), bodies, cuts, nullptr, 2);
  for (PointField& f : twice) f = {0.5 * f.field, 0.5 * f.potential};
  expect_equal(twice, by_bins(GetParam(), bodies, cuts), by_reference(bodies, 0.02),
               rounding(GetParam()));
}

Bodies stretched(std::size_t n, Vec3 by, double outlier) {
  Bodies b = test::random_bodies(n, 3, true);
  for (std::size_t i = 0; i < n; ++i) {
    b.set_position(i, {by.x * b.x()[i], by.y * b.y()[i], by.z * b.z()[i]});
  }
  if (n > 0) b.x()[0] += outlier;
  return b;
}

TEST_P(BinsTest, degenerate_bodies_give_finite_fields) {
  NEED_PLACE();
  const Precision precision = std::get<1>(GetParam());
  for (const Bodies& shape : {stretched(50, {0, 0, 0}, 0), stretched(50, {1, 0, 0}, 0),
                              stretched(50, {1e-7, 1e-7, 1e-7}, 1), stretched(50, {1, 1, 0}, 1e4),
                              stretched(0, {1, 1, 1}, 0)}) {
    for (const double softening : {0.0, 0.02}) {
      for (const std::optional<int> bins : {std::optional<int>{}, std::optional(7)}) {
        const Fields got = by_bins(GetParam(), rounded_to(shape, precision),
                                   {{.box = {}, .bins = bins}, softening});
        EXPECT_EQ(got.size(), shape.size());
        for (const PointField& f : got) {
          EXPECT_TRUE(std::isfinite(dot(f.field, f.field)) && std::isfinite(f.potential));
        }
      }
    }
  }
}

TEST(Bins, their_number_follows_from_that_of_the_bodies) {
  EXPECT_EQ(bins_for(0), 1);
  EXPECT_EQ(bins_for(32'000), 10);
  EXPECT_EQ(bins_for(320'000), 14);
  EXPECT_EQ(bins_for(std::size_t{1} << 62), most_bins);
}

TEST(Bins, bodies_outside_are_counted_and_told) {
  Bodies bodies(3);
  bodies.set_position(1, {0.5, 0, 0}), bodies.set_position(2, {0, 0, -2});
  EXPECT_EQ(bodies_outside(bodies, around), 1U);
  EXPECT_THAT(outside_notice(1), testing::HasSubstr("a body outside the box"));
  EXPECT_THAT(outside_notice(12), testing::HasSubstr("12 bodies outside the box"));
}

TEST(Bins, every_place_is_in_one_bin) {
  const BinsGrid<float> grid(3, {0, 0, 0}, {3, 3, 0});
  EXPECT_EQ(grid.bin_of(0, 0, 0), 0U);
  EXPECT_EQ(grid.bin_of(3, 3, 0), 8U);
  EXPECT_EQ(grid.bin_of(-1e30F, 1e30F, 7), 6U);
  EXPECT_EQ(grid.bin_of(std::nanf(""), 1.5F, 0), 3U);
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
// Every variant of the direct solver on the first OpenCL device against the reference: precisions,
// laws, softenings, sizes, awkward bodies, and everything that a field can be asked for.
#include <apsis/core/columns.hpp>
#include <apsis/core/error.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>
#include <apsis/solvers/reference.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/opencl.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace apsis {
namespace {

using test::DeviceBodies;

// Random bodies, some in one place, some without mass or charge, signs mixed.
Bodies awkward_bodies(std::size_t n, bool charged) {
  Bodies b = test::random_bodies(n, 11, charged);
  for (std::size_t i = 7; i < n; i += 16) {
    b.x()[i] = b.x()[i - 3], b.y()[i] = b.y()[i - 3], b.z()[i] = b.z()[i - 3];
  }
  for (std::size_t i = 5; i < n; i += 11) (charged ? b.charge : b.mass)[i] = 0;
  return b;
}

Bodies rounded_to(Bodies b, Precision precision) {
  if (precision != Precision::f32) return b;
  for (const std::span<double> column :
       {b.positions.values(), b.velocities.values(), std::span(b.mass), std::span(b.charge)}) {
    for (double& value : column) value = static_cast<double>(static_cast<float>(value));
  }
  return b;
}

struct Expected {
  std::vector<double> x, y, z, potential, jx, jy, jz, magnitude;
  double largest_field = 0, largest_jerk = 0;

  Expected(const Bodies& b, Law law, double softening)
      : x(b.size()), y(x), z(x), potential(x), jx(x), jy(x), jz(x), magnitude(x) {
    std::vector<double> strength = strengths(b, law);
    BodiesView<Host<double>> view{b.size(),        b.x().data(),  b.y().data(),  b.z().data(),
                                  strength.data(), b.vx().data(), b.vy().data(), b.vz().data()};
    ReferenceSolver reference(softening);
    reference.add_self_field(
        view, {x.data(), y.data(), z.data(), potential.data(), jx.data(), jy.data(), jz.data()});
    // signed charges cancel: rounding is proportional to the sum of magnitudes
    for (double& s : strength) s = std::abs(s);
    reference.add_self_field(view, {.potential = magnitude.data()});
    for (std::size_t i = 0; i < b.size(); ++i) {
      largest_field = std::max(largest_field, norm({x[i], y[i], z[i]}));
      largest_jerk = std::max(largest_jerk, norm({jx[i], jy[i], jz[i]}));
    }
  }
};

struct Got {
  PartialSums field, jerk;
  Wants wanted;

  Got(const DeviceBodies& bodies, Wants wants) : wanted(wants) {
    field.padded = jerk.padded = bodies.padded;
  }
  Field<Device> view() { return {&field, &jerk, wanted}; }
};

double tolerance_of(Precision precision) {
  // the device's approximate root is good to a few units of 1e-7 once cubed; double sums of a few
  // thousand terms in blocks lose some units of 1e-16
  return precision == Precision::f64 ? 1e-14 : 2e-6;
}

std::unique_ptr<Solver<Device>> solver(const std::string& variant, Precision precision,
                                       double softening, std::size_t n) {
  return make_direct_opencl(
      test::context(),
      {.softening = softening, .precision = precision, .variant = variant, .bodies = n});
}

void expect_field(const std::vector<double>& got, const Expected& expected, std::size_t n,
                  double tolerance) {
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 difference{got[4 * i] - expected.x[i], got[4 * i + 1] - expected.y[i],
                          got[4 * i + 2] - expected.z[i]};
    EXPECT_LE(norm(difference), tolerance * expected.largest_field) << "body " << i;
  }
}

void expect_like_reference(const std::string& variant, Precision precision, std::size_t n,
                           double softening, bool charged) {
  SCOPED_TRACE(
      fmt::format("{} bodies, softening {}, {}", n, softening, charged ? "charges" : "masses"));
  const Law law = charged ? Law::coulomb : Law::gravity;
  const Bodies bodies = rounded_to(awkward_bodies(n, charged), precision);
  const Expected expected(bodies, law, softening);
  const DeviceBodies there(bodies, law, precision);
  const auto direct = solver(variant, precision, softening, n);
  const double tolerance = tolerance_of(precision);

  Got both(there, {.potential = true});
  direct->add_self_field(there.view(), both.view());
  const auto sums = test::summed(both.field, n, precision);
  expect_field(sums, expected, n, tolerance);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_LE(std::abs(sums[4 * i + 3] - expected.potential[i]), tolerance * expected.magnitude[i])
        << "potential of body " << i;
  }
}

using Case = std::tuple<std::string, Precision>;
std::string case_name(const testing::TestParamInfo<Case>& info) {
  return fmt::format("{}_{}", std::get<0>(info.param), name_of(std::get<1>(info.param)));
}
const auto all_cases =
    testing::Combine(testing::ValuesIn(direct_opencl_variant_names()),
                     testing::Values(Precision::f32, Precision::mixed, Precision::f64));

class DirectOpenclTest : public testing::TestWithParam<Case> {};
// A few bodies: also what a checker that interprets kernels has time for.
class DirectOpenclSmallTest : public testing::TestWithParam<Case> {};

TEST_P(DirectOpenclSmallTest, few_bodies_agree_with_the_reference) {
  APSIS_NEED_DEVICE();
  const auto& [variant, precision] = GetParam();
  for (const std::size_t n : {1, 2, 3, 65}) {
    expect_like_reference(variant, precision, n, n == 3 ? 0.0 : 0.02, n != 65);
  }
}

TEST_P(DirectOpenclTest, field_and_potential_agree_with_the_reference) {
  APSIS_NEED_DEVICE();
  const auto& [variant, precision] = GetParam();
  for (const std::size_t n : {1, 2, 3, 63, 64, 65, 1000, 4097}) {
    for (const double softening : {0.0, 0.02}) {
      for (const bool charged : {false, true}) {
        expect_like_reference(variant, precision, n, softening, charged);
      }
    }
  }
}

TEST_P(DirectOpenclTest, the_field_alone_is_that_with_the_potential_and_adds_to_what_is_there) {
  APSIS_NEED_DEVICE();
  const auto& [variant, precision] = GetParam();
  const std::size_t n = 1000;
  const Bodies bodies = rounded_to(awkward_bodies(n, false), precision);
  const Expected expected(bodies, Law::gravity, 0.02);
  const DeviceBodies there(bodies, Law::gravity, precision);
  const auto direct = solver(variant, precision, 0.02, n);
  Got once(there, {});
  direct->add_self_field(there.view(), once.view());
  expect_field(test::summed(once.field, n, precision), expected, n, tolerance_of(precision));

  direct->add_self_field(there.view(), once.view());
  auto twice = test::summed(once.field, n, precision);
  for (double& value : twice) value /= 2;
  expect_field(twice, expected, n, tolerance_of(precision));
}

TEST_P(DirectOpenclTest, repeats_give_the_same_bits) {
  APSIS_NEED_DEVICE();
  const auto& [variant, precision] = GetParam();
  const DeviceBodies there(awkward_bodies(1000, false), Law::gravity, precision);
  const auto direct = solver(variant, precision, 0.02, 1000);
  std::vector<double> first;
  for (int repeat = 0; repeat < 5; ++repeat) {
    Got got(there, {});
    direct->add_self_field(there.view(), got.view());
    const auto sums = test::summed(got.field, 1000, precision);
    if (repeat == 0) first = sums;
    EXPECT_EQ(sums, first);
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, DirectOpenclTest, all_cases, case_name);
INSTANTIATE_TEST_SUITE_P(Variants, DirectOpenclSmallTest, all_cases, case_name);

class DirectOpenclJerkTest : public testing::TestWithParam<Precision> {};
TEST_P(DirectOpenclJerkTest, field_potential_and_jerk_agree_with_the_reference) {
  APSIS_NEED_DEVICE();
  const Precision precision = GetParam();
  for (const std::size_t n : {1, 2, 65, 1000}) {
    const Bodies bodies = rounded_to(awkward_bodies(n, false), precision);
    const Expected expected(bodies, Law::gravity, 0.02);
    const DeviceBodies there(bodies, Law::gravity, precision);
    Got got(there, {.potential = true, .jerk = true});
    solver("", precision, 0.02, n)->add_self_field(there.view(), got.view());
    const double tolerance = tolerance_of(precision);
    const auto field = test::summed(got.field, n, precision);
    const auto jerk = test::summed(got.jerk, n, precision);
    expect_field(field, expected, n, tolerance);
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3 difference{jerk[4 * i] - expected.jx[i], jerk[4 * i + 1] - expected.jy[i],
                            jerk[4 * i + 2] - expected.jz[i]};
      // more products a pair than the field
      EXPECT_LE(norm(difference), 4 * tolerance * expected.largest_jerk) << "body " << i;
      EXPECT_LE(std::abs(field[4 * i + 3] - expected.potential[i]),
                tolerance * expected.magnitude[i]);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Precisions, DirectOpenclJerkTest,
                         testing::Values(Precision::f32, Precision::mixed, Precision::f64),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

TEST(DirectOpencl, two_sets_act_on_each_other_as_one) {
  APSIS_NEED_DEVICE();
  const Bodies all = test::random_bodies(300, 3);
  const Bodies left = part_of(all, 0, 100), right = part_of(all, 100, 200);
  const Expected expected(all, Law::gravity, 0.02);
  const DeviceBodies a(left, Law::gravity, Precision::f64), b(right, Law::gravity, Precision::f64);
  for (const char* variant : {"symmetric", "rows"}) {
    const auto direct = solver(variant, Precision::f64, 0.02, 300);
    Got at_a(a, {.potential = true}), at_b(b, {.potential = true});
    direct->add_self_field(a.view(), at_a.view());
    direct->add_self_field(b.view(), at_b.view());
    direct->add_mutual_field(a.view(), b.view(), at_a.view(), at_b.view());
    auto sums = test::summed(at_a.field, 100, Precision::f64);
    const auto others = test::summed(at_b.field, 200, Precision::f64);
    sums.insert(sums.end(), others.begin(), others.end());
    expect_field(sums, expected, 300, 1e-14);
    for (std::size_t i = 0; i < 300; ++i) {
      EXPECT_NEAR(sums[4 * i + 3], expected.potential[i], 1e-13 * expected.potential[i]);
    }
  }
}

TEST(DirectOpencl, equal_strengths_are_left_out_of_the_loops_without_a_trace) {
  APSIS_NEED_DEVICE();
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const std::size_t n : {1, 65, 1000}) {
      Bodies bodies = rounded_to(test::random_bodies(n, 5), precision);
      std::fill(bodies.mass.begin(), bodies.mass.end(), 0.375);
      const Expected expected(bodies, Law::gravity, 0.02);
      const DeviceBodies there(bodies, Law::gravity, precision);
      Got got(there, {.potential = true});
      make_direct_opencl(test::context(), {.softening = 0.02,
                                           .precision = precision,
                                           .variant = "symmetric",
                                           .equal_strength = 0.375,
                                           .bodies = n})
          ->add_self_field(there.view(), got.view());
      const auto sums = test::summed(got.field, n, precision);
      expect_field(sums, expected, n, tolerance_of(precision));
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_LE(std::abs(sums[4 * i + 3] - expected.potential[i]),
                  tolerance_of(precision) * expected.magnitude[i]);
      }
    }
  }
}

// Sums of a solver with the given sizes, in `reproducible` mode.
std::vector<double> reproducible_sums(const std::string& variant, Precision precision,
                                      DirectSizes sizes) {
  const DeviceBodies there(test::random_bodies(1000, 9), Law::gravity, precision);
  Got got(there, {});
  make_direct_opencl(test::context(), {.softening = 0.02,
                                       .precision = precision,
                                       .variant = variant,
                                       .sizes = sizes,
                                       .reproducible = true,
                                       .bodies = 1000})
      ->add_self_field(there.view(), got.view());
  return test::summed(got.field, 1000, precision);
}

TEST(DirectOpencl, reproducible_sums_do_not_depend_on_the_size_of_a_group) {
  APSIS_NEED_DEVICE();
  for (const Precision precision : {Precision::f32, Precision::mixed, Precision::f64}) {
    for (const char* variant : {"rows", "naive", "symmetric"}) {
      const auto first = reproducible_sums(variant, precision, {.group = 32});
      const bool small = std::string(variant) != "symmetric";
      for (const int group : {1, 4, 16, 96, 256}) {
        if (group < 32 && !small) continue;
        EXPECT_EQ(reproducible_sums(variant, precision, {.group = group}), first)
            << variant << " in groups of " << group;
      }
    }
  }
}

TEST(DirectOpencl, reproducible_double_sums_are_the_same_for_all_one_sided_variants) {
  APSIS_NEED_DEVICE();
  const auto first = reproducible_sums("naive", Precision::f64, {});
  for (const char* variant : {"packed3", "float4", "tiled", "unrolled", "rows", "wide"}) {
    EXPECT_EQ(reproducible_sums(variant, Precision::f64, {}), first) << variant;
  }
  EXPECT_EQ(reproducible_sums("wide", Precision::f64, {.rows = 1, .width = 4}), first);
}

TEST(DirectOpencl, reproducible_double_sums_are_those_of_the_native_solver_bit_for_bit) {
  APSIS_NEED_DEVICE();
  for (const std::size_t n : {5, 1000, 4500}) {
    for (const double softening : {0.0, 0.02}) {
      const Bodies b = awkward_bodies(n, false);
      std::vector<double> x(n), y(n), z(n), potential(n);
      make_direct_host<double>(
          {.force = {.softening = softening},
           .device = {.precision = Precision::f64, .threads = 2, .reproducible = true}})
          ->add_self_field({n, b.x().data(), b.y().data(), b.z().data(), b.mass.data()},
                           {x.data(), y.data(), z.data(), potential.data()});
      const DeviceBodies there(b, Law::gravity, Precision::f64);
      Got got(there, {.potential = true});
      make_direct_opencl(
          test::context(),
          {.softening = softening, .precision = Precision::f64, .reproducible = true, .bodies = n})
          ->add_self_field(there.view(), got.view());
      const auto sums = test::summed(got.field, n, Precision::f64);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(sums[4 * i], x[i]) << i;
        EXPECT_EQ(sums[4 * i + 1], y[i]) << i;
        EXPECT_EQ(sums[4 * i + 2], z[i]) << i;
        EXPECT_EQ(sums[4 * i + 3], potential[i]) << i;
      }
    }
  }
}

TEST(DirectOpencl, no_bodies_are_no_work) {
  APSIS_NEED_DEVICE();
  for (const std::string& variant : direct_opencl_variant_names()) {
    const DeviceBodies there(Bodies(0), Law::gravity, Precision::f32);
    Got got(there, {});
    solver(variant, Precision::f32, 0.02, 0)->add_self_field(there.view(), got.view());
    EXPECT_EQ(got.field.used, 0);
  }
}

TEST(DirectOpencl, sizes_that_do_not_fit_are_refused_with_the_remedy) {
  APSIS_NEED_DEVICE();
  const auto message = [](const std::string& variant, DirectSizes sizes) -> std::string {
    try {
      make_direct_opencl(test::context(), {.variant = variant, .sizes = sizes, .bodies = 100});
    } catch (const Error& error) {
      return std::string(error.what()) + "; " + error.remedy();
    }
    return "";
  };
  EXPECT_NE(message("tiled", {.group = 100}).find("multiple of 32"), std::string::npos);
  EXPECT_NE(message("tiled", {.group = 6}).find("1, 2, 4, 8, 16 or"), std::string::npos);
  EXPECT_NE(message("symmetric", {.group = 16}).find("multiple of 32"), std::string::npos);
  EXPECT_NE(message("wide", {.group = 64}).find("leave their size out"), std::string::npos);
  EXPECT_NE(message("tiled", {.group = 1 << 20}).find("at most"), std::string::npos);
  EXPECT_NE(message("symmetric", {.rows = 5}).find("divides 96"), std::string::npos);
  EXPECT_NE(message("wide", {.width = 3}).find("4, 8 or 16"), std::string::npos);
  EXPECT_NE(message("symetric", {}).find("did you mean 'symmetric'?"), std::string::npos);
}

// A group of 4, as the tutorial has it for a CPU, at sizes that no group divides.
TEST(DirectOpencl, small_groups_give_the_forces_and_jerks_of_large_ones) {
  APSIS_NEED_DEVICE();
  for (const std::size_t n : {1, 3, 33, 331}) {
    const Bodies bodies = rounded_to(test::random_bodies(n, 4), Precision::f64);
    const DeviceBodies there(bodies, Law::gravity, Precision::f64);
    const auto sums = [&](int group, bool jerk) {
      Got got(there, {.potential = true, .jerk = jerk});
      make_direct_opencl(test::context(), {.softening = 0.02,
                                           .precision = Precision::f64,
                                           .variant = "tiled",
                                           .sizes = {.group = group},
                                           .bodies = n})
          ->add_self_field(there.view(), got.view());
      auto all = test::summed(got.field, n, Precision::f64);
      if (!jerk) return all;
      const auto changes = test::summed(got.jerk, n, Precision::f64);
      all.insert(all.end(), changes.begin(), changes.end());
      return all;
    };
    for (const bool jerk : {false, true}) {
      for (const int group : {1, 4, 16}) EXPECT_EQ(sums(group, jerk), sums(64, jerk)) << n;
    }
  }
}

TEST(DirectOpencl, a_size_of_groups_leads_to_a_variant_that_has_them) {
  APSIS_NEED_DEVICE();
  const auto made = make_direct_opencl(test::context(), {.sizes = {.group = 4}, .bodies = 9999});
  EXPECT_EQ(made->variant(), "rows");
  EXPECT_EQ(std::get<DirectSizes>(made->chosen()).group, 4);
}

TEST(DirectSizesText, goes_both_ways) {
  const DirectSizes sizes{.group = 64, .rows = 4, .unroll = 8};
  EXPECT_EQ(to_string(sizes), "group=64 rows=4 unroll=8");
  EXPECT_EQ(sizes_from(to_string(sizes)), sizes);
  EXPECT_EQ(sizes_from(""), DirectSizes{});
  for (const char* wrong : {"rows", "rows=", "rows=0", "rows=x", "row=4", "rows=4x"}) {
    EXPECT_THROW(sizes_from(wrong), Error) << wrong;
  }
}

}  // namespace
}  // namespace apsis

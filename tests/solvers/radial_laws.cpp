// SPDX-License-Identifier: MIT
// Every radial law in every solver that sums it: the reference against its own potential and its
// own motion, the others against the reference.
#include "files/expect_error.hpp"
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>
#include <apsis/solvers/reference.hpp>
#include <apsis/solvers/registry.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <solvers/host_columns.hpp>
#include <support/bodies.hpp>
#include <support/opencl.hpp>
#include <support/radial_laws.hpp>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

using test::Columns;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Some in one place, both signs of charge.
Bodies charged_bodies(std::size_t n) {
  Bodies b = test::random_bodies(n, 5, true);
  for (std::size_t i = 7; i < n; i += 16) b.set_position(i, b.position(i - 3));
  return b;
}

// As the device or the float solver holds them, so that only its own error is measured.
Bodies held_in(Bodies b, Precision precision) {
  if (precision != Precision::f32) return b;
  for (const std::span<double> column :
       {b.positions.values(), b.velocities.values(), std::span(b.charge)}) {
    for (double& value : column) value = static_cast<double>(static_cast<float>(value));
  }
  return b;
}

struct Values {
  std::vector<double> x, y, z, potential, jx, jy, jz;

  explicit Values(std::size_t n) : x(n), y(n), z(n), potential(n), jx(n), jy(n), jz(n) {}
  Values(const Bodies& b, double softening, const RadialLaw& law) : Values(b.size()) {
    ReferenceSolver(softening, 0, law)
        .add_self_field(Columns<double>(b, Law::coulomb).view(), all());
  }
  Field<Host<double>> all() {
    return {x.data(), y.data(), z.data(), potential.data(), jx.data(), jy.data(), jz.data()};
  }
  Vec3 field(std::size_t i) const { return {x[i], y[i], z[i]}; }
  Vec3 jerk(std::size_t i) const { return {jx[i], jy[i], jz[i]}; }
};

// Charges cancel: a body's error is measured by the largest value.
void expect_close(const Values& got, const Values& expected, std::size_t n, double tolerance) {
  double field = 0, jerk = 0, potential = 0;
  for (std::size_t i = 0; i < n; ++i) {
    field = std::max(field, norm(expected.field(i)));
    jerk = std::max(jerk, norm(expected.jerk(i)));
    potential = std::max(potential, std::abs(expected.potential[i]));
  }
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_LE(norm(got.field(i) - expected.field(i)), tolerance * field) << i;
    EXPECT_LE(std::abs(got.potential[i] - expected.potential[i]), tolerance * potential) << i;
    // more products a pair than the field
    EXPECT_LE(norm(got.jerk(i) - expected.jerk(i)), 4 * tolerance * jerk) << i;
  }
}

double tolerance_of(Precision precision) {
  // as for newton's law (direct_host.cpp), and the exponential on top: a range of 0.7 makes of a
  // ball of radius 1 at most 3, by which it multiplies roundings
  return precision == Precision::f64 ? 4e-14 : 6e-6;
}

class RadialSolverTest : public testing::TestWithParam<RadialLaw> {};

TEST_P(RadialSolverTest, the_references_field_is_the_gradient_of_its_potential) {
  const Bodies bodies = test::random_bodies(20, 3, true);
  for (const double softening : {0.0, 0.1}) {
    const Values here(bodies, softening, GetParam());
    // the potential of all others at a body that is moved a little along each axis
    constexpr double h = 1e-5;
    for (const std::size_t i : {std::size_t{0}, std::size_t{11}}) {
      const auto slope_along = [&](Vec3 step) {
        Bodies there = bodies, back = bodies;
        there.set_position(i, bodies.position(i) + step);
        back.set_position(i, bodies.position(i) - 1.0 * step);
        return (Values(there, softening, GetParam()).potential[i] -
                Values(back, softening, GetParam()).potential[i]) /
               (2 * h);
      };
      const Vec3 slope{slope_along({h, 0, 0}), slope_along({0, h, 0}), slope_along({0, 0, h})};
      // central differences: h² = 1e-10 of a third derivative of neighbours at a tenth
      EXPECT_LE(norm(slope - here.field(i)), 1e-6 * norm(here.field(i))) << softening;
    }
  }
}

TEST_P(RadialSolverTest, the_references_jerk_is_the_change_of_its_field) {
  const Bodies bodies = test::random_bodies(20, 3, true);
  constexpr double dt = 1e-5;
  const auto moved = [&](double time) {
    Bodies there = bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      there.set_position(i, bodies.position(i) + time * bodies.velocity(i));
    }
    return there;
  };
  for (const double softening : {0.0, 0.1}) {
    const Values now(bodies, softening, GetParam());
    const Values later(moved(dt), softening, GetParam()),
        earlier(moved(-dt), softening, GetParam());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Vec3 change = (0.5 / dt) * (later.field(i) - earlier.field(i));
      EXPECT_LE(norm(change - now.jerk(i)), 1e-6 * (1 + norm(now.jerk(i)))) << i;
    }
  }
}

template <class Real>
void expect_variants(const RadialLaw& law, Precision precision) {
  for (const std::size_t n : {2, 65, 700}) {
    const Bodies bodies = held_in(charged_bodies(n), precision);
    const Columns<Real> columns(bodies, Law::coulomb);
    for (const double softening : {0.0, 0.05}) {
      const Values expected(bodies, softening, law);
      for (const DirectHostVariant& variant : direct_host_variant_table()) {
        if (variant.f64_only && precision != Precision::f64) continue;
        if (variant.newton_only && law.radial != newton) continue;
        SCOPED_TRACE(fmt::format("{} {} {} {}", variant.name, name_of(precision), n, softening));
        const auto solver = make_direct_host<Real>(
            {.force = forces({.softening = softening, .radial = law}),
             .device = {.precision = precision, .threads = 2, .variant = variant.name}});
        std::vector<Real> v[7];
        for (auto& column : v) column.resize(n);
        solver->add_self_field(columns.view(),
                               {v[0].data(), v[1].data(), v[2].data(), v[3].data()});
        std::vector<Real> again(3 * n);
        solver->add_self_field(columns.view(), {again.data(), &again[n], &again[2 * n], nullptr,
                                                v[4].data(), v[5].data(), v[6].data()});
        Values got(n);
        std::size_t k = 0;
        for (auto* to : {&got.x, &got.y, &got.z, &got.potential, &got.jx, &got.jy, &got.jz}) {
          std::copy(v[k].begin(), v[k].end(), to->begin());
          ++k;
        }
        expect_close(got, expected, n, tolerance_of(precision));
      }
    }
  }
}

TEST_P(RadialSolverTest, every_native_variant_that_takes_it_agrees_with_the_reference) {
  expect_variants<float>(GetParam(), Precision::f32);
  expect_variants<double>(GetParam(), Precision::mixed);
  expect_variants<double>(GetParam(), Precision::f64);
}

struct OnDevice {
  PartialSums field, jerk;
  Wants wanted;

  OnDevice(const test::DeviceBodies& bodies, Wants wants) : wanted(wants) {
    field.padded = jerk.padded = bodies.padded;
  }
  Field<Device> view() { return {&field, &jerk, wanted}; }
};

Values device_values(const std::string& variant, const RadialLaw& law, Precision precision,
                     const Bodies& bodies, double softening) {
  const std::size_t n = bodies.size();
  const test::DeviceBodies there(bodies, Law::coulomb, precision);
  const auto solver = make_direct_opencl(test::context(), {.softening = softening,
                                                           .radial = law,
                                                           .precision = precision,
                                                           .variant = variant,
                                                           .bodies = n});
  OnDevice both(there, {.potential = true}), jerks(there, {.potential = true, .jerk = true});
  solver->add_self_field(there.view(), both.view());
  solver->add_self_field(there.view(), jerks.view());
  Values got(n);
  const auto sums = test::summed(both.field, n, precision);
  const auto rates = test::summed(jerks.jerk, n, precision);
  const auto with_jerks = test::summed(jerks.field, n, precision);
  for (std::size_t i = 0; i < n; ++i) {
    got.x[i] = sums[4 * i], got.y[i] = sums[4 * i + 1], got.z[i] = sums[4 * i + 2];
    got.potential[i] = sums[4 * i + 3];
    got.jx[i] = rates[4 * i], got.jy[i] = rates[4 * i + 1], got.jz[i] = rates[4 * i + 2];
    EXPECT_NEAR(with_jerks[4 * i + 3], sums[4 * i + 3],
                tolerance_of(precision) * static_cast<double>(n));
  }
  return got;
}

void expect_device_variant(const std::string& variant, const RadialLaw& law, Precision precision,
                           double softening) {
  SCOPED_TRACE(fmt::format("{} {} {}", variant, name_of(precision), softening));
  const Bodies bodies = held_in(charged_bodies(65), precision);
  expect_close(device_values(variant, law, precision, bodies, softening),
               Values(bodies, softening, law), 65, tolerance_of(precision));
}

// Newton's law has tests of its own (direct_opencl.cpp), and building kernels takes most of the
// time.
class RadialOpenclTest : public testing::TestWithParam<RadialLaw> {};
TEST_P(RadialOpenclTest, every_variant_that_takes_it_agrees_with_the_reference) {
  APSIS_NEED_DEVICE();
  for (const Precision precision : {Precision::f32, Precision::mixed, Precision::f64}) {
    for (const std::string& variant : direct_opencl_variant_names()) {
      if (!takes(variant, GetParam().radial)) continue;
      expect_device_variant(variant, GetParam(), precision, 0.05);
      // the others read what rows reads
      if (variant == "rows" || variant == "symmetric") {
        expect_device_variant(variant, GetParam(), precision, 0);
      }
    }
  }
}

// What a checker that interprets kernels has time for: it builds each without optimisation.
class DirectOpenclSmallRadialTest : public testing::TestWithParam<RadialLaw> {};
TEST_P(DirectOpenclSmallRadialTest, rows_of_both_precisions_agree_with_the_reference) {
  APSIS_NEED_DEVICE();
  expect_device_variant("rows", GetParam(), Precision::f32, 0);
  expect_device_variant("rows", GetParam(), Precision::f64, 0.05);
}

TEST_P(RadialSolverTest, reproducible_double_sums_of_a_device_are_the_native_ones_bit_for_bit) {
  APSIS_NEED_DEVICE();
  constexpr std::size_t n = 1500;
  const Bodies bodies = charged_bodies(n);
  for (const double softening : {0.0, 0.02}) {
    const Columns<double> columns(bodies, Law::coulomb);
    Values native(n);
    make_direct_host<double>({.force = forces({.softening = softening, .radial = GetParam()}),
                              .device = {.precision = Precision::f64, .reproducible = true}})
        ->add_self_field(columns.view(), {native.x.data(), native.y.data(), native.z.data(),
                                          native.potential.data()});
    const test::DeviceBodies there(bodies, Law::coulomb, Precision::f64);
    OnDevice got(there, {.potential = true});
    make_direct_opencl(test::context(), {.softening = softening,
                                         .radial = GetParam(),
                                         .precision = Precision::f64,
                                         .reproducible = true,
                                         .bodies = n})
        ->add_self_field(there.view(), got.view());
    const auto sums = test::summed(got.field, n, Precision::f64);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(sums[4 * i], native.x[i]) << i;
      EXPECT_EQ(sums[4 * i + 1], native.y[i]) << i;
      EXPECT_EQ(sums[4 * i + 2], native.z[i]) << i;
      EXPECT_EQ(sums[4 * i + 3], native.potential[i]) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, RadialSolverTest, testing::ValuesIn(test::radial_laws()),
                         test::name_of_law);
INSTANTIATE_TEST_SUITE_P(Laws, RadialOpenclTest, testing::ValuesIn(test::other_radial_laws()),
                         test::name_of_law);
INSTANTIATE_TEST_SUITE_P(Laws, DirectOpenclSmallRadialTest,
                         testing::ValuesIn(test::other_radial_laws()), test::name_of_law);

TEST(RadialVariants, with_an_endless_range_yukawa_is_newtons_law_to_the_bit) {
  const Bodies bodies = charged_bodies(300);
  const Values newtons(bodies, 0.1, {}), screened(bodies, 0.1, test::yukawa(1e300));
  EXPECT_EQ(screened.x, newtons.x);
  EXPECT_EQ(screened.potential, newtons.potential);
  EXPECT_EQ(screened.jz, newtons.jz);
}

TEST(RadialVariants, those_that_know_newton_alone_refuse_others_with_those_that_do) {
  for (const DirectHostVariant& variant : direct_host_variant_table()) {
    if (!variant.newton_only) continue;
    const std::string text = error_text(ExitCode::bad_data, [&] {
      make_direct_host<double>({.force = forces({.radial = test::yukawa(1)}),
                                .device = {.precision = Precision::f64, .variant = variant.name}});
    });
    EXPECT_THAT(text, AllOf(HasSubstr("variant " + variant.name), HasSubstr("yukawa"),
                            HasSubstr("soa, tiled-i or reproducible")));
  }
  APSIS_NEED_DEVICE();
  const std::string text = error_text(ExitCode::bad_data, [&] {
    make_direct_opencl(test::context(), {.radial = test::yukawa(1), .variant = "wide"});
  });
  EXPECT_THAT(text, AllOf(HasSubstr("variant wide"), HasSubstr("rows or symmetric")));
}

TEST(RadialVariants, equal_strengths_stay_in_the_loops_of_other_laws) {
  APSIS_NEED_DEVICE();
  Bodies bodies = test::random_bodies(100, 5, true);
  std::fill(bodies.charge.begin(), bodies.charge.end(), 0.5);
  const Values expected(bodies, 0.05, test::yukawa(0.7));
  const test::DeviceBodies there(bodies, Law::coulomb, Precision::f64);
  OnDevice got(there, {});
  make_direct_opencl(test::context(), {.softening = 0.05,
                                       .radial = test::yukawa(0.7),
                                       .precision = Precision::f64,
                                       .variant = "symmetric",
                                       .equal_strength = 0.5,
                                       .bodies = 100})
      ->add_self_field(there.view(), got.view());
  const auto sums = test::summed(got.field, 100, Precision::f64);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_NEAR(sums[4 * i], expected.x[i], 4e-14 * norm(expected.field(i))) << i;
  }
}

TEST(SolverTable, says_which_solvers_sum_other_laws_than_newtons) {
  const Radial yukawa = test::yukawa(1).radial;
  EXPECT_EQ(solvers_that([&](const SolverInfo& s) { return sums(s, yukawa); }),
            (std::vector<std::string>{"direct", "reference"}));
  for (const SolverInfo& solver : solver_table()) EXPECT_TRUE(sums(solver, newton)) << solver.name;
  const std::string text =
      error_text(ExitCode::bad_data, [&] { require_sums(solver_named("fmm"), test::yukawa(1)); });
  EXPECT_THAT(text, AllOf(HasSubstr("solver fmm"), HasSubstr("yukawa"),
                          HasSubstr("force.solver = direct or reference")));
}

}  // namespace
}  // namespace apsis

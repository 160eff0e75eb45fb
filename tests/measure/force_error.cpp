// SPDX-License-Identifier: MIT
#include <apsis/engines/engine_factory.hpp>
#include <apsis/measure/force_error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <cmath>
#include <limits>

namespace apsis {
namespace {

// a_ref = (k, 0, 0) for k = 1 .. n.
Accelerations ramp(std::size_t n) {
  Accelerations a(n);
  for (std::size_t k = 0; k < n; ++k) a.x()[k] = static_cast<double>(k + 1);
  return a;
}

TEST(ForceError, of_a_perturbed_field_is_what_the_hand_computes) {
  const Accelerations reference = ramp(1000);
  Accelerations got = reference;
  // body k is off by k · k·1e-6 across: relative error k·1e-6
  for (std::size_t k = 0; k < 1000; ++k) {
    const auto size = static_cast<double>(k + 1);
    got.y()[k] += size * size * 1e-6;
  }
  const ForceError error = force_error(got, reference, Law::gravity);
  // differences of numbers near 1000 keep 13 digits
  EXPECT_NEAR(error.median, 500e-6, 1e-12);
  EXPECT_NEAR(error.p90, 900e-6, 1e-12);
  EXPECT_NEAR(error.p99, 990e-6, 1e-12);
  EXPECT_NEAR(error.p999, 999e-6, 1e-12);
  EXPECT_NEAR(error.max, 1000e-6, 1e-12);
  // Σk²/n = (n+1)(2n+1)/6
  EXPECT_NEAR(error.rms, 1e-6 * std::sqrt(1001.0 * 2001 / 6), 1e-12);
  // Σk⁴/n = (n+1)(2n+1)(3n²+3n-1)/30
  const double fourth = 1001.0 * 2001 * (3e6 + 3e3 - 1) / 30, second = 1001.0 * 2001 / 6;
  EXPECT_NEAR(error.rms_normalized, 1e-6 * std::sqrt(fourth / second), 1e-11);
  EXPECT_EQ(error.samples, 1000U);
}

TEST(ForceError, of_charges_is_measured_against_the_typical_force) {
  Accelerations reference(2), got(2);
  test::assign(reference.x(), {1e-6, 1});
  test::assign(got.x(), {2e-6, 1});
  EXPECT_NEAR(force_error(got, reference, Law::gravity).max, 1, 1e-9);
  EXPECT_NEAR(force_error(got, reference, Law::coulomb).max, 1e-6 * std::sqrt(2), 1e-12);
}

TEST(ForceError, zero_against_zero_is_no_error_and_something_against_zero_is_infinite) {
  Accelerations reference(2), got(2);
  EXPECT_EQ(force_error(got, reference, Law::gravity).max, 0);
  EXPECT_EQ(force_error(got, reference, Law::coulomb).rms_normalized, 0);
  got.x()[1] = 1e-30;
  EXPECT_TRUE(std::isinf(force_error(got, reference, Law::gravity).max));
}

TEST(ForceError, a_force_that_cancels_to_rounding_is_measured_against_the_typical_one) {
  Accelerations reference = ramp(2), got = reference;
  reference.x()[0] = 0, got.x()[0] = 1e-16;  // the middle body of a figure-eight
  const double typical = std::sqrt(4.0 / 2);
  EXPECT_DOUBLE_EQ(force_error(got, reference, Law::gravity).max, 1e-16 / typical);
}

TEST(ForceError, what_is_not_finite_is_infinitely_wrong) {
  const Accelerations reference = ramp(3);
  Accelerations got = reference;
  got.z()[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isinf(force_error(got, reference, Law::gravity).max));
  EXPECT_EQ(force_error(got, reference, Law::gravity).median, 0);
}

TEST(ForceError, of_nothing_is_zero) {
  const ForceError error = force_error({}, {}, Law::gravity);
  EXPECT_EQ(error.samples, 0U);
  EXPECT_EQ(error.max, 0);
}

TEST(Sample, is_spaced_evenly_by_id_whatever_the_order) {
  Bodies bodies(10);
  for (std::size_t i = 0; i < 10; ++i) bodies.id[i] = 100 - i;  // falling
  EXPECT_THAT(sample_by_id(bodies, 5), testing::ElementsAre(9, 7, 5, 3, 1));
  EXPECT_EQ(sample_by_id(bodies).size(), 10U);
  EXPECT_EQ(sample_by_id(Bodies(12345)).size(), 1000U);
  EXPECT_TRUE(sample_by_id(Bodies()).empty());
}

TEST(ForceError, of_the_reference_engine_is_rounding) {
  const Bodies bodies = test::random_bodies(500);
  const PairLaw law{.softening = 0.01};
  const auto engine =
      make_engine({.force = forces(law, "reference"), .device = {.precision = Precision::f64}});
  engine->load(bodies);
  // both are double sums of 500 terms
  EXPECT_LT(sample_force_error(*engine, law).max, 1e-14);
  EXPECT_LT(sample_force_error(*engine, bodies, law).max, 1e-14);
}

TEST(ForceError, of_f32_shows_the_rounding_of_its_inputs_only_against_doubles) {
  const Bodies bodies = test::random_bodies(2000);
  const PairLaw law{.softening = 0.001};
  const auto engine =
      make_engine({.force = forces(law, "direct"), .device = {.precision = Precision::f32}});
  engine->load(bodies);
  EXPECT_LT(sample_force_error(*engine, law).max, sample_force_error(*engine, bodies, law).max);
}

}  // namespace
}  // namespace apsis

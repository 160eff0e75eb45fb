// SPDX-License-Identifier: MIT
// Sampled errors that a run warns of, and those that it must not be blamed for.
#include <apsis/engines/engine_factory.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/measure/force_class.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <limits>

namespace apsis {
namespace {

using testing::HasSubstr;

std::string complaint(const Bodies& bodies, const PairLaw& law, Precision precision) {
  const auto engine = make_engine(
      {.force = forces(law, "direct"), .device = {.name = "cpu", .precision = precision}});
  engine->load(bodies);
  return complaint_about_forces(*engine, law, sample_force_error(*engine, law), {});
}

TEST(ForceClass, direct_sums_are_not_complained_of_in_any_precision) {
  for (const Precision precision : {Precision::f32, Precision::mixed, Precision::f64}) {
    for (const std::size_t n : {0U, 1U, 2U, 3U, 65U, 1000U}) {
      EXPECT_EQ(complaint(test::random_bodies(n), {}, precision), "");
      EXPECT_EQ(complaint(test::random_bodies(n, 2, true), {.law = Law::coulomb}, precision), "");
    }
  }
}

// Rounding alone breaks any bound where pulls cancel: no model may be warned of by its defaults.
TEST(ForceClass, models_whose_pulls_cancel_are_not_complained_of) {
  for (const ModelInfo& model : models()) {
    ModelRequest request{.model = model.name};
    if (!model.fixed_count) request.bodies = 300;
    if (model.name == "nacl-lattice") request.bodies = 216;
    const InitialState state = make_model(request);
    const PairLaw law{.law = state.defaults.law, .softening = state.defaults.softening};
    EXPECT_EQ(complaint(state.bodies, law, Precision::f32), "") << model.name;
  }
}

// The sample is what a broken kernel gives; the engine answers for which bodies cancel.
TEST(ForceClass, forces_of_another_law_are_complained_of_with_their_bound) {
  const auto engine = make_engine(
      {.force = {.solver = "direct"}, .device = {.name = "cpu", .precision = Precision::f32}});
  engine->load(test::random_bodies(100));
  const PairLaw other{.constant = 3};  // 3 times what the engine sums
  const std::string text =
      complaint_about_forces(*engine, other, sample_force_error(*engine, other), {});
  EXPECT_THAT(text, HasSubstr("1 % of the force errors are above 6.7e-01"));
  EXPECT_THAT(text, HasSubstr("direct sums in f32 stay below 1e-04"));
}

TEST(ForceClass, forces_that_are_not_finite_are_complained_of) {
  const auto engine = make_engine(
      {.force = {.solver = "direct"}, .device = {.name = "cpu", .precision = Precision::f64}});
  engine->load(test::random_bodies(100));
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_NE(complaint_about_forces(*engine, {}, {.p99 = infinite, .samples = 100}, {}), "");
}

TEST(ForceClass, a_promise_is_held_to_what_was_asked_for_and_bins_to_the_law) {
  const auto engine = make_engine(
      {.force = {.solver = "bins"}, .device = {.name = "cpu", .precision = Precision::f64}});
  engine->load(test::random_bodies(500));
  const ForceError sampled{.p99 = 2e-3, .samples = 100};
  EXPECT_THAT(complaint_about_forces(*engine, {}, sampled, 1e-3), HasSubstr("wanted was"));
  EXPECT_EQ(complaint_about_forces(*engine, {}, sampled, {}), "");
  EXPECT_THAT(complaint_about_forces(*engine, {}, {.p99 = 2, .samples = 100}, {}),
              HasSubstr("not the forces of the law"));
}

// Float keeps 24 bits: a cluster of size 1 at a distance of 1e6 is held on a grid of 1/16.
TEST(RoundingError, shows_a_cluster_that_float_cannot_hold_where_it_is) {
  const Bodies exact = test::random_bodies(200);
  const auto engine = make_engine(
      {.force = {.solver = "direct"}, .device = {.name = "cpu", .precision = Precision::f32}});
  const auto error = [&](const Bodies& bodies) {
    engine->load(bodies);
    Bodies held;
    engine->store(held);
    return rounding_error(bodies, held, {});
  };
  EXPECT_LT(error(exact).p99, 1e-4);
  Bodies far = exact;
  for (double& x : far.x()) x += 1e6;
  EXPECT_GT(error(far).p99, 1e-2);
  EXPECT_EQ(rounding_error(exact, exact, {}).samples, 0U);
  EXPECT_EQ(error(Bodies()).samples, 0U);
}

}  // namespace
}  // namespace apsis

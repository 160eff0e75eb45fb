// SPDX-License-Identifier: MIT
// Points made by a known law must give that law back; measured ones never do, so they come with
// noise of a known size.
#include <apsis/measure/scaling_model.hpp>
#include <apsis/measure/scaling_squares.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace apsis {
namespace {

ScalingModel cluster(WorkLaw law) {
  ScalingModel model{.law = law};
  model.per_work = law == WorkLaw::pairs ? 1.5e-10 : 8e-7;
  model.per_body = 6e-8, model.spread = 0.02;
  model.latency = 4e-6, model.seconds_a_byte = 2e-10;
  model.meetings = 3, model.messages_all = 2, model.messages_near = 5;
  model.bytes_all = 14, model.bytes_near = 4000;
  return model;
}

ScalingPoint point_of(const ScalingModel& model, double bodies, double workers) {
  const StepCost cost = model.at(bodies, workers);
  const double compute = cost.shared + cost.serial;
  return {workers, bodies, cost.total(),
          ScalingPoint::Parts{compute, 1 + cost.imbalance / compute, cost.exchange,
                              model.messages(workers) - model.meetings * std::log2(workers),
                              model.bytes(bodies, workers), model.meetings}};
}

std::vector<ScalingPoint> points_of(const ScalingModel& model, const std::vector<double>& numbers,
                                    double bodies = 50000) {
  std::vector<ScalingPoint> points;
  for (const double workers : numbers) {
    points.push_back(point_of(model, bodies, workers));
    if (workers > 1) {
      points.push_back(point_of(model, weak_bodies(model.law, bodies, workers), workers));
    }
  }
  return points;
}

// Reproducible, of both signs, none like the next.
double wobble(std::size_t i, double size) {
  return 1 + size * std::sin(12.9898 * static_cast<double>(i + 1));
}

TEST(NonnegativeLeastSquares, gives_back_what_made_the_values) {
  std::vector<Equation> equations;
  for (double x = 1; x < 6; ++x) equations.push_back({{1, x, x * x}, 2 + 0.5 * x * x, 1});
  const auto found = nonnegative_least_squares(equations, 3);
  EXPECT_NEAR(found[0], 2, 1e-9);
  EXPECT_NEAR(found[1], 0, 1e-9);
  EXPECT_NEAR(found[2], 0.5, 1e-9);
}

TEST(NonnegativeLeastSquares, puts_zero_where_the_best_would_be_below_it) {
  // the line through them falls: without slopes below 0 the best is the mean
  const auto found = nonnegative_least_squares({{{1, 0}, 3, 1}, {{1, 1}, 2, 1}, {{1, 2}, 1, 1}}, 2);
  EXPECT_NEAR(found[0], 2, 1e-12);
  EXPECT_EQ(found[1], 0);
}

TEST(NonnegativeLeastSquares, survives_columns_that_say_nothing) {
  const auto same = nonnegative_least_squares({{{1, 1, 0}, 2, 1}, {{2, 2, 0}, 4, 1}}, 3);
  EXPECT_NEAR(same[0] + same[1], 2, 1e-12);
  EXPECT_EQ(same[2], 0);
  EXPECT_EQ(nonnegative_least_squares({}, 2), (std::vector<double>{0, 0}));
}

TEST(ScalingModel, weak_bodies_keep_the_work_of_each) {
  EXPECT_EQ(weak_bodies(WorkLaw::pairs, 1000, 4), 2000);
  EXPECT_EQ(weak_bodies(WorkLaw::bodies, 1000, 4), 4000);
  EXPECT_DOUBLE_EQ(work(WorkLaw::bodies_log_bodies, 1024), 10240);
}

class EveryLaw : public testing::TestWithParam<WorkLaw> {};

TEST_P(EveryLaw, parameters_are_recovered_from_exact_points) {
  const ScalingModel truth = cluster(GetParam());
  const FitOutcome outcome = fit_scaling(points_of(truth, {1, 2, 3, 4, 8}), truth.law);
  ASSERT_TRUE(outcome.fit) << outcome.refusal;
  const ScalingModel& found = outcome.fit->model;
  const auto near = [](double value, double expected) {
    EXPECT_NEAR(value, expected, 1e-6 * expected);
  };
  near(found.per_work, truth.per_work), near(found.per_body, truth.per_body);
  near(found.spread, truth.spread), near(found.latency, truth.latency);
  near(found.seconds_a_byte, truth.seconds_a_byte);
  near(found.meetings, truth.meetings), near(found.messages_all, truth.messages_all);
  near(found.messages_near, truth.messages_near);
  near(found.bytes_all, truth.bytes_all), near(found.bytes_near, truth.bytes_near);
  EXPECT_LT(outcome.fit->error_max, 1e-6);
  EXPECT_LT(outcome.fit->error_left_out, 1e-6);
}

TEST_P(EveryLaw, predictions_are_those_of_the_law_also_for_other_bodies) {
  const ScalingModel truth = cluster(GetParam());
  const auto outcome = fit_scaling(points_of(truth, {1, 2, 3, 4, 8}), truth.law);
  ASSERT_TRUE(outcome.fit);
  for (const double workers : {10.0, 100.0, 1000.0}) {
    const Prediction p = predict(*outcome.fit, 1e6, workers);
    EXPECT_NEAR(p.seconds / truth.seconds(1e6, workers), 1, 1e-5);
    EXPECT_NEAR(p.speedup / (truth.seconds(1e6, 1) / truth.seconds(1e6, workers)), 1, 1e-5);
    EXPECT_DOUBLE_EQ(p.efficiency, p.speedup / workers);
    EXPECT_LE(p.speedup_low, p.speedup);
    EXPECT_GE(p.speedup_high, p.speedup);
  }
}

TEST_P(EveryLaw, noise_shows_in_the_errors_and_in_the_range) {
  const ScalingModel truth = cluster(GetParam());
  auto points = points_of(truth, {1, 2, 3, 4, 6, 8, 12, 16});
  constexpr double noise = 0.02;
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].seconds *= wobble(i, noise);
    points[i].parts->compute *= wobble(2 * i, noise);
    points[i].parts->exchange *= wobble(3 * i, noise);
  }
  const auto outcome = fit_scaling(points, truth.law);
  ASSERT_TRUE(outcome.fit);
  // errors of whole steps are of the size of the noise in steps and in parts together
  EXPECT_GT(outcome.fit->error_rms, 0.1 * noise);
  EXPECT_LT(outcome.fit->error_max, 3 * noise);
  EXPECT_GT(outcome.fit->error_left_out, 0.1 * noise);
  EXPECT_LT(outcome.fit->error_left_out, 3 * noise);
  EXPECT_NEAR(outcome.fit->model.per_work / truth.per_work, 1, 2 * noise);
  const Prediction p = predict(*outcome.fit, 50000, 100);
  EXPECT_LT(p.speedup_low, p.speedup_high);
}

INSTANTIATE_TEST_SUITE_P(Laws, EveryLaw,
                         testing::Values(WorkLaw::pairs, WorkLaw::bodies_log_bodies,
                                         WorkLaw::bodies));

TEST(ScalingFit, threads_have_meetings_and_nothing_else_to_exchange) {
  ScalingModel truth{.law = WorkLaw::pairs, .per_work = 1e-10, .per_body = 2e-7};
  truth.per_meeting = 3e-5;
  auto points = points_of(truth, {1, 2, 4, 8});
  for (auto& point : points) point.parts.reset();
  const auto outcome = fit_scaling(points, truth.law);
  ASSERT_TRUE(outcome.fit) << outcome.refusal;
  EXPECT_EQ(outcome.fit->parameters, 3U);
  EXPECT_NEAR(outcome.fit->model.per_work, 1e-10, 1e-15);
  EXPECT_NEAR(outcome.fit->model.per_body, 2e-7, 1e-12);
  EXPECT_NEAR(outcome.fit->model.per_meeting, 3e-5, 1e-10);
}

TEST(ScalingFit, too_little_is_refused_with_what_is_missing) {
  const ScalingModel truth = cluster(WorkLaw::pairs);
  const auto two = fit_scaling(points_of(truth, {1, 2}), truth.law);
  EXPECT_FALSE(two.fit);
  EXPECT_NE(two.refusal.find("3 different numbers"), std::string::npos) << two.refusal;
  EXPECT_NE(two.refusal.find("here are 2"), std::string::npos) << two.refusal;
  auto few = points_of(truth, {1, 2, 3});
  few.pop_back();
  const auto four = fit_scaling(few, truth.law);
  EXPECT_FALSE(four.fit);
  EXPECT_NE(four.refusal.find("5 points"), std::string::npos) << four.refusal;
  EXPECT_FALSE(fit_scaling({}, truth.law).fit);
}

TEST(ScalingFit, points_without_time_are_not_points) {
  const ScalingModel truth = cluster(WorkLaw::pairs);
  auto points = points_of(truth, {1, 2, 3, 4});
  points.push_back({16, 50000, 0, ScalingPoint::Parts{}});
  const auto outcome = fit_scaling(points, truth.law);
  ASSERT_TRUE(outcome.fit);
  EXPECT_EQ(outcome.fit->points, points.size() - 1);
  EXPECT_TRUE(std::isfinite(outcome.fit->error_left_out));
}

TEST(ScalingFit, steps_that_get_no_faster_give_a_finite_model_that_does_not_scale) {
  std::vector<ScalingPoint> points;
  for (const double workers : {1.0, 2.0, 3.0, 4.0}) points.push_back({workers, 1000, 0.5, {}});
  const auto outcome = fit_scaling(points, WorkLaw::pairs);
  ASSERT_TRUE(outcome.fit);
  EXPECT_NEAR(outcome.fit->model.seconds(1000, 100), 0.5, 1e-6);
  const auto end = scaling_end(outcome.fit->model, 1000);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->workers, 1);
}

// Half a circle of r: what is sent jumps between odd and even r, and grows with r all the same.
TEST(ScalingFit, a_ring_is_no_neighbourhood) {
  const ScalingModel truth = cluster(WorkLaw::pairs);
  for (const std::vector<double>& numbers :
       {std::vector<double>{1, 2, 3, 4}, std::vector<double>{1, 2, 3, 4, 6, 8, 12, 16}}) {
    auto points = points_of(truth, numbers);
    for (auto& point : points) {
      const double hops = std::floor(point.workers / 2);
      point.parts->messages = 2 * hops;
      point.parts->bytes = point.bodies / point.workers * (16 * hops + 6 * (point.workers - 1));
    }
    const auto outcome = fit_scaling(points, truth.law);
    ASSERT_TRUE(outcome.fit);
    // two ranks send 2 messages and 11 bytes a body, more than their share of a large circle
    EXPECT_NEAR(outcome.fit->model.messages_all, 1, 0.3);
    EXPECT_EQ(outcome.fit->model.messages_near, 0);
    EXPECT_NEAR(outcome.fit->model.bytes_all, 14, 4);
    EXPECT_EQ(outcome.fit->model.bytes_near, 0);
  }
}

TEST(ScalingFit, neighbours_alone_are_seen) {
  ScalingModel truth = cluster(WorkLaw::bodies);
  truth.messages_all = 0, truth.bytes_all = 0;
  const auto outcome = fit_scaling(points_of(truth, {1, 2, 3, 4, 8}), truth.law);
  ASSERT_TRUE(outcome.fit);
  EXPECT_NEAR(outcome.fit->model.messages_near, truth.messages_near, 1e-6);
  EXPECT_NEAR(outcome.fit->model.bytes_near, truth.bytes_near, 1e-3);
  EXPECT_NEAR(outcome.fit->model.messages_all, 0, 1e-6);
  EXPECT_NEAR(outcome.fit->model.bytes_all, 0, 1e-6);
}

TEST(Network, given_figures_take_the_place_of_measured_ones) {
  const ScalingModel truth = cluster(WorkLaw::pairs);
  const auto outcome = fit_scaling(points_of(truth, {1, 2, 3, 4}), truth.law);
  ASSERT_TRUE(outcome.fit);
  const ScalingFit slow = with_network(*outcome.fit, 1e-3, 1e6);
  EXPECT_DOUBLE_EQ(slow.model.latency, 1e-3);
  EXPECT_DOUBLE_EQ(slow.model.seconds_a_byte, 1e-6);
  EXPECT_LT(predict(slow, 50000, 10).speedup, predict(*outcome.fit, 50000, 10).speedup);
  const ScalingFit same = with_network(*outcome.fit, std::nullopt, std::nullopt);
  EXPECT_DOUBLE_EQ(same.model.latency, outcome.fit->model.latency);
}

// W/r against s·N: doubling stops to pay where (x + s)/(x/2 + s) = 1.2, which is x = s/2.
TEST(ScalingEnd, is_where_amdahl_has_it) {
  const ScalingModel model{.law = WorkLaw::bodies, .per_work = 1e-6, .per_body = 1e-8};
  const auto end = scaling_end(model, 1e6);
  ASSERT_TRUE(end);
  EXPECT_NEAR(end->workers, 200, 5);
  EXPECT_EQ(end->because, "work that every one of them does for all bodies");
}

TEST(ScalingEnd, names_the_exchange_and_knows_no_end_without_one) {
  ScalingModel model{.law = WorkLaw::pairs, .per_work = 1e-10};
  EXPECT_FALSE(scaling_end(model, 1e6));
  model.latency = 1e-4, model.messages_all = 1;
  const auto end = scaling_end(model, 1e6);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->because, "the exchange");
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
// What is measured, and what is made of it: plans, tables, chart and JSON. Clocks are not tested.
#include "files/expect_error.hpp"
#include <apsis/core/error.hpp>
#include <apsis/measure/scaling.hpp>
#include <apsis/measure/scaling_report.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace apsis {
namespace {

ScalingOptions small(std::vector<std::string> solvers, std::vector<int> workers) {
  ScalingOptions options;
  options.bench.solvers = std::move(solvers);
  options.bench.bodies = {300}, options.bench.repeats = 2, options.bench.warmup = 0;
  options.workers = std::move(workers);
  return options;
}

// Steps that take what a law says, without a clock.
ScalingResult made_up(const std::vector<int>& numbers) {
  ScalingResult result;
  result.kind = WorkerKind::ranks, result.law = WorkLaw::pairs, result.solver = "direct";
  result.model = "uniform";
  ScalingModel law{.law = WorkLaw::pairs, .per_work = 1e-9, .per_body = 1e-7};
  law.latency = 1e-5, law.messages_all = 2, law.bytes_all = 28, law.seconds_a_byte = 1e-10;
  for (const int workers : numbers) {
    for (const bool weak : {false, true}) {
      if (weak && workers == 1) continue;
      ScalingRow row;
      row.workers = row.working = workers, row.strong = !weak, row.weak = weak || workers == 1;
      const double bodies = weak ? weak_bodies(law.law, 10000, workers) : 10000;
      const StepCost cost = law.at(bodies, workers);
      row.bodies = static_cast<std::size_t>(bodies);
      row.step.seconds = {cost.total()};
      row.parts = ScalingPoint::Parts{cost.shared + cost.serial, 1, cost.exchange,
                                      law.messages(workers), law.bytes(bodies, workers)};
      result.rows.push_back(row);
    }
  }
  return result;
}

TEST(Numbers, are_powers_of_two_with_halves_between_and_the_last) {
  EXPECT_EQ(numbers_up_to(1), (std::vector<int>{1}));
  EXPECT_EQ(numbers_up_to(4), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(numbers_up_to(17), (std::vector<int>{1, 2, 3, 4, 6, 8, 12, 16, 17}));
}

TEST(Numbers, that_nobody_can_be_are_refused) {
  const auto numbers = [](std::vector<int> workers, WorkerKind kind) {
    return numbers_of_workers(small({"direct"}, std::move(workers)), kind, 4);
  };
  EXPECT_EQ(numbers({4, 2}, WorkerKind::ranks), (std::vector<int>{1, 2, 4}));
  EXPECT_EQ(numbers({9}, WorkerKind::threads), (std::vector<int>{1, 9}));
  expect_error(ExitCode::wrong_usage, "--workers 0", [&] { numbers({0}, WorkerKind::threads); });
  expect_error(ExitCode::wrong_usage, "there are 4 ranks",
               [&] { numbers({5}, WorkerKind::ranks); });
}

TEST(Scaling, over_threads_measures_every_row_and_checks_its_forces) {
  const auto results = measure_scaling(small({"direct", "fmm"}, {1, 2, 3}), crew_of_threads());
  ASSERT_EQ(results.size(), 2U);
  for (const ScalingResult& result : results) {
    ASSERT_EQ(result.rows.size(), 5U);
    EXPECT_EQ(strong_rows(result).size(), 3U);
    EXPECT_EQ(weak_rows(result).size(), 3U);
    for (const ScalingRow& row : result.rows) {
      EXPECT_EQ(row.step.seconds.size(), 2U);
      EXPECT_EQ(row.engine.threads, row.workers);
      EXPECT_EQ(row.complaint, "");
      EXPECT_GT(row.error.samples, 0U);
    }
  }
  EXPECT_EQ(weak_rows(results[0]).back()->bodies, 520U);  // 300 √3
  EXPECT_EQ(weak_rows(results[1]).back()->bodies, 900U);
}

TEST(Scaling, asks_every_row_in_turn) {
  Crew crew = crew_of_threads();
  std::vector<int> turns;
  crew.at_work = [&](int, int row, const std::function<void()>& work) {
    turns.push_back(row);
    work();
  };
  measure_scaling(small({"direct"}, {1, 2}), crew);
  // made, sampled twice, judged
  EXPECT_EQ(turns, (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST(Scaling, parts_of_a_step_come_from_what_workers_tell) {
  Crew crew = crew_of_threads();
  crew.costs = [](Engine&, int) { return std::vector<WorkerCost>{{1e-9, 2, 100}, {3e-9, 4, 50}}; };
  const auto results = measure_scaling(small({"direct"}, {1}), crew);
  const ScalingRow& row = results.front().rows.front();
  ASSERT_TRUE(row.parts);
  EXPECT_DOUBLE_EQ(row.parts->compute, 2e-9);
  EXPECT_DOUBLE_EQ(row.parts->imbalance, 1.5);
  EXPECT_EQ(row.parts->messages, 4);
  EXPECT_EQ(row.parts->bytes, 100);
  EXPECT_GT(row.parts->exchange, 0);
}

TEST(Scaling, refuses_what_has_no_sense) {
  const auto refused = [](auto change, const std::string& word) {
    ScalingOptions options = small({"direct"}, {1, 2});
    change(options);
    expect_error(ExitCode::wrong_usage, word, [&] { measure_scaling(options, crew_of_threads()); });
  };
  refused([](ScalingOptions& o) { o.bench.bodies = {0}; }, "--bodies 0");
  refused([](ScalingOptions& o) { o.bench.bodies = {1}; }, "1 bodies are too few for 2 threads");
  refused([](ScalingOptions& o) { o.bench.solvers = {"bins"}; }, "solver bins");
  refused([](ScalingOptions& o) { o.bench.model = "kepler"; }, "its own number of bodies");
  ScalingOptions huge = small({"fmm"}, {1, 2});
  huge.bench.bodies = {1000000000000};
  expect_error(ExitCode::bad_data, "memory", [&] { measure_scaling(huge, crew_of_threads()); });
}

TEST(Study, leaves_rows_out_of_the_fit_that_do_not_count) {
  ScalingResult result = made_up({1, 2, 4, 8});
  result.rows.back().step.seconds = {100.0};
  result.rows.back().crowded = true;
  const ScalingStudy study = studied(result, {});
  ASSERT_TRUE(study.fit);
  EXPECT_EQ(study.fit->points, 6U);
  EXPECT_LT(study.fit->error_max, 1e-6);
  ASSERT_EQ(study.predictions.size(), 3U);
  EXPECT_EQ(study.predictions.back().workers, 1000);
  ASSERT_TRUE(study.end);
}

TEST(Study, speedups_are_against_one_worker) {
  const ScalingResult result = made_up({1, 2, 4});
  const auto strong = strong_rows(result), weak = weak_rows(result);
  EXPECT_DOUBLE_EQ(result.speedup(*strong[0], false), 1);
  EXPECT_NEAR(result.speedup(*strong[2], false), 4, 0.3);
  EXPECT_NEAR(result.speedup(*weak[2], true), 4, 0.3);
}

TEST(Study, chart_has_every_point_the_model_and_the_ideal) {
  const std::vector<ScalingStudy> studies{studied(made_up({1, 2, 4, 8}), {})};
  const Chart chart = scaling_chart(studies);
  ASSERT_EQ(chart.panels.size(), 2U);
  for (const Panel& panel : chart.panels) {
    ASSERT_EQ(panel.series.size(), 3U);
    EXPECT_EQ(panel.series[0].name, "ideal");
    EXPECT_EQ(panel.series[1].x.back(), 1000);
    EXPECT_EQ(panel.series[2].look, Series::Look::points);
    EXPECT_EQ(panel.series[2].x, (std::vector<double>{1, 2, 4, 8}));
    EXPECT_EQ(panel.series[1].colour, panel.series[2].colour);
  }
  EXPECT_NEAR(chart.panels[0].series[2].y.back(), 8, 1);
  EXPECT_NEAR(chart.panels[1].series[2].y.back(), 1, 0.1);
}

TEST(Study, chart_and_json_do_without_a_fit) {
  const std::vector<ScalingStudy> studies{studied(made_up({1, 2}), {})};
  EXPECT_FALSE(studies.front().fit);
  EXPECT_TRUE(scaling_chart(studies).panels[0].series[1].x.empty());
  const auto json = nlohmann::json::parse(to_json(studies));
  EXPECT_TRUE(json[0]["fit"].is_null());
  EXPECT_NE(json[0]["fit_refused"].get<std::string>().find("no fit"), std::string::npos);
  EXPECT_TRUE(json[0]["predictions"].empty());
}

TEST(Study, json_has_rows_fit_and_predictions) {
  const std::vector<ScalingStudy> studies{
      studied(made_up({1, 2, 4, 8}), {.latency = 2e-6, .bandwidth = 1e10}, 1e6)};
  const auto json = nlohmann::json::parse(to_json(studies));
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["over"], "ranks");
  EXPECT_EQ(json[0]["rows"].size(), 8U);
  EXPECT_EQ(json[0]["rows"][0]["scaling"], "strong");
  EXPECT_EQ(json[0]["rows"][7]["scaling"], "weak");
  EXPECT_EQ(json[0]["rows"][7]["workers"], 8);
  EXPECT_NEAR(json[0]["fit"]["latency"].get<double>(), 1e-5, 1e-9);
  EXPECT_EQ(json[0]["latency"], 2e-6);
  EXPECT_EQ(json[0]["predictions"][2]["bodies"], 1e6);
}

}  // namespace
}  // namespace apsis

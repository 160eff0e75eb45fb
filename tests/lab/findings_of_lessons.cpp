// SPDX-License-Identifier: MIT
// What the other lessons say about made-up results, above all where something lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lab/made_up.hpp>

namespace apsis::test {
namespace {

using lab::Look;
using lab::Results;
using lab::ResultTable;

std::vector<std::string> said_of_reuse(double off, double on, const std::string& kind = "gpu") {
  return said_of(
      made_up("reuse", {{.kind = kind, .variant = "float4", .seconds = off, .kernel = off},
                        {.kind = kind, .variant = "tiled", .seconds = on, .kernel = on}}));
}

TEST(FindingsOfReuse, follow_the_times) {
  EXPECT_TRUE(says(said_of_reuse(2, 1), {"reuse pays", "2.00 times"}));
  EXPECT_TRUE(says(said_of_reuse(1, 2), {"reuse lost", "0.50 times", "caches of this GPU"}));
  EXPECT_TRUE(says(said_of_reuse(1, 2, "cpu"), {"reuse lost", "no local memory of its own"}));
  EXPECT_TRUE(says(said_of_reuse(1, 1.01), {"reuse makes no difference"}));
  EXPECT_FALSE(says(said_of_reuse(1, 1.01), {"That can be"}));
  EXPECT_FALSE(says(said_of_reuse(1, 2), {"pays"}));
}

TEST(FindingsOfReuse, one_side_alone_is_no_comparison) {
  EXPECT_TRUE(says(said_of(made_up("reuse", {{.variant = "tiled", .seconds = 1}})),
                   {"only one side was measured"}));
}

std::vector<std::string> said_of_unroll(const std::vector<double>& seconds) {
  std::vector<MadeUpRow> rows;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    rows.push_back({.variant = "unroll " + std::to_string(1U << i),
                    .seconds = seconds[i],
                    .kernel = seconds[i]});
  }
  return said_of(made_up("unroll", rows));
}

TEST(FindingsOfUnroll, name_the_best_factor) {
  EXPECT_TRUE(says(said_of_unroll({4, 3, 2}), {"unroll 4 is the fastest", "2.00 times"}));
}
TEST(FindingsOfUnroll, say_that_it_did_not_help_and_why_that_can_be) {
  const auto said = said_of_unroll({1, 1.5, 2});
  EXPECT_TRUE(says(said, {"unrolling did not help", "unroll 1 is the fastest"}));
  EXPECT_TRUE(says(said, {"unroll 2 lost against unroll 1", "registers"}));
  EXPECT_TRUE(says(said_of_unroll({1, 0.99}), {"made no difference"}));
}
TEST(FindingsOfUnroll, say_where_more_became_too_much) {
  const auto said = said_of_unroll({4, 2, 3});
  EXPECT_TRUE(says(said, {"unroll 2 is the fastest"}));
  EXPECT_TRUE(says(said, {"unroll 4 lost against unroll 2", "0.67 times"}));
}
TEST(FindingsOfUnroll, compare_nothing_with_one_factor) {
  EXPECT_TRUE(says(said_of_unroll({1}), {"only one factor"}));
}

std::vector<std::string> said_of_burst(const std::string& kind, double first, double last,
                                       double deviation = 0) {
  Results results;
  results.lesson = "burst";
  ResultTable table("results", "",
                    {{"device", "", "", Look::text},
                     {"kind", "", "", Look::text},
                     {"bodies", "", "", Look::whole},
                     {"burst", "", "", Look::whole},
                     {"seconds", "", "", Look::seconds},
                     {"seconds_kernel", "", "", Look::seconds},
                     {"seconds_deviation", "", "", Look::seconds},
                     {"steps_per_second", "", "", Look::rate},
                     {"computing", "", "", Look::ratio}});
  for (const auto& [burst, rate] : {std::pair{1.0, first}, std::pair{20.0, last}}) {
    table.add({{"device", "X"},
               {"kind", kind},
               {"bodies", 256.0},
               {"burst", burst},
               {"seconds", 1 / rate},
               {"seconds_kernel", 0.25 * burst / 20 / rate},
               {"seconds_deviation", deviation / rate},
               {"steps_per_second", rate},
               {"computing", 0.25 * burst / 20}});
  }
  results.tables = {table};
  return said_of(results);
}

TEST(FindingsOfBurst, follow_the_rates) {
  EXPECT_TRUE(
      says(said_of_burst("gpu", 1000, 3000), {"3.00 times as fast", "fewer waits", "25 %"}));
  EXPECT_TRUE(says(said_of_burst("gpu", 1000, 1010), {"No difference"}));
  EXPECT_TRUE(says(said_of_burst("gpu", 1000, 500), {"they lost"}));
  EXPECT_TRUE(says(said_of_burst("native", 1000, 1000), {"No difference"}));
}
TEST(FindingsOfBurst, name_no_cause_where_the_rounds_disagreed) {
  const auto said = said_of_burst("gpu", 1000, 1300, 0.4);
  EXPECT_TRUE(says(said, {"unclear", "rounds disagreed"}));
  EXPECT_FALSE(says(said, {"fewer waits"}));
}

TEST(FindingsOfFarField, say_who_lost_against_all_pairs_and_at_which_error) {
  Results results = made_up(
      "far-field",
      {{.variant = "direct", .bodies = 32000, .seconds = 0.1},
       {.variant = "bins", .bodies = 32000, .seconds = 0.2, .error = 0.02, .solver = "bins"},
       {.variant = "fmm", .bodies = 32000, .seconds = 0.01, .error = 1e-3, .solver = "fmm"}});
  const auto said = said_of(results);
  EXPECT_TRUE(says(said, {"bins lost against all pairs", "0.50 times", "1.0e-02"}));
  EXPECT_TRUE(says(said, {"fmm beats all pairs", "10 times", "5.0e-04"}));
  EXPECT_FALSE(says(said, {"tree"}));
  EXPECT_FALSE(says(said, {"so few bodies"}));
}

TEST(FindingsOfFarField, compare_with_what_was_published_at_the_same_number_of_points) {
  Results results = made_up("far-field", {{.variant = "direct", .bodies = 32000, .seconds = 0.091},
                                          {.variant = "direct", .bodies = 8000, .seconds = 0.01}});
  ResultTable& table = results.tables.front();
  for (const double bodies : {32000.0, 320000.0}) {
    table.add({{"device", "published 2017"},
               {"solver", "direct"},
               {"bodies", bodies},
               {"seconds", bodies == 32000 ? 0.182 : 6.131}});
  }
  const auto said = said_of(results);
  EXPECT_TRUE(says(said, {"32,000 points by direct", "91.0 ms", "182 ms", "2.00 times as fast"}));
  EXPECT_FALSE(says(said, {"320,000"}));
}

struct MadeUpDigits {
  const char* variant;
  double p999, max;
};
Results of_bins(const std::vector<MadeUpRow>& rows, const std::vector<MadeUpDigits>& digits) {
  Results results = made_up("far-field", rows);
  ResultTable table("digits", "",
                    {{"device", "", "", Look::text},
                     {"variant", "", "", Look::text},
                     {"bodies", "", "", Look::whole},
                     {"p999", "", "", Look::error},
                     {"max", "", "", Look::error}});
  for (const MadeUpDigits& row : digits) {
    table.add({{"device", "NVIDIA H200"},
               {"variant", row.variant},
               {"bodies", 32000.0},
               {"p999", row.p999},
               {"max", row.max}});
  }
  results.tables.push_back(std::move(table));
  return results;
}
MadeUpRow by_way(const char* variant, double seconds, double error = 0.02) {
  return {.variant = variant,
          .bodies = 32000,
          .seconds = seconds,
          .kernel = 0.9 * seconds,
          .error = error,
          .solver = "bins"};
}

TEST(FindingsOfFarField, say_what_subtracting_costs_and_which_digits_it_loses) {
  const auto said = said_of(of_bins({by_way("bins", 1), by_way("bins subtract", 2)},
                                    {{"bins", 1e-6, 2e-6}, {"bins subtract", 3e-5, 4e-4}}));
  EXPECT_TRUE(says(said, {"subtracting the near ones again lost against leaving the near ones out",
                          "0.50 times", "kernels alone 0.50 times", "summed twice more"}));
  EXPECT_TRUE(says(said, {"loses digits", "3.0e-05", "4.0e-04", "1.0e-06 and 2.0e-06",
                          "own error hides that: 99 % are within 1.0e-02"}));
  EXPECT_FALSE(says(said, {"work-item"}));
  EXPECT_FALSE(says(said, {"all pairs"}));
}

TEST(FindingsOfFarField, say_so_where_the_lost_digits_are_more_than_the_error_of_the_bins) {
  const auto said = said_of(of_bins({by_way("bins", 1, 2e-5), by_way("bins subtract", 0.5, 2e-5)},
                                    {{"bins", 1e-6, 2e-6}, {"bins subtract", 3e-5, 4e-4}}));
  EXPECT_TRUE(says(said, {"is faster than leaving", "more than what the bins themselves are off"}));
  EXPECT_FALSE(says(said, {"That can be"}));
}

TEST(FindingsOfFarField, take_no_loss_of_digits_for_granted) {
  const auto said = said_of(of_bins({by_way("bins", 1), by_way("bins subtract", 1)},
                                    {{"bins", 1e-6, 2e-6}, {"bins subtract", 1.1e-6, 2e-6}}));
  EXPECT_TRUE(says(said, {"is as fast as leaving", "No digits are lost", "1.1e-06"}));
  // what was not measured is not spoken of
  EXPECT_FALSE(
      says(said_of(of_bins({by_way("bins", 1), by_way("bins subtract", 1)}, {})), {"digits"}));
}

TEST(FindingsOfFarField, say_what_a_work_item_a_bin_costs_or_gains) {
  const auto lost = said_of(of_bins({by_way("bins", 0.01), by_way("bins bin-an-item", 0.2)}, {}));
  EXPECT_TRUE(says(lost, {"a work-item for each bin lost against one for each body", "0.05 times",
                          "fewer bins than the device has places"}));
  const auto gained = said_of(of_bins({by_way("bins", 1), by_way("bins bin-an-item", 0.5)}, {}));
  EXPECT_TRUE(says(gained, {"a work-item for each bin is faster than one for each body"}));
  EXPECT_FALSE(says(gained, {"fewer bins"}));
  MadeUpRow wrong = by_way("bins bin-an-item", 0.5);
  wrong.complaint = "the error is 1";
  EXPECT_FALSE(says(said_of(of_bins({by_way("bins", 1), wrong}, {})), {"for each body"}));
  // without the usual way there is nothing to compare with
  EXPECT_FALSE(says(said_of(of_bins({by_way("bins bin-an-item", 0.5)}, {})), {"for each body"}));
}

// End to end is half a second longer than the kernels.
std::vector<std::string> said_of_matmul(double down, double along, double tiled, double bar,
                                        const std::string& complaint = "",
                                        const std::string& shape = "512x512x512",
                                        double operations = 1e8) {
  Results results;
  results.lesson = "matmul";
  ResultTable table("results", "",
                    {{"device", "", "", Look::text},
                     {"element", "", "", Look::text},
                     {"shape", "", "", Look::text},
                     {"operations", "", "", Look::whole},
                     {"variant", "", "", Look::text},
                     {"seconds", "", "", Look::seconds},
                     {"seconds_kernel", "", "", Look::seconds},
                     {"complaint", "", "", Look::text}});
  for (const auto& [variant, seconds] :
       {std::pair{"2-D down columns", down}, std::pair{"2-D along rows", along},
        std::pair{"tiled", tiled}, std::pair{"CLBlast", bar}}) {
    table.add({{"device", "X"},
               {"element", "float"},
               {"shape", shape},
               {"operations", operations},
               {"variant", variant},
               {"seconds", seconds + 0.5},
               {"seconds_kernel", seconds},
               {"complaint", complaint}});
  }
  results.tables = {table};
  return said_of(results);
}

TEST(FindingsOfMatmul, say_which_order_is_slower_and_who_lost) {
  const auto usual = said_of_matmul(4, 2, 1, 0.5);
  EXPECT_TRUE(says(usual, {"along rows", "pays: 1.80 times the speed end to end",
                           "kernels alone 2.00 times", "a whole row apart"}));
  EXPECT_TRUE(says(usual, {"tiled beats 2-D along rows"}));
  EXPECT_TRUE(says(usual, {"CLBlast beats tiled"}));
  EXPECT_TRUE(says(usual, {"All 4 products agree"}));
  const auto other = said_of_matmul(1, 2, 3, 4);
  EXPECT_TRUE(says(other, {"down columns lost", "0.60 times", "kernels alone 0.50 times"}));
  EXPECT_FALSE(says(other, {"a whole row apart"}));
  EXPECT_TRUE(says(other, {"tiled lost against 2-D along rows"}));
  EXPECT_TRUE(says(other, {"CLBlast lost against tiled", "tuned for large matrices"}));
}

TEST(FindingsOfMatmul, name_no_cause_where_a_product_has_six_elements) {
  const auto said = said_of_matmul(9.82, 1, 1, 1, "", "3x2x2", 24);
  EXPECT_TRUE(
      says(said, {"kernels alone 9.82 times", "24 operations are too few to name a cause"}));
  EXPECT_FALSE(says(said, {"neighbouring"}));
}

TEST(FindingsOfMatmul, say_that_a_product_is_wrong) {
  const auto said = said_of_matmul(1, 1, 1, 1, "error 0.5 exceeds 1e-5");
  EXPECT_TRUE(says(said, {"tiled on X is wrong", "exceeds"}));
  EXPECT_FALSE(says(said, {"agree"}));
}

std::vector<std::string> said_of_precision(double f64_error, double running_error) {
  Results results = made_up("precision", {{.seconds = 1, .error = 1e-6, .precision = "f32"},
                                          {.seconds = 8, .error = f64_error, .precision = "f64"}});
  results.tables.push_back(
      made_up_table({{.variant = "one running sum", .seconds = 1, .error = running_error},
                     {.variant = "sums in blocks", .seconds = 1, .error = 1e-6}},
                    "sums"));
  return said_of(results);
}

TEST(FindingsOfPrecision, say_what_digits_cost_and_whether_they_came) {
  EXPECT_TRUE(says(said_of_precision(1e-14, 1e-5), {"f64 takes 8.00 times the time", "smaller"}));
  EXPECT_TRUE(says(said_of_precision(2e-6, 1e-5), {"no smaller error"}));
  EXPECT_FALSE(says(said_of_precision(1e-14, 1e-5), {"mixed takes"}));
}
TEST(FindingsOfPrecision, say_whether_a_running_sum_lost) {
  EXPECT_TRUE(says(said_of_precision(1e-14, 1e-5), {"running float sum", "10 times as much"}));
  EXPECT_TRUE(says(said_of_precision(1e-14, 1e-6), {"no difference yet"}));
}

TEST(FindingsOfIntegrators, tell_drift_from_what_stays) {
  Results results;
  results.lesson = "integrators";
  ResultTable drift("drift", "",
                    {{"integrator", "", "", Look::text},
                     {"orbits", "", "", Look::whole},
                     {"error", "", "", Look::error}});
  for (const double orbits : {1.0, 10.0, 100.0}) {
    drift.add({{"integrator", "leapfrog"}, {"orbits", orbits}, {"error", 1e-4}});
    drift.add({{"integrator", "rk4"}, {"orbits", orbits}, {"error", 1e-6 * orbits}});
    drift.add({{"integrator", "euler"}, {"orbits", orbits}, {"error", 0.2}});
  }
  results.tables = {drift};
  const auto said = said_of(results);
  EXPECT_TRUE(says(said, {"100 orbits", "stays", "leapfrog"}));
  EXPECT_TRUE(says(said, {"grows", "rk4 (1.0e-04)"}));
  EXPECT_TRUE(says(said, {"lost by euler (2.0e-01)"}));
  EXPECT_FALSE(says(said, {"stays", "rk4"}));
}

TEST(FindingsOfIntegrators, name_best_and_worst_at_equal_work_and_the_measured_order) {
  Results results;
  results.lesson = "integrators";
  ResultTable table("results", "",
                    {{"problem", "", "", Look::text},
                     {"integrator", "", "", Look::text},
                     {"order", "", "", Look::whole},
                     {"steps", "", "", Look::whole},
                     {"evaluations", "", "", Look::whole},
                     {"error", "", "", Look::error}});
  for (const double steps : {100.0, 200.0}) {
    table.add({{"problem", "kepler"},
               {"integrator", "leapfrog"},
               {"order", 2.0},
               {"steps", steps},
               {"evaluations", steps},
               {"error", 1 / (steps * steps)}});
    table.add({{"problem", "kepler"},
               {"integrator", "euler"},
               {"order", 1.0},
               {"steps", steps},
               {"evaluations", steps},
               {"error", 1 / steps}});
  }
  results.tables = {table};
  const auto said = said_of(results);
  EXPECT_TRUE(says(said, {"200 force evaluations leapfrog", "euler is worst"}));
  EXPECT_TRUE(says(said, {"leapfrog 2.0 (order 2)", "euler 1.0 (order 1)"}));
}

}  // namespace
}  // namespace apsis::test

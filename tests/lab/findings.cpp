// SPDX-License-Identifier: MIT
// The sentences follow the numbers: made-up results where rungs win, lose, tie or are missing.
#include <apsis/lab/findings.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lab/made_up.hpp>

namespace apsis::test {
namespace {

using lab::Verdict;
using testing::IsEmpty;

std::vector<std::string> said_of_direct(const std::vector<MadeUpRow>& rows) {
  return said_of(made_up("direct", rows));
}

TEST(Findings, a_rung_that_gained_is_said_to_be_faster_by_how_much) {
  const auto said = said_of_direct({{.variant = "naive", .seconds = 3.1, .kernel = 3},
                                    {.variant = "float4", .seconds = 2.1, .kernel = 2}});
  EXPECT_TRUE(says(said, {"float4 over naive", "1.48 times as fast end to end",
                          "kernels alone 1.50 times", "one load of 16 bytes"}));
  EXPECT_TRUE(says(said, {"the fastest is float4", "2.05e9", "1.48 times as fast as naive"}));
}

TEST(Findings, a_rung_that_lost_is_said_to_have_lost_with_a_reason_for_its_kind_of_device) {
  const std::vector<MadeUpRow> rows{{.variant = "float4", .seconds = 1, .kernel = 1},
                                    {.variant = "tiled", .seconds = 2, .kernel = 2}};
  const auto on_gpu = said_of_direct(rows);
  EXPECT_TRUE(says(on_gpu, {"tiled over float4: lost, 0.50 times", "caches of this GPU"}));
  EXPECT_FALSE(says(on_gpu, {"tiled over float4", "as fast"}));
  EXPECT_TRUE(says(on_gpu, {"the fastest is float4", "no step of the ladder pays here"}));
  std::vector<MadeUpRow> on_cpu = rows;
  for (MadeUpRow& row : on_cpu) row.device = "PoCL", row.kind = "cpu";
  EXPECT_TRUE(says(said_of_direct(on_cpu), {"tiled over float4: lost", "no local memory"}));
}

TEST(Findings, a_tie_is_no_difference_and_has_no_cause) {
  const auto said = said_of_direct({{.variant = "tiled", .seconds = 1, .kernel = 1},
                                    {.variant = "unrolled", .seconds = 0.98, .kernel = 0.98}});
  EXPECT_TRUE(says(said, {"unrolled over tiled: no difference here", "1.02 times"}));
  EXPECT_FALSE(says(said, {"That can be"}));
  EXPECT_FALSE(says(said, {"the change"}));
}

TEST(Findings, times_that_spread_more_than_they_differ_are_unclear) {
  const auto said = said_of_direct({{.variant = "tiled", .seconds = 1, .deviation = 0.3},
                                    {.variant = "unrolled", .seconds = 0.8, .deviation = 0.2}});
  EXPECT_TRUE(says(said, {"unrolled over tiled: unclear", "1.25 ± 0.49 times", "spread"}));
  EXPECT_FALSE(says(said, {"unrolled over tiled", "written out"}));
  EXPECT_TRUE(says(said, {"the fastest is unrolled", "tiled can't be told apart from it"}));
}

TEST(Findings, one_step_each_shows_large_differences_only) {
  const auto said_once = [](double seconds) {
    lab::ResultTable table = lab::force_table("results", "once", {"variant"});
    for (const auto& [variant, time] : {std::pair{"tiled", 3.0}, std::pair{"unrolled", seconds}}) {
      auto entries = entries_of({.variant = variant, .seconds = time});
      entries.emplace_back("steps", 1.0);
      table.add(entries);
    }
    lab::Results results{.lesson = "direct", .about = {}, .tables = {table}, .notices = {}};
    return said_of(results);
  };
  EXPECT_TRUE(says(said_once(2.7), {"unrolled over tiled: unclear"}));
  EXPECT_TRUE(says(said_once(1), {"unrolled over tiled: 3.00 times as fast"}));
}

TEST(Findings, a_verdict_quotes_its_spread) {
  const auto said = said_of_direct({{.variant = "tiled", .seconds = 2, .deviation = 0.02},
                                    {.variant = "unrolled", .seconds = 1, .deviation = 0.02}});
  EXPECT_TRUE(says(said, {"unrolled over tiled: 2.00 ± 0.04 times as fast end to end"}));
}

TEST(Findings, verdicts_follow_the_end_to_end_clock_and_name_no_cause_that_kernels_do_not_show) {
  const auto said = said_of_direct({{.variant = "tiled", .seconds = 2, .kernel = 1.9},
                                    {.variant = "unrolled", .seconds = 1, .kernel = 0.99}});
  EXPECT_TRUE(says(said, {"unrolled over tiled: 2.00 times as fast end to end", "written out"}));
  // end to end it lost, although the kernels gained
  const auto lost = said_of_direct({{.variant = "tiled", .seconds = 1, .kernel = 0.9},
                                    {.variant = "unrolled", .seconds = 1.2, .kernel = 0.7}});
  EXPECT_TRUE(says(lost, {"unrolled over tiled: lost, 0.83 times", "kernels alone 1.29 times",
                          "no cause is named"}));
  EXPECT_FALSE(says(lost, {"That can be"}));
}

TEST(Findings, six_bodies_show_no_cause) {
  const auto said =
      said_of_direct({{.variant = "naive", .bodies = 6, .seconds = 9.82e-5, .kernel = 9e-5},
                      {.variant = "float4", .bodies = 6, .seconds = 1e-5, .kernel = 9e-6}});
  EXPECT_TRUE(
      says(said, {"float4 over naive: 9.82 times", "6 bodies are too few to name a cause"}));
  EXPECT_FALSE(says(said, {"one load of 16 bytes"}));
}

TEST(Findings, times_that_are_mostly_launches_show_no_cause) {
  const auto said =
      said_of_direct({{.variant = "naive", .bodies = 1024, .seconds = 4e-5, .kernel = 5e-6},
                      {.variant = "float4", .bodies = 1024, .seconds = 2e-5, .kernel = 5e-6}});
  EXPECT_TRUE(says(said, {"float4 over naive: 2.00 times", "mostly launches"}) ||
              says(said, {"float4 over naive: 2.00 times", "launches and waits"}));
  EXPECT_FALSE(says(said, {"one load of 16 bytes"}));
}

TEST(Findings, more_kernel_time_than_end_to_end_time_is_said_and_nothing_is_built_on_it) {
  const auto said =
      said_of_direct({{.variant = "naive", .bodies = 1024, .seconds = 1e-5, .kernel = 1.54e-5},
                      {.variant = "naive", .bodies = 65536, .seconds = 2, .kernel = 1.99},
                      {.variant = "float4", .bodies = 65536, .seconds = 1, .kernel = 1.1}});
  EXPECT_TRUE(says(said, {"2 of 3 rows", "more kernel time than end-to-end time", "1.54 times"}));
  EXPECT_FALSE(says(said, {"launching and waiting"}));
  EXPECT_FALSE(says(said, {"kernels alone"}));
  EXPECT_FALSE(says(said, {"one load of 16 bytes"}));
}

TEST(Findings, a_missing_rung_is_stepped_over) {
  const auto said = said_of_direct({{.variant = "naive", .seconds = 4, .kernel = 4},
                                    {.variant = "rows", .seconds = 1, .kernel = 1}});
  EXPECT_TRUE(says(said, {"rows over naive: 4.00 times"}));
  EXPECT_FALSE(says(said, {"tiled"}));
}

TEST(Findings, one_rung_alone_is_compared_with_nothing) {
  const auto said = said_of_direct({{.variant = "naive", .seconds = 1, .kernel = 1}});
  EXPECT_TRUE(says(said, {"no other rung"}));
  EXPECT_FALSE(says(said, {"over"}));
}

TEST(Findings, nothing_measured_is_nothing_said) { EXPECT_THAT(said_of_direct({}), IsEmpty()); }

TEST(Findings, the_largest_number_of_bodies_decides) {
  const auto said =
      said_of_direct({{.variant = "naive", .bodies = 1024, .seconds = 1, .kernel = 1},
                      {.variant = "float4", .bodies = 1024, .seconds = 2, .kernel = 2},
                      {.variant = "naive", .bodies = 65536, .seconds = 9, .kernel = 9},
                      {.variant = "float4", .bodies = 65536, .seconds = 3, .kernel = 3}});
  EXPECT_TRUE(says(said, {"65,536 bodies", "float4", "3.00 times as fast as naive"}));
  EXPECT_FALSE(says(said, {"float4 over naive: lost"}));
}

TEST(Findings, clocks_are_not_mixed) {
  // one row without the device's clock: both are compared end to end
  const auto said = said_of_direct(
      {{.variant = "naive", .seconds = 4, .kernel = 1}, {.variant = "float4", .seconds = 2}});
  EXPECT_TRUE(says(said, {"float4 over naive: 2.00 times as fast end to end"}));
  EXPECT_FALSE(says(said, {"kernels alone"}));
}

TEST(Findings, time_that_is_not_kernels_is_told_where_it_matters) {
  const auto said =
      said_of_direct({{.variant = "rows", .bodies = 1024, .seconds = 1e-4, .kernel = 2e-5},
                      {.variant = "rows", .bodies = 65536, .seconds = 1, .kernel = 0.99}});
  EXPECT_TRUE(says(said, {"1,024 bodies 80 %", "launching and waiting", "65,536 bodies 1 %"}));
  EXPECT_FALSE(says(said_of_direct({{.variant = "rows", .seconds = 1, .kernel = 0.99}}),
                    {"launching and waiting"}));
}

TEST(Findings, an_edited_kernel_is_compared_with_the_built_in_one) {
  const std::vector<MadeUpRow> rows{
      {.variant = "tiled", .seconds = 1, .kernel = 1},
      {.variant = "tiled (edited)", .seconds = 2, .kernel = 2, .edited = true}};
  EXPECT_TRUE(says(said_of_direct(rows), {"your tiled lost", "0.50 times"}));
}

TEST(Findings, wrong_forces_are_said_to_be_wrong_and_do_not_count_as_accurate) {
  const auto said = said_of_direct(
      {{.variant = "naive", .error = 2e-7},
       {.variant = "tiled (edited)", .error = 0.5, .complaint = "max error 0.5 exceeds 5e-6"}});
  EXPECT_TRUE(says(said, {"tiled (edited)", "is wrong", "exceeds 5e-6"}));
  EXPECT_TRUE(says(said, {"1 of 2 rows are wrong", "largest relative force error is 2.0e-07"}));
  EXPECT_FALSE(says(said, {"as accurate as their precision promises"}));
}

TEST(Findings, a_wrong_row_is_neither_the_fastest_nor_compared) {
  const auto said = said_of_direct(
      {{.variant = "naive", .seconds = 2},
       {.variant = "float4", .seconds = 1, .error = 0.5, .complaint = "max error 0.5 exceeds"},
       {.variant = "float4 (edited)", .seconds = 0.1, .complaint = "wrong", .edited = true}});
  EXPECT_TRUE(says(said, {"the fastest is naive"}));
  EXPECT_FALSE(says(said, {"float4 over naive"}));
  EXPECT_TRUE(says(said, {"your float4 computes wrong forces"}));
}

TEST(Findings, accuracy_is_said_of_all_rows) {
  EXPECT_TRUE(says(
      said_of_direct({{.variant = "naive", .error = 2e-7}, {.variant = "tiled", .error = 3e-7}}),
      {"All 2 rows are as accurate as their precision promises", "3.0e-07 (tiled"}));
  EXPECT_TRUE(says(said_of_direct({{.variant = "naive", .error = 1, .complaint = "wrong"}}),
                   {"all 1 rows are wrong"}));
  // beyond the bound of float, and yet not wrong: pulls that cancel
  EXPECT_TRUE(says(said_of_direct({{.variant = "naive", .error = 2e-5}}),
                   {"2.0e-05", "where pulls cancel"}));
}

TEST(Findings, padding_is_judged_by_packed3_against_float4) {
  EXPECT_TRUE(says(said_of_direct({{.variant = "packed3", .seconds = 1, .kernel = 1},
                                   {.variant = "float4", .seconds = 2, .kernel = 2}}),
                   {"padding", "lost"}));
  EXPECT_TRUE(says(said_of_direct({{.variant = "packed3", .seconds = 2, .kernel = 2},
                                   {.variant = "float4", .seconds = 1, .kernel = 1}}),
                   {"padding", "pays"}));
}

TEST(Findings, threads_that_bring_nothing_are_said_to) {
  lab::Results results =
      made_up("cpu", {{.device = "cpu", .kind = "native", .variant = "aos-serial", .seconds = 1}});
  lab::ResultTable threads = lab::force_table("threads", "t", {"threads"});
  for (const double count : {1.0, 2.0}) {
    threads.add({{"device", "cpu"}, {"bodies", 4096.0}, {"threads", count}, {"seconds", 1.0}});
  }
  results.tables.push_back(threads);
  EXPECT_TRUE(says(said_of(results), {"2 are 1.00 times as fast as 1", "50 %", "share a core"}));
}

TEST(Findings, nothing_is_concluded_from_rows_of_a_busy_machine) {
  const auto said_when = [](double waited) {
    lab::ResultTable table = lab::force_table("results", "t", {"variant"});
    for (const auto& [variant, seconds] : {std::pair{"reduced", 0.0865}, std::pair{"soa", 87e-5}}) {
      auto entries =
          entries_of({.device = "cpu", .kind = "native", .variant = variant, .seconds = seconds});
      entries.emplace_back("waited", waited);
      table.add(entries);
    }
    lab::Results results{.lesson = "cpu", .about = {}, .tables = {table}, .notices = {}};
    return said_of(results);
  };
  const auto busy = said_when(0.9);
  EXPECT_TRUE(says(busy, {"soa over reduced: unclear", "on a busy machine"}));
  EXPECT_TRUE(says(busy, {"busy with something else while 2 of 2 rows", "0.9 seconds"}));
  EXPECT_FALSE(says(busy, {"coordinates lie in a row"}));
  EXPECT_FALSE(says(busy, {"times as fast as reduced"}));
  EXPECT_TRUE(says(said_when(0.01), {"soa over reduced: 99 times as fast"}));
  EXPECT_FALSE(says(said_when(0.01), {"busy"}));
}

TEST(Findings, a_time_that_spreads_by_half_of_itself_is_no_time) {
  const auto said = said_of_direct({{.variant = "naive", .seconds = 118e-3, .deviation = 2.8e-3},
                                    {.variant = "float4", .seconds = 1.1e-3, .deviation = 2.8e-3}});
  EXPECT_TRUE(says(said, {"float4 over naive: unclear"}));
}

TEST(Findings, threads_on_a_busy_machine_are_no_property_of_threads) {
  const auto said_of_threads = [](double one, double two, double deviation) {
    lab::Results results = made_up("cpu", {{.device = "cpu", .kind = "native", .variant = "simd"}});
    lab::ResultTable threads = lab::force_table("threads", "t", {"threads"});
    for (const auto& [count, seconds] : {std::pair{1.0, one}, std::pair{2.0, two}}) {
      threads.add({{"device", "cpu"},
                   {"bodies", 4096.0},
                   {"threads", count},
                   {"seconds", seconds},
                   {"seconds_deviation", deviation}});
    }
    results.tables.push_back(threads);
    return said_of(results);
  };
  const auto lost = said_of_threads(1, 50, 0.1);
  EXPECT_TRUE(says(lost, {"2 took 50 times as long as 1", "The machine was busy"}));
  EXPECT_FALSE(says(lost, {"0.02 times as fast"}));
  EXPECT_TRUE(says(said_of_threads(1, 0.6, 0.5), {"rounds disagreed", "says nothing of threads"}));
  EXPECT_TRUE(says(said_of_threads(1, 0.51, 0.01), {"1.96 ± 0.04 times", "98 %"}));
}

// `done` of 100 GFLOP/s at 80 operations a byte.
std::vector<std::string> said_of_roofline(double bandwidth, double done) {
  lab::Results results = made_up("cpu", {});
  lab::ResultTable roof("roofline", "",
                        {{"what", "", "", lab::Look::text},
                         {"operations", "", "", lab::Look::ratio},
                         {"intensity", "", "", lab::Look::ratio},
                         {"gflops", "", "", lab::Look::rate},
                         {"bandwidth", "", "", lab::Look::rate}});
  roof.add({{"what", "peak of multiply-adds"}, {"gflops", 100.0}});
  roof.add({{"what", "first cache"}, {"bandwidth", bandwidth}});
  roof.add({{"what", "memory"}, {"bandwidth", 1.0}});
  roof.add({{"what", "simd"}, {"operations", 23.0}, {"intensity", 80.0}, {"gflops", done}});
  results.tables.push_back(roof);
  return said_of(results);
}

TEST(Findings, a_roofline_tells_whether_loads_can_be_the_limit) {
  EXPECT_TRUE(says(said_of_roofline(10, 60), {"60 of 100 GFLOP/s", "60 %", "are not its limit"}));
  EXPECT_TRUE(says(said_of_roofline(0.1, 6), {"can be its limit"}));
}

TEST(Findings, what_stands_above_a_measured_roof_is_no_share_of_it) {
  const auto said = said_of_roofline(10, 102.4);
  EXPECT_TRUE(says(said, {"simd does 102 GFLOP/s", "above the 100", "lower bound"}));
  EXPECT_FALSE(says(said, {"%"}));
}

TEST(Findings, a_pair_that_is_met_once_counts_once_also_in_older_results) {
  lab::Results results = made_up("cpu", {{.variant = "simd-symmetric", .bodies = 16384}});
  lab::ResultTable roof("roofline", "",
                        {{"what", "", "", lab::Look::text}, {"gflops", "", "", lab::Look::rate}});
  roof.add({{"what", "peak of multiply-adds"}, {"gflops", 100.0}});
  roof.add({{"what", "simd-symmetric"}, {"gflops", 102.4}});  // 20 operations an interaction
  results.tables.push_back(roof);
  EXPECT_TRUE(says(said_of(results), {"simd-symmetric does 7", "of 100 GFLOP/s"}));
}

TEST(Findings, the_average_leaves_out_what_woke_the_machine) {
  lab::Results results = made_up("cpu", {});
  lab::ResultTable steps("steps", "",
                         {{"variant", "", "", lab::Look::text},
                          {"gflops", "", "", lab::Look::rate},
                          {"warmup", "", "", lab::Look::text}});
  steps.add({{"variant", "soa"}, {"gflops", 1.0}, {"warmup", "yes"}});
  for (const double rate : {9.0, 10.0, 11.0}) steps.add({{"variant", "soa"}, {"gflops", rate}});
  steps.add({{"variant", "simd"}, {"gflops", 40.0}});
  results.tables.push_back(steps);
  EXPECT_TRUE(says(said_of(results),
                   {"Average performance: 40 ± 0 GFLOP/s by simd, 10 ± 1 GFLOP/s by soa", "*"}));
  EXPECT_FALSE(says(said_of_roofline(10, 60), {"Average performance"}));
}

TEST(Findings, the_labs_own_count_stands_beside_its_ridge_point) {
  lab::Results results = made_up("cpu", {});
  lab::ResultTable roof(
      "roofline", "",
      {{"what", "", "", lab::Look::text}, {"operations_a_body", "", "", lab::Look::rate}});
  roof.add({{"what", "peak of multiply-adds"}});
  roof.add({{"what", "first cache"}, {"operations_a_body", 30.0}});
  roof.add({{"what", "memory"}, {"operations_a_body", 200.0}});
  roof.add({{"what", "reduced"}, {"operations_a_body", 20.0}});
  roof.add({{"what", "soa"}, {"operations_a_body", 20.0}});
  roof.add({{"what", "tiled-i"}, {"operations_a_body", 320.0}});
  results.tables.push_back(roof);
  EXPECT_TRUE(says(said_of(results), {"20 from reduced on, 320 from tiled-i on",
                                      "ridge point is 30 for the first cache and 200 for the "
                                      "memory"}));
}

TEST(Findings, comparisons_need_both_times) {
  const lab::ResultTable table =
      made_up_table({{.variant = "a", .seconds = 1, .kernel = 1}, {.variant = "b", .seconds = 1}});
  EXPECT_FALSE(lab::compared(table.row(0), table.row(1), "seconds_kernel").has_value());
  const auto end_to_end = lab::compared(table.row(0), table.row(1), "seconds");
  ASSERT_TRUE(end_to_end.has_value());
  EXPECT_EQ(end_to_end->verdict, Verdict::alike);
}

TEST(Findings, numbers_read_well) {
  EXPECT_EQ(lab::with_commas(1048576), "1,048,576");
  EXPECT_EQ(lab::with_commas(42), "42");
  EXPECT_EQ(lab::compact(2.994e12), "2.99e12");
  EXPECT_EQ(lab::compact(1.2e-7), "1.20e-7");
  EXPECT_EQ(lab::compact(42.31), "42.3");
  EXPECT_EQ(lab::times(1.337), "1.34 times");
  EXPECT_EQ(lab::times(131.2), "131 times");
}

}  // namespace
}  // namespace apsis::test

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
  EXPECT_TRUE(says(said, {"float4 over naive", "1.50 times as fast by kernel time"}));
  EXPECT_TRUE(says(said, {"the fastest is float4", "2.15e9", "1.50 times as fast as naive"}));
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

TEST(Findings, a_tie_is_no_difference_and_says_why_that_can_be) {
  const auto said = said_of_direct({{.variant = "tiled", .seconds = 1, .kernel = 1},
                                    {.variant = "unrolled", .seconds = 1, .kernel = 0.98}});
  EXPECT_TRUE(says(said, {"unrolled over tiled: no difference here", "1.02 times",
                          "compiler unrolls by itself"}));
}

TEST(Findings, times_that_spread_more_than_they_differ_are_unclear) {
  const auto said = said_of_direct({{.variant = "tiled", .seconds = 1, .deviation = 0.3},
                                    {.variant = "unrolled", .seconds = 0.8, .deviation = 0.2}});
  EXPECT_TRUE(says(said, {"unrolled over tiled: unclear", "spread"}));
  const auto by_kernels =
      said_of_direct({{.variant = "tiled", .seconds = 1, .kernel = 1, .deviation = 0.3},
                      {.variant = "unrolled", .seconds = 0.8, .kernel = 0.8, .deviation = 0.2}});
  EXPECT_TRUE(says(by_kernels, {"unrolled over tiled: unclear", "by kernel time"}));
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
  EXPECT_FALSE(says(said, {"by kernel time"}));
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
  EXPECT_TRUE(says(said, {"largest relative force error is 2.0e-07"}));
}

TEST(Findings, padding_is_judged_by_packed3_against_float4) {
  EXPECT_TRUE(says(said_of_direct({{.variant = "packed3", .seconds = 1, .kernel = 1},
                                   {.variant = "float4", .seconds = 2, .kernel = 2}}),
                   {"padding", "lost"}));
  EXPECT_TRUE(says(said_of_direct({{.variant = "packed3", .seconds = 2, .kernel = 2},
                                   {.variant = "float4", .seconds = 1, .kernel = 1}}),
                   {"padding", "pays"}));
}

std::vector<std::string> said_of_threads(double seconds_of_two, double deviation) {
  lab::Results results =
      made_up("cpu", {{.device = "cpu", .kind = "native", .variant = "aos-serial", .seconds = 1}});
  lab::ResultTable threads = lab::force_table("threads", "t", {"threads", "seconds_deviation"});
  const auto add = [&](double count, double seconds, double off) {
    threads.add({{"device", "cpu"},
                 {"bodies", 4096.0},
                 {"threads", count},
                 {"seconds", seconds},
                 {"seconds_deviation", off}});
  };
  add(1, 1, 0), add(2, seconds_of_two, deviation);
  results.tables.push_back(threads);
  return said_of(results);
}

TEST(Findings, threads_that_bring_nothing_are_said_to) {
  EXPECT_TRUE(
      says(said_of_threads(1, 0.01), {"2 are 1.00 times as fast as 1", "50 %", "share a core"}));
}

TEST(Findings, a_busy_machine_is_not_a_property_of_threads) {
  for (const auto& said : {said_of_threads(50, 1), said_of_threads(0.6, 0.3)}) {
    EXPECT_TRUE(says(said, {"machine was busy", "nothing can be said"}));
    EXPECT_FALSE(says(said, {"Threads: 2 are"}));
  }
  EXPECT_TRUE(says(said_of_threads(0.55, 0.02), {"2 are 1.82 times as fast as 1", "91 %"}));
}

TEST(Findings, a_roofline_tells_which_limit_binds) {
  const auto with_bandwidth = [](double bandwidth) {
    lab::Results results = made_up("cpu", {});
    lab::ResultTable roof("roofline", "",
                          {{"what", "", "", lab::Look::text},
                           {"intensity", "", "", lab::Look::ratio},
                           {"gflops", "", "", lab::Look::rate},
                           {"bandwidth", "", "", lab::Look::rate}});
    roof.add({{"what", "peak of multiply-adds"}, {"gflops", 100.0}});
    roof.add({{"what", "memory"}, {"bandwidth", bandwidth}});
    roof.add({{"what", "simd"}, {"intensity", 80.0}, {"gflops", 60.0}});
    results.tables.push_back(roof);
    return said_of(results);
  };
  EXPECT_TRUE(says(with_bandwidth(10), {"60 of 100 GFLOP/s", "60 %", "arithmetic is the limit"}));
  EXPECT_TRUE(says(with_bandwidth(0.1), {"memory is the limit"}));
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

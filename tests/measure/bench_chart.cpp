// SPDX-License-Identifier: MIT
#include <apsis/files/programs.hpp>
#include <apsis/measure/bench_chart.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace apsis {
namespace {

BenchResult made_up(const std::string& place, const std::string& variant, int unroll,
                    std::size_t bodies, double seconds) {
  BenchResult result;
  DeviceResolution at{.device = "Twin", .driver = "1.0", .variant = variant};
  if (unroll > 0) at.choice = DirectSizes{.unroll = unroll};
  result.engine = {
      .solver = "direct", .precision = Precision::f32, .bodies = bodies, .devices = {at}};
  result.place = place;
  result.model = "uniform";
  result.whole.seconds = {0.9 * seconds, seconds, 1.1 * seconds};
  return result;
}

std::vector<BenchResult> twins(std::vector<std::size_t> sizes) {
  std::vector<BenchResult> results;
  for (const char* place : {"opencl:0", "opencl:1"}) {
    for (const std::size_t bodies : sizes) {
      results.push_back(made_up(place, "float4", 0, bodies, 1));
      for (const int unroll : {1, 8}) {
        results.push_back(made_up(place, "tiled", unroll, bodies, 0.5 / unroll));
      }
    }
  }
  tell_devices_apart(results);
  return results;
}

TEST(BenchNames, devices_of_one_name_are_numbered_and_others_are_not) {
  auto results = twins({100});
  EXPECT_EQ(results.front().device_label(), "Twin #0");
  EXPECT_EQ(results.back().device_label(), "Twin #1");
  for (BenchResult& result : results) result.place = "opencl:0";
  tell_devices_apart(results);
  EXPECT_EQ(results.back().device_label(), "Twin");
}

TEST(BenchNames, say_what_differs) {
  const auto results = twins({100});
  EXPECT_THAT(labels_of(std::span(results).first(3)),
              testing::ElementsAre("float4", "tiled unroll=1", "tiled unroll=8"));
  EXPECT_THAT(labels_of(std::span(results).first(1)), testing::ElementsAre("direct"));
}

std::vector<std::string> key_of(const Panel& panel) {
  std::vector<std::string> names;
  for (const Series& series : panel.series) {
    if (!series.name.empty()) names.push_back(series.name);
  }
  return names;
}

TEST(BenchChart, has_a_colour_a_kernel_and_a_marker_a_device_on_common_axes) {
  const auto results = twins({100, 1000});
  const Chart chart = bench_chart(results);
  ASSERT_EQ(chart.panels.size(), 1U);
  const Panel& panel = chart.panels.front();
  EXPECT_THAT(key_of(panel), testing::ElementsAre("float4", "tiled unroll=1", "tiled unroll=8",
                                                  "Twin #0", "Twin #1"));
  ASSERT_EQ(panel.series.size(), 6U + 5U);
  for (std::size_t i = 0; i < 3; ++i) {
    const Series &one = panel.series[i], &other = panel.series[i + 3];
    EXPECT_EQ(one.colour, i);
    EXPECT_EQ(one.colour, other.colour);
    EXPECT_EQ(one.marker, 0U);
    EXPECT_EQ(other.marker, 1U);
    EXPECT_THAT(one.x, testing::ElementsAre(100, 1000));
    EXPECT_NEAR(one.spread[0] / one.y[0], 0.1, 1e-12);
  }
}

TEST(BenchChart, of_one_size_stands_side_by_side) {
  const auto results = twins({100});
  const Chart chart = bench_chart(results);
  const Panel& panel = chart.panels.front();
  EXPECT_THAT(panel.x.names, testing::ElementsAre("float4", "tiled unroll=1", "tiled unroll=8"));
  EXPECT_THAT(key_of(panel), testing::ElementsAre("Twin #0", "Twin #1"));
  EXPECT_TRUE(bench_chart({}).panels.empty());
}

TEST(BenchChart, points_of_several_devices_stand_beside_each_other) {
  EXPECT_EQ(beside(3, 0, 1), 3);
  EXPECT_LT(beside(3, 0, 2), 3);
  EXPECT_GT(beside(3, 1, 2), 3);
  for (const std::size_t devices : {2U, 5U, 40U}) {
    EXPECT_LT(beside(3, devices - 1, devices), beside(4, 0, devices));
  }
}

TEST(BenchChart, is_drawn_by_gnuplot) {
  if (!find_program("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  for (const auto& results : {twins({100}), twins({100, 1000})}) {
    EXPECT_EQ(draw(bench_chart(results)).problem, "");
  }
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/measure/machine_peak.hpp>
#include <apsis/measure/roofline.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace apsis {
namespace {

TEST(MachinePeak, is_a_number_of_operations_and_bytes_that_exist) {
  // wide limits: a slow laptop under a sanitizer, and a machine of ten years from now
  EXPECT_GT(peak_flops(false, 1), 1e7);
  EXPECT_LT(peak_flops(false, 1), 1e13);
  EXPECT_GT(memory_bandwidth(1), 1e7);
  EXPECT_LT(memory_bandwidth(1), 1e13);
  EXPECT_GT(cache_bandwidth(1), 1e7);
  EXPECT_LT(cache_bandwidth(1), 1e14);
}

TEST(Roofline, rungs_that_use_a_source_more_often_lie_further_right) {
  EXPECT_DOUBLE_EQ(intensity_of("soa", Precision::f32), 20.0 / 16);
  EXPECT_DOUBLE_EQ(intensity_of("tiled-i", Precision::f32), 20.0);
  EXPECT_DOUBLE_EQ(intensity_of("tiled-i", Precision::f64), 10.0);
  EXPECT_GT(intensity_of("simd", Precision::f32), intensity_of("tiled-i", Precision::f32));
}

TEST(Roofline, counts_what_is_done_and_a_pair_that_is_met_once_once) {
  // 29 operations a pair that feels and pulls, 23 one that feels
  const PairWork once = work_of("simd-symmetric", Precision::f32, 1 << 20);
  EXPECT_NEAR(once.operations, 29.0 / 2, 0.01);
  EXPECT_DOUBLE_EQ(work_of("simd", Precision::f32, 1 << 20).operations, 23);
  EXPECT_DOUBLE_EQ(work_of("simd-symmetric", Precision::f32, 512).operations, 23);
  EXPECT_DOUBLE_EQ(work_of("soa", Precision::f32, 1000).bytes, 16);
  EXPECT_DOUBLE_EQ(work_of("soa", Precision::f64, 1000).bytes, 32);
  // the sums of the other side are loaded and stored for every pair
  EXPECT_GT(once.bytes, work_of("simd", Precision::f32, 1 << 20).bytes);
}

TEST(Roofline, tells_what_stands_above_it) {
  Roofline roofline{
      .threads = 1, .peak_gflops = 100, .memory_bytes_a_second = 1e9, .cache_bytes_a_second = 50e9};
  EXPECT_DOUBLE_EQ(roofline.roof_at(1), 50);
  EXPECT_DOUBLE_EQ(roofline.roof_at(10), 100);
  EXPECT_FALSE(roofline.is_above({"below", 10, 99}));
  EXPECT_TRUE(roofline.is_above({"above the peak", 10, 102.4}));
  // memory's slope does not bind what comes from a cache, and the cache's does
  EXPECT_FALSE(roofline.is_above({"of the cache", 1, 49}));
  EXPECT_TRUE(roofline.is_above({"above the cache", 1, 51}));
  roofline.points = {{"simd", 10, 102.4}};
  EXPECT_NE(roofline_chart(roofline).panels[0].series.back().name.find("above"), std::string::npos);
}

TEST(Roofline, has_a_point_for_every_rung_and_a_roof_in_its_chart) {
  const Roofline roofline = measure_roofline({.bodies = {256}, .repeats = 1, .warmup = 0});
  ASSERT_GE(roofline.points.size(), 5U);
  EXPECT_EQ(roofline.points.front().variant, "aos-serial");
  for (const RooflinePoint& point : roofline.points) EXPECT_GT(point.gflops, 0) << point.variant;
  EXPECT_GT(roofline.ridge(), 0);
  const Chart chart = roofline_chart(roofline);
  ASSERT_EQ(chart.panels.size(), 1U);
  EXPECT_EQ(chart.panels[0].series.size(), roofline.points.size() + 2);
  const Series& roof = chart.panels[0].series.front();
  EXPECT_DOUBLE_EQ(*std::max_element(roof.y.begin(), roof.y.end()), roofline.peak_gflops);
}

}  // namespace
}  // namespace apsis

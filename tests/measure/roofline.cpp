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
}

TEST(Roofline, rungs_that_use_a_source_more_often_lie_further_right) {
  EXPECT_DOUBLE_EQ(intensity_of("soa", Precision::f32), 20.0 / 16);
  EXPECT_DOUBLE_EQ(intensity_of("tiled-i", Precision::f32), 20.0);
  EXPECT_DOUBLE_EQ(intensity_of("tiled-i", Precision::f64), 10.0);
  EXPECT_GT(intensity_of("simd", Precision::f32), intensity_of("tiled-i", Precision::f32));
}

TEST(Roofline, has_a_point_for_every_rung_and_a_roof_in_its_chart) {
  const Roofline roofline = measure_roofline({.bodies = {256}, .repeats = 1, .warmup = 0});
  ASSERT_GE(roofline.points.size(), 5U);
  EXPECT_EQ(roofline.points.front().variant, "aos-serial");
  for (const RooflinePoint& point : roofline.points) EXPECT_GT(point.gflops, 0) << point.variant;
  EXPECT_GT(roofline.ridge(), 0);
  const Chart chart = roofline_chart(roofline);
  ASSERT_EQ(chart.panels.size(), 1U);
  EXPECT_EQ(chart.panels[0].series.size(), roofline.points.size() + 1);
  const Series& roof = chart.panels[0].series.front();
  EXPECT_DOUBLE_EQ(*std::max_element(roof.y.begin(), roof.y.end()), roofline.peak_gflops);
}

}  // namespace
}  // namespace apsis

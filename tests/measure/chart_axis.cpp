// SPDX-License-Identifier: MIT
#include <apsis/measure/chart_axis.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace apsis {
namespace {

std::vector<Axis::Tick> with_words(const std::vector<Axis::Tick>& ticks) {
  std::vector<Axis::Tick> found;
  std::ranges::copy_if(ticks, std::back_inserter(found),
                       [](const Axis::Tick& tick) { return !tick.minor; });
  return found;
}

TEST(LogarithmicTicks, are_three_to_a_dozen_with_words_over_any_span) {
  for (double low = 3.1e-17; low < 1e14; low *= 7.3) {
    for (const double factor : {1.05, 1.3, 1.9, 2.4, 5.0, 9.0, 30.0, 99.0, 1e3, 1e5, 1e12, 1e80}) {
      const auto ticks = logarithmic_ticks(low, factor * low, compact_mark);
      const auto marks = with_words(ticks);
      EXPECT_GE(marks.size(), 3U) << low << " times " << factor;
      EXPECT_LE(marks.size(), 12U) << low << " times " << factor;
      for (std::size_t i = 0; i < ticks.size(); ++i) {
        EXPECT_GE(ticks[i].at, low * (1 - 1e-9));
        EXPECT_LE(ticks[i].at, factor * low * (1 + 1e-9));
        EXPECT_EQ(ticks[i].minor, ticks[i].label.empty());
      }
      // words say where the mark is, and no two marks say the same
      for (std::size_t i = 0; i < marks.size(); ++i) {
        EXPECT_NEAR(std::stod(marks[i].label), marks[i].at, 1e-3 * marks[i].at);
        if (i > 0) {
          EXPECT_NE(marks[i].label, marks[i - 1].label);
        }
      }
    }
  }
}

TEST(LogarithmicTicks, have_finer_ones_between) {
  const auto ticks = logarithmic_ticks(1, 1000, compact_mark);
  EXPECT_EQ(with_words(ticks).size(), 4U);
  EXPECT_EQ(ticks.size(), 28U);  // nine a decade, and the last
}

TEST(LogarithmicTicks, of_no_span_are_none) {
  EXPECT_TRUE(logarithmic_ticks(0, 1, compact_mark).empty());
  EXPECT_TRUE(logarithmic_ticks(2, 2, compact_mark).empty());
  EXPECT_TRUE(logarithmic_ticks(1, INFINITY, compact_mark).empty());
  EXPECT_TRUE(logarithmic_ticks(NAN, 1, compact_mark).empty());
}

TEST(CompletedAxis, makes_room_for_error_bars) {
  const std::vector<Series> series = {{.x = {1, 2}, .y = {10, 20}, .spread = {5, 30}}};
  const Axis y = completed({.logarithmic = true}, series, &Series::y);
  EXPECT_LT(*y.low, 2);  // 20 - 30 is cut at a tenth of the value
  EXPECT_GT(*y.low, 1);
  EXPECT_GT(*y.high, 50);
  EXPECT_GE(with_words(y.ticks).size(), 3U);
  EXPECT_TRUE(completed({}, series, &Series::y).ticks.empty());
  EXPECT_EQ(completed({.logarithmic = true, .low = 0.5}, series, &Series::x).low, 0.5);
  EXPECT_FALSE(completed({.logarithmic = true}, {}, &Series::y).low.has_value());
}

}  // namespace
}  // namespace apsis

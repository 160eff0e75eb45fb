// SPDX-License-Identifier: MIT
#include <apsis/render/caption.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace apsis {
namespace {

TEST(RoundLength, is_one_two_or_five_and_not_above_the_limit) {
  EXPECT_DOUBLE_EQ(round_length(7.3), 5);
  EXPECT_DOUBLE_EQ(round_length(4.9), 2);
  EXPECT_DOUBLE_EQ(round_length(1.9e-7), 1e-7);
  EXPECT_DOUBLE_EQ(round_length(2e12), 2e12);
  for (double limit = 1e-12; limit < 1e12; limit *= 1.37) {
    EXPECT_LE(round_length(limit), limit * (1 + 1e-15));
    EXPECT_GE(round_length(limit), 0.4 * limit);
  }
}

TEST(RoundLength, of_nothing_is_nothing) {
  EXPECT_EQ(round_length(0), 0);
  EXPECT_EQ(round_length(-1), 0);
  EXPECT_EQ(round_length(std::numeric_limits<double>::infinity()), 0);
  EXPECT_EQ(round_length(std::numeric_limits<double>::quiet_NaN()), 0);
}

TEST(Caption, time_shows_three_digits_of_the_longest) {
  EXPECT_EQ(time_label(1.5, time_digits(11), "Gyr"), "t = 1.5 Gyr");
  EXPECT_EQ(time_label(0.25, time_digits(0.5), ""), "t = 0.250");
  EXPECT_EQ(time_label(0, time_digits(0), ""), "t = 0");
}

TEST(Caption, leaves_marks_at_both_lower_corners_and_nowhere_else) {
  Image image(320, 200);
  draw_caption(image, {.text = "t = 1", .width = 10, .length_unit = "kpc"});
  const auto lit = [&](int left, int top, int right, int bottom) {
    for (int row = top; row < bottom; ++row) {
      for (int column = left; column < right; ++column) {
        if (image.pixel(column, row)[0] > 0) return true;
      }
    }
    return false;
  };
  EXPECT_TRUE(lit(0, 150, 100, 200));
  EXPECT_TRUE(lit(220, 150, 320, 200));
  EXPECT_FALSE(lit(0, 0, 320, 150));
}

TEST(Caption, fits_the_smallest_picture) {
  Image image(1, 1);
  draw_caption(image, {.text = "t = 1", .width = 10});
  Image bare(64, 64);
  draw_caption(bare, {});
  EXPECT_TRUE(std::all_of(bare.rgb.begin(), bare.rgb.end(), [](auto b) { return b == 0; }));
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/render/caption.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

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

TEST(Caption, very_short_and_long_times_have_a_power_of_ten) {
  EXPECT_EQ(time_label(1.5e-9, time_digits(2e-9), "s"), "t = 1.50e-09 s");
  EXPECT_EQ(time_label(3e12, time_digits(3e12), "s"), "t = 3.00e+12 s");
  EXPECT_EQ(short_number(1e6), "1e6");
  EXPECT_EQ(short_number(2e-7), "2e-7");
  EXPECT_EQ(short_number(0.05), "0.05");
}

bool is_inked(const Image& image, int column, int row) {
  const auto* pixel = image.pixel(column, row);
  return pixel[0] + pixel[1] + pixel[2] > 0;
}

// The longest run of one colour in a row: the bar of the scale.
int bar_pixels(const Image& image) {
  int longest = 0;
  for (int row = 0; row < image.height; ++row) {
    for (int column = 0, run = 0; column < image.width; ++column) {
      run = is_inked(image, column, row) ? run + 1 : 0;
      longest = std::max(longest, run);
    }
  }
  return longest;
}

TEST(Caption, the_bar_is_as_long_as_it_says) {
  for (const int pixels : {160, 420, 1280, 1600, 3840}) {
    for (const double width : {1e-9, 0.73, 12.0, 999.0, 1.00001e6}) {
      Image image(pixels, pixels / 2);
      draw_caption(image, {.width = width});
      const double said = round_length(0.2 * width);
      // half a pixel of rounding
      EXPECT_NEAR(bar_pixels(image) * width / pixels, said, 0.51 * width / pixels)
          << pixels << " pixels, " << width;
    }
  }
}

TEST(Caption, never_touches_the_edge_of_a_picture) {
  const Caption full{.text = "t = 12345.67 kpc/(km/s)",
                     .width = 1.7e-7,
                     .length_unit = "kpc",
                     .title =
                         "A title that goes on and on, longer than any picture is wide; "
                         "then it goes on still and has no end",
                     .notes = {"123456789 bodies, 12345 outside the picture, henon units",
                               "brighter where more bodies overlap, heavy kinds fainter"},
                     .colours = {.quantity = "speed", .low = "0.00012", .high = "12345 km/s"}};
  for (const auto& [width, height] : {std::pair{1600, 1000},
                                      {1280, 720},
                                      {420, 420},
                                      {390, 844},
                                      {300, 200},
                                      {160, 90},
                                      {64, 480},
                                      {900, 40}}) {
    Image image(width, height);
    draw_caption(image, full);
    int inked = 0;
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        if (!is_inked(image, column, row)) continue;
        ++inked;
        ASSERT_TRUE(column >= 4 && column < width - 4 && row >= 4 && row < height - 4)
            << width << " x " << height << ": " << column << ", " << row;
      }
    }
    EXPECT_GT(inked, 0) << width << " x " << height;
  }
}

TEST(Caption, the_middle_of_a_picture_stays_free) {
  Image image(1600, 1000);
  draw_caption(image, {.text = "t = 1.0 Gyr",
                       .width = 10,
                       .length_unit = "kpc",
                       .title = "galaxy-merger",
                       .notes = {"16384 bodies", "brighter where more bodies overlap"},
                       .colours = {.quantity = "speed", .low = "0.1", .high = "2 km/s"}});
  for (int row = 150; row < 900; ++row) {
    for (int column = 0; column < 1600; ++column) ASSERT_FALSE(is_inked(image, column, row));
  }
  // letters are grey, the key of colours is not: seven heights of letters long
  const auto coloured = [](const std::uint8_t* pixel) {
    return std::abs(pixel[0] - pixel[2]) > 40;
  };
  int longest = 0;
  for (int column = 0; column < 1600; ++column)
    longest += coloured(image.pixel(column, 50)) ? 1 : 0;
  EXPECT_GT(longest, 80);
}

// Words over a crowd of bodies would be lost among them.
TEST(Caption, dims_what_lies_below_its_words_and_nothing_else) {
  Image image(1600, 1000);
  std::fill(image.rgb.begin(), image.rgb.end(), std::uint8_t{255});
  draw_caption(image, {.text = "t = 1", .width = 10, .title = "lattice", .notes = {"8 bodies"}});
  const auto dimmed = [&](int left, int top, int right, int bottom) {
    int count = 0;
    for (int row = top; row < bottom; ++row) {
      for (int column = left; column < right; ++column) {
        count += image.pixel(column, row)[0] < 128 ? 1 : 0;
      }
    }
    return count / ((right - left) * static_cast<double>(bottom - top));
  };
  EXPECT_GT(dimmed(50, 40, 90, 55), 0.5);    // between the letters of the title
  EXPECT_GT(dimmed(50, 945, 90, 960), 0.5);  // and of the time
  EXPECT_EQ(dimmed(300, 150, 1600, 850), 0);
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

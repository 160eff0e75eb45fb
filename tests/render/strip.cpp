// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/render/strip.hpp>
#include <apsis/render/text.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace apsis {
namespace {

Image filled(int width, int height, std::uint8_t value) {
  Image image(width, height);
  image.rgb.assign(image.rgb.size(), value);
  return image;
}

TEST(Strip, frames_stand_side_by_side_with_gaps) {
  const std::vector<Image> frames = {filled(30, 20, 10), filled(30, 20, 20), filled(30, 20, 30)};
  const Image row = strip(frames, {.gap = 4});
  EXPECT_EQ(row.width, 98);
  EXPECT_EQ(row.height, 20);
  EXPECT_EQ(row.pixel(0, 0)[0], 10);
  EXPECT_EQ(row.pixel(34, 19)[0], 20);
  EXPECT_EQ(row.pixel(97, 5)[0], 30);
  EXPECT_NE(row.pixel(31, 5)[0], 10);
}

TEST(Strip, wraps_into_rows) {
  const std::vector<Image> frames(5, filled(10, 10, 1));
  const Image block = strip(frames, {.gap = 2, .columns = 3});
  EXPECT_EQ(block.width, 34);
  EXPECT_EQ(block.height, 22);
}

TEST(Strip, of_nothing_is_nothing_and_mixed_sizes_are_refused) {
  EXPECT_EQ(strip({}).width, 0);
  const std::vector<Image> frames = {filled(30, 20, 10), filled(31, 20, 20)};
  EXPECT_THROW(strip(frames), Error);
}

// Rows of the picture with other pixels than black inside [left, right).
std::vector<int> inked_rows(const Image& image, int left, int right) {
  std::vector<int> rows;
  for (int row = 0; row < image.height; ++row) {
    for (int column = left; column < right; ++column) {
      if (image.pixel(column, row)[0] == 0) continue;
      rows.push_back(row);
      break;
    }
  }
  return rows;
}

TEST(Strip, words_stand_above_and_below_the_frames_and_never_on_them) {
  const std::vector<Image> frames(3, Image(200, 168));
  const std::vector<std::string> times = {"t = 0.0", "t = 1.5", ""};
  const Caption caption{.width = 10,
                        .title = "A title",
                        .notes = {"3 bodies"},
                        .colours = {.quantity = "speed", .low = "0", .high = "1"}};
  const Image row = captioned_strip(frames, caption, times, {.gap = 0});
  EXPECT_EQ(row.width, 600);
  // each frame comes back as it was, between two bands
  const int band = static_cast<int>((4.2 + 1.6) * 7);
  for (const int ink : inked_rows(row, 0, 600)) {
    EXPECT_TRUE(ink < band || ink >= band + 168) << ink;
  }
  // times below the first two, the scale below the last alone
  const auto below = [&](int left, int right) {
    return std::ranges::count_if(inked_rows(row, left, right),
                                 [&](int ink) { return ink >= band + 168; });
  };
  EXPECT_GT(below(0, 100), 5);
  EXPECT_GT(below(200, 300), 5);
  EXPECT_EQ(below(300, 400), 0);
  EXPECT_EQ(below(400, 500), 0);
  EXPECT_GT(below(500, 600), 5);
}

TEST(Strip, one_frame_that_is_narrower_than_its_words_is_a_picture_too) {
  const std::vector<Image> frames(1, Image(12, 9));
  const std::vector<std::string> times = {"t = 123456789.5 kpc/(km/s)"};
  const Caption caption{.width = 10,
                        .title = "A title that is long",
                        .notes = {"12345 bodies", "brighter"},
                        .colours = {.quantity = "speed", .low = "0", .high = "1"}};
  EXPECT_EQ(captioned_strip(frames, caption, times).width, 12);
  EXPECT_EQ(captioned_strip({}, caption, {}).width, 0);
}

TEST(Text, every_printable_character_has_ink_but_the_space) {
  for (char c = '!'; c <= '~'; ++c) {
    Image image(40, 40);
    draw_text(image, 8, 28, std::string_view(&c, 1), {.height = 18});
    const long ink = std::accumulate(image.rgb.begin(), image.rgb.end(), 0L);
    EXPECT_GT(ink, 1000) << c;
  }
}

TEST(Text, outside_the_picture_is_no_harm) {
  Image image(20, 20);
  draw_text(image, -500, 10, "far left", {});
  draw_text(image, 15, 500, "below", {});
  draw_text(image, 10, 10, "over the right edge", {});
  EXPECT_GT(text_width("abc", {}), text_width("ab", {}));
  EXPECT_EQ(text_width("", {}), 0);
}

TEST(Text, a_character_of_several_bytes_is_one_box) {
  EXPECT_EQ(text_width("H\xC3\xA9non", {}), text_width("Henon", {}));
  EXPECT_EQ(text_width("\xE2\x86\x92", {}), text_width("x", {}));
}

TEST(Text, shortened_fits_and_keeps_characters_whole) {
  const TextStyle style{.height = 10};
  EXPECT_EQ(shortened("short", style, 1000), "short");
  EXPECT_EQ(shortened("two\nlines", style, 1000), "two lines");
  EXPECT_EQ(shortened("word", style, 3), "");
  EXPECT_LT(shortened(std::string(10'000'000, 'x'), style, 500).size(), 60U);  // and soon
  const std::string text = "a\xC3\xA9\xE2\x86\x92 title that is too long for its picture";
  for (double width = 0; width < 450; width += 3) {
    const std::string fitting = shortened(text, style, width);
    EXPECT_LE(text_width(fitting, style), width);
    if (fitting.empty() || fitting == text) continue;
    ASSERT_TRUE(fitting.ends_with("..."));
    const std::string begin = fitting.substr(0, fitting.size() - 3);
    EXPECT_TRUE(text.starts_with(begin));
    // the next byte begins a character
    EXPECT_NE(static_cast<unsigned char>(text[begin.size()]) & 0xC0U, 0x80U) << fitting;
  }
}

TEST(Image, scaling_down_averages_areas) {
  Image image(4, 2);
  for (int x = 0; x < 4; ++x) {
    for (int y = 0; y < 2; ++y) image.pixel(x, y)[0] = static_cast<std::uint8_t>(40 * x);
  }
  const Image half = scaled(image, 2, 1);
  EXPECT_EQ(half.pixel(0, 0)[0], 20);
  EXPECT_EQ(half.pixel(1, 0)[0], 100);
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/render/strip.hpp>
#include <apsis/render/text.hpp>

#include <gtest/gtest.h>

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
  const Image row = strip(frames, {}, {.gap = 4});
  EXPECT_EQ(row.width, 98);
  EXPECT_EQ(row.height, 20);
  EXPECT_EQ(row.pixel(0, 0)[0], 10);
  EXPECT_EQ(row.pixel(34, 19)[0], 20);
  EXPECT_EQ(row.pixel(97, 5)[0], 30);
  EXPECT_NE(row.pixel(31, 5)[0], 10);
}

TEST(Strip, wraps_into_rows) {
  const std::vector<Image> frames(5, filled(10, 10, 1));
  const Image block = strip(frames, {}, {.gap = 2, .columns = 3});
  EXPECT_EQ(block.width, 34);
  EXPECT_EQ(block.height, 22);
}

TEST(Strip, of_nothing_is_nothing_and_mixed_sizes_are_refused) {
  EXPECT_EQ(strip({}, {}).width, 0);
  const std::vector<Image> frames = {filled(30, 20, 10), filled(31, 20, 20)};
  EXPECT_THROW(strip(frames, {}), Error);
}

TEST(Strip, labels_are_drawn_into_their_frames) {
  const std::vector<Image> frames(2, Image(120, 60));
  const std::vector<std::string> labels = {"t = 1.5", ""};
  const Image row = strip(frames, labels, {.gap = 0, .label_height = 12});
  long left = 0, right = 0;
  for (int y = 0; y < 60; ++y) {
    for (int x = 0; x < 120; ++x) left += row.pixel(x, y)[0], right += row.pixel(x + 120, y)[0];
  }
  EXPECT_GT(left, 5000);
  EXPECT_EQ(right, 0);
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

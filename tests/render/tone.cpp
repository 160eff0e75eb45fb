// SPDX-License-Identifier: MIT
#include <apsis/render/blur.hpp>
#include <apsis/render/tone.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace apsis {
namespace {

Light gradient() {
  Light light(256, 8);
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 256; ++column) {
      const auto v = static_cast<float>(column * column);
      light.at(column, row) = {v, v, v};
    }
  }
  return light;
}

TEST(Tone, no_light_is_a_black_picture) {
  const Light dark(16, 16);
  EXPECT_EQ(exposure_of(dark).white, 0);
  const Image image = develop(dark, exposure_of(dark), {}, 1);
  EXPECT_TRUE(std::all_of(image.rgb.begin(), image.rgb.end(), [](auto b) { return b == 0; }));
}

TEST(Tone, exposure_is_found_in_the_light_not_in_the_empty_sky) {
  Light small = gradient();
  Light large(1024, 64);
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 256; ++column) large.at(column, row) = small.at(column, row);
  }
  EXPECT_DOUBLE_EQ(exposure_of(small).white, exposure_of(large).white);
  EXPECT_DOUBLE_EQ(exposure_of(small).faint, exposure_of(large).faint);
}

TEST(Tone, scaling_all_light_changes_nothing) {
  Light light = gradient(), scaled = gradient();
  for (Colour& pixel : scaled.pixels) pixel = 4096 * pixel;  // a whole number of histogram steps
  EXPECT_EQ(develop(light, exposure_of(light), {}, 1), develop(scaled, exposure_of(scaled), {}, 1));
}

TEST(Tone, more_light_is_never_darker_and_white_is_white) {
  const Light light = gradient();
  const Image image = develop(light, exposure_of(light), {.bloom = 0}, 1);
  for (int column = 1; column < 256; ++column) {
    // one step of dither either way
    EXPECT_GE(image.pixel(column, 3)[1] + 1, image.pixel(column - 1, 3)[1]) << column;
  }
  EXPECT_EQ(image.pixel(255, 3)[1], 255);
  EXPECT_LE(image.pixel(0, 3)[1], 1);
}

TEST(Tone, stops_gamma_and_less_contrast_bring_up_what_is_faint) {
  const Light light = gradient();
  const Exposure exposure = exposure_of(light);
  const auto level = [&](const Tone& tone) {
    return develop(light, exposure, tone, 1).pixel(60, 3)[1];
  };
  EXPECT_GT(level({.stops = 1}), level({}) + 3);
  EXPECT_GT(level({.contrast = 0.1}), level({}) + 3);
  EXPECT_GT(level({.gamma = 1.5}), level({}) + 3);
}

TEST(Tone, bloom_lights_the_neighbourhood_of_what_is_brightest) {
  Light light(400, 64);
  for (Colour& pixel : light.pixels) pixel = {1, 1, 1};
  light.at(200, 32) = {4000, 4000, 4000};
  const Exposure exposure{0.5, 2};
  const Image plain = develop(light, exposure, {.bloom = 0}, 1);
  const Image bloomed = develop(light, exposure, {.bloom = 1}, 1);
  EXPECT_GT(bloomed.pixel(203, 32)[0], plain.pixel(203, 32)[0] + 5);
}

TEST(Blur, keeps_light_and_bits_for_any_threads) {
  Light light(120, 90);
  light.at(60, 45) = {1, 2, 3};
  const Light one = blurred(light, 5, 1), three = blurred(light, 5, 3);
  EXPECT_TRUE(one.pixels == three.pixels);
  // running float sums of some hundred terms
  EXPECT_NEAR(one.total().g, 2, 1e-4);
  EXPECT_LT(one.at(60, 45).g, 0.02F);
}

TEST(Blur, below_half_a_pixel_changes_nothing) {
  const Light light = gradient();
  EXPECT_TRUE(blurred(light, 0.3, 1).pixels == light.pixels);
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/render/colour_map.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace apsis {
namespace {

constexpr ColourMap all_maps[] = {ColourMap::stars, ColourMap::ember, ColourMap::sea,
                                  ColourMap::poles, ColourMap::grey};

TEST(ColourMap, gives_finite_light_of_no_negative_channel_everywhere) {
  for (const ColourMap map : all_maps) {
    for (int i = -10; i <= 110; ++i) {
      const Colour c = colour_at(map, i / 100.0);
      for (const float channel : {c.r, c.g, c.b}) {
        EXPECT_TRUE(std::isfinite(channel) && channel >= 0 && channel < 1.6F)
            << name_of(map) << " at " << i;
      }
      EXPECT_GT(luminance(c), 0) << name_of(map) << " at " << i;
    }
  }
}

TEST(ColourMap, takes_values_outside_as_its_ends_and_nan_as_its_start) {
  for (const ColourMap map : all_maps) {
    EXPECT_EQ(colour_at(map, -3), colour_at(map, 0));
    EXPECT_EQ(colour_at(map, 7), colour_at(map, 1));
    EXPECT_EQ(colour_at(map, std::numeric_limits<double>::quiet_NaN()), colour_at(map, 0));
  }
}

TEST(ColourMap, scalar_maps_grow_lighter_all_the_way) {
  for (const ColourMap map : {ColourMap::ember, ColourMap::sea, ColourMap::grey}) {
    for (int i = 0; i < 50; ++i) {
      EXPECT_LT(luminance(colour_at(map, i / 50.0)), luminance(colour_at(map, (i + 1) / 50.0)))
          << name_of(map) << " at " << i;
    }
  }
}

TEST(ColourMap, stars_go_from_blue_to_amber) {
  const Colour cold = colour_at(ColourMap::stars, 0), warm = colour_at(ColourMap::stars, 1);
  EXPECT_GT(cold.b, 1.5F * cold.r);
  EXPECT_GT(warm.r, 1.5F * warm.b);
}

TEST(ColourMap, steps_have_no_jumps) {
  // 1/500 of a map is a small step: no channel may move by more than a fiftieth
  for (const ColourMap map : all_maps) {
    for (int i = 0; i < 500; ++i) {
      const Colour a = colour_at(map, i / 500.0), b = colour_at(map, (i + 1) / 500.0);
      EXPECT_LT(std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b), 0.06F)
          << name_of(map) << " at " << i;
    }
  }
}

}  // namespace
}  // namespace apsis

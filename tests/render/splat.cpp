// SPDX-License-Identifier: MIT
#include <apsis/render/splat.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace apsis {
namespace {

bool same_bits(const Light& a, const Light& b) { return a.pixels == b.pixels; }

TEST(Splat, carries_exactly_its_light_wherever_it_lies_between_pixels) {
  // floats of up to 10⁴ pixels of a glow sum to within 1e-4; above radius 5 the weights are
  // normalised by their integral, which is good to 1e-3
  for (const float radius : {0.0F, 1.0F, 2.0F, 4.9F, 5.1F, 17.3F, 60.0F}) {
    for (const float offset : {0.0F, 0.13F, 0.5F, 0.77F}) {
      Light light(200, 200);
      const Splat splat{100 + offset, 100 - offset, radius, {1, 2, 4}};
      add_splats(light, std::vector{splat}, {.point_radius = 2}, 1);
      const Colour total = light.total();
      EXPECT_NEAR(total.r, 1, 1e-3) << radius << " " << offset;
      EXPECT_NEAR(total.g, 2, 2e-3) << radius << " " << offset;
      EXPECT_NEAR(total.b, 4, 4e-3) << radius << " " << offset;
    }
  }
}

TEST(Splat, centre_of_light_is_where_the_body_is) {
  Light light(41, 41);
  add_splats(light, std::vector{Splat{20.3F, 19.6F, 0, {1, 1, 1}}}, {.point_radius = 3}, 1);
  double column = 0, row = 0, sum = 0;
  for (int r = 0; r < 41; ++r) {
    for (int c = 0; c < 41; ++c) {
      column += light.at(c, r).r * (c + 0.5), row += light.at(c, r).r * (r + 0.5);
      sum += light.at(c, r).r;
    }
  }
  // a spot 3 pixels wide is sampled: its centre is off by less than a fiftieth of a pixel
  EXPECT_NEAR(column / sum, 20.3, 0.02);
  EXPECT_NEAR(row / sum, 19.6, 0.02);
}

TEST(Splat, outside_the_picture_writes_nothing) {
  Light light(32, 32);
  const float infinite = std::numeric_limits<float>::infinity();
  const std::vector<Splat> outside = {{-10, 16, 3, {1, 1, 1}},
                                      {16, 50, 3, {1, 1, 1}},
                                      {1e30F, -1e30F, 3, {1, 1, 1}},
                                      {infinite, 3, 3, {1, 1, 1}},
                                      {3, std::nanf(""), 3, {1, 1, 1}}};
  add_splats(light, outside, {}, 2);
  for (const Colour& pixel : light.pixels) EXPECT_EQ(pixel, Colour{});
}

TEST(Splat, at_the_edge_only_the_part_inside_is_drawn) {
  Light light(32, 32);
  add_splats(light, std::vector{Splat{0, 16, 0, {1, 1, 1}}}, {.point_radius = 4}, 1);
  EXPECT_NEAR(light.total().r, 0.5, 1e-3);
}

TEST(Splat, same_bits_for_any_number_of_threads) {
  std::vector<Splat> splats;
  std::uint32_t state = 1;
  const auto next = [&] {
    return static_cast<float>((state = state * 1664525U + 1013904223U) >> 8);
  };
  for (int i = 0; i < 60000; ++i) {
    const float scale = 1.0F / 16777216.0F;
    splats.push_back({next() * scale * 320 - 10,
                      next() * scale * 220 - 10,
                      next() * scale * 9,
                      {next() * scale, next() * scale, next() * scale}});
  }
  Light one(300, 200), two(300, 200), three(300, 200);
  add_splats(one, splats, {}, 1);
  add_splats(two, splats, {}, 2);
  add_splats(three, splats, {}, 3);
  EXPECT_GT(one.total().r, 0);
  EXPECT_TRUE(same_bits(one, two));
  EXPECT_TRUE(same_bits(one, three));
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/render/frame.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace apsis {
namespace {

FrameStyle small_style() {
  FrameStyle style;
  style.width = 160, style.height = 100;
  return style;
}

bool black(const Image& image) {
  return std::all_of(image.rgb.begin(), image.rgb.end(), [](auto b) { return b == 0; });
}

TEST(Frame, same_bits_for_one_two_and_three_threads) {
  const Bodies bodies = test::random_bodies(40000);
  const FrameStyle style = small_style();
  const Camera camera = framed(bodies, 1.6);
  const Image one = render(bodies, camera, style, 1);
  EXPECT_FALSE(black(one));
  EXPECT_EQ(one, render(bodies, camera, style, 2));
  EXPECT_EQ(one, render(bodies, camera, style, 3));
}

TEST(Frame, no_bodies_are_a_black_picture_and_one_body_a_spot) {
  EXPECT_TRUE(black(render(Bodies(), framed(Bodies(), 1.6), small_style())));
  Bodies one(1);
  one.mass[0] = 1;
  const Image image = render(one, framed(one, 1.6), small_style());
  EXPECT_GT(image.pixel(80, 50)[1], 200);
  EXPECT_EQ(image.pixel(2, 2)[1], 0);
}

TEST(Frame, a_body_outside_leaves_the_picture_black) {
  Bodies one(1);
  one.set_position(0, {100, 0, 0});
  EXPECT_TRUE(black(render(one, {.width = 2}, small_style())));
}

TEST(Frame, values_that_are_no_numbers_are_left_out) {
  Bodies bodies = test::random_bodies(100);
  const Camera camera = framed(bodies, 1.6);
  bodies.x()[3] = std::numeric_limits<double>::quiet_NaN();
  bodies.y()[4] = std::numeric_limits<double>::infinity();
  bodies.vx()[5] = std::numeric_limits<double>::quiet_NaN();
  const Light light = collect_light(bodies, camera, small_style(), 2);
  for (const Colour& pixel : light.pixels) {
    ASSERT_TRUE(std::isfinite(pixel.r) && std::isfinite(pixel.g) && std::isfinite(pixel.b));
  }
}

TEST(Frame, a_body_at_the_end_of_the_world_does_no_harm_in_any_colouring) {
  Bodies bodies = test::random_bodies(100, 1, true);
  const Camera camera = framed(bodies, 1.6);
  bodies.set_position(0, {1e300, -1e300, 1e300});
  bodies.set_position(1, {-1e30, 1e12, 0});
  for (const auto& name : choice_names<ColourBy>()) {
    FrameStyle style = small_style();
    style.colour_by = choice_from<ColourBy>(name);
    EXPECT_FALSE(black(render(bodies, camera, style))) << name;
  }
}

TEST(Frame, light_of_all_bodies_inside_arrives) {
  const Bodies bodies = test::random_bodies(2000);
  FrameStyle style = small_style();
  style.colour_map = ColourMap::grey;
  style.tint.assign(bodies.size(), 1.0F);  // white: one unit of light a body
  style.light.assign(bodies.size(), 1.0F);
  for (std::size_t i = 0; i < 1000; ++i) style.light[i] = 0.25F;
  // radius 1 in a width of 4: everything lies well inside
  const Light light = collect_light(bodies, {.width = 6}, style, 2);
  // glows are normalised to 1e-3, see the test of splats
  EXPECT_NEAR(light.total().g / (1000 + 250), luminance(colour_at(ColourMap::grey, 1)), 2e-3);
}

TEST(Frame, dark_bodies_are_not_drawn) {
  const Bodies bodies = test::random_bodies(50);
  FrameStyle style = small_style();
  style.light.assign(bodies.size(), 0.0F);
  EXPECT_TRUE(black(render(bodies, framed(bodies, 1.6), style)));
}

TEST(Frame, fast_bodies_are_warm_and_slow_ones_blue) {
  Bodies bodies(2);
  bodies.mass = {1, 1};
  bodies.set_position(0, {-1, 0, 0});
  bodies.set_position(1, {1, 0, 0});
  FrameStyle style = small_style();
  style.glow = 0;
  style.look = Look{.colour_low = 0, .colour_high = 1, .exposure = {}};
  bodies.set_velocity(0, {0.05, 0, 0});
  bodies.set_velocity(1, {-0.05, 0, 0});
  const Light slow = collect_light(bodies, {.width = 4}, style, 1);
  EXPECT_GT(slow.at(40, 50).b, slow.at(40, 50).r);
  bodies.set_velocity(0, {1, 0, 0});
  bodies.set_velocity(1, {-1, 0, 0});
  const Light fast = collect_light(bodies, {.width = 4}, style, 1);
  EXPECT_GT(fast.at(40, 50).r, fast.at(40, 50).b);
}

TEST(Frame, every_colouring_makes_a_picture) {
  const Bodies bodies = test::random_bodies(300, 1, true);
  for (const auto& name : choice_names<ColourBy>()) {
    FrameStyle style = small_style();
    style.colour_by = choice_from<ColourBy>(name);
    EXPECT_FALSE(black(render(bodies, framed(bodies, 1.6), style))) << name;
  }
}

TEST(Frame, charges_of_both_signs_lie_on_both_sides_of_the_map) {
  Bodies bodies = test::random_bodies(100, 1, true);
  FrameStyle style = small_style();
  style.colour_by = ColourBy::charge;
  const Look look = look_of(std::span(&bodies, 1), framed(bodies, 1.6), style, 1);
  EXPECT_DOUBLE_EQ(look.colour_low, -look.colour_high);
}

TEST(Frame, shared_look_shows_a_sparser_frame_darker) {
  const Bodies dense = test::random_bodies(4000);
  Bodies sparse = test::random_bodies(40);
  const Camera camera = framed(dense, 1.6);
  FrameStyle style = small_style();
  const std::vector<Bodies> frames = {dense};
  style.look = look_of(frames, camera, style, 1);
  const auto brightness = [&](const Image& image) {
    double sum = 0;
    for (const auto byte : image.rgb) sum += byte;
    return sum;
  };
  EXPECT_GT(brightness(render(dense, camera, style)),
            5 * brightness(render(sparse, camera, style)));
}

TEST(Frame, impossible_styles_are_refused_with_the_value) {
  const Bodies bodies(3);
  const auto refused = [&](const FrameStyle& style, const Camera& camera) {
    try {
      render(bodies, camera, style);
    } catch (const Error& error) {
      return error.code() == ExitCode::bad_data && !error.remedy().empty();
    }
    return false;
  };
  FrameStyle style = small_style();
  EXPECT_TRUE(refused(style, {.width = 0}));
  EXPECT_TRUE(refused(style, {.width = std::nan("")}));
  EXPECT_TRUE(refused(style, {.field_of_view = 180}));
  style.width = 0;
  EXPECT_TRUE(refused(style, {}));
  style = small_style(), style.light = {1, 2};
  EXPECT_TRUE(refused(style, {}));
  style = small_style(), style.glow = 1.5;
  EXPECT_TRUE(refused(style, {}));
  style = small_style(), style.tone.gamma = 0;
  EXPECT_TRUE(refused(style, {}));
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/render/run_views.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace apsis {
namespace {

TEST(LightByKind, heavy_kinds_are_fainter) {
  Bodies bodies(300);
  for (std::size_t i = 0; i < 300; ++i) bodies.mass[i] = i < 200 ? 1e-4 : 1e-3;
  const auto light = light_by_kind(bodies);
  ASSERT_EQ(light.size(), 300U);
  EXPECT_FLOAT_EQ(light[0], 1);
  EXPECT_LT(light[250], 0.11F);
  EXPECT_GT(light[250], 0.01F);
}

TEST(LightByKind, a_heavy_centre_stays_bright) {
  Bodies bodies(101);
  bodies.mass.assign(101, 1e-6);
  bodies.mass[0] = 1;
  const auto light = light_by_kind(bodies);
  ASSERT_EQ(light.size(), 101U);
  EXPECT_FLOAT_EQ(light[0], 1);
  EXPECT_FLOAT_EQ(light[50], 1);
}

TEST(LightByKind, equal_masses_and_mass_spectra_are_lit_alike) {
  Bodies equal(100);
  equal.mass.assign(100, 0.01);
  EXPECT_TRUE(light_by_kind(equal).empty());
  EXPECT_TRUE(light_by_kind(test::random_bodies(1000)).empty());
  EXPECT_TRUE(light_by_kind(Bodies()).empty());
  EXPECT_TRUE(light_by_kind(Bodies(50)).empty());  // without mass
}

TEST(RunViews, strip_has_one_frame_per_state) {
  const std::vector<Bodies> frames = {test::random_bodies(100, 1), test::random_bodies(100, 2)};
  const std::vector<double> times = {0, 12.5};
  const StripViews views{.frame_width = 50, .frame_height = 40};
  const FrameStyle style = suitable_style(frames[0]);
  const Image plain = strip_of(frames, times, style, {.plain = true}, views);
  EXPECT_EQ(plain.width, 104);
  EXPECT_EQ(plain.height, 40);
  const Image image = strip_of(frames, times, style, {.title = "two"}, views);
  EXPECT_EQ(image.width, 104);
  ASSERT_GT(image.height, 40);
  // the frames are those of the plain one, under a band
  EXPECT_NE(std::search(image.rgb.begin(), image.rgb.end(), plain.rgb.begin(), plain.rgb.end()),
            image.rgb.end());
}

TEST(RunViews, few_and_no_bodies_have_a_view) {
  for (const std::size_t n : {0U, 1U, 2U, 3U}) {
    const Bodies bodies = test::random_bodies(n);
    FrameStyle style = suitable_style(bodies);
    style.width = 64, style.height = 48;
    EXPECT_EQ(view_of(bodies, 0, style, {}).height, 48) << n;
  }
}

TEST(RunViews, a_plain_view_is_the_picture_alone) {
  const Bodies bodies = test::random_bodies(300);
  FrameStyle style = suitable_style(bodies);
  style.width = 320, style.height = 200;
  const Image alone = render(bodies, framed(bodies, 1.6), style);
  EXPECT_EQ(view_of(bodies, 2, style, {.plain = true}), alone);
  EXPECT_NE(view_of(bodies, 2, style, {}), alone);
}

TEST(RunViews, a_caption_says_what_is_seen) {
  Bodies bodies = test::random_bodies(100);
  FrameStyle style = suitable_style(bodies);
  const Camera camera{.width = 1e3};
  const Look look{.colour_low = 0.5, .colour_high = 0.5001};
  const Units& units = units_named("kpc-msun-kms");
  Caption caption = caption_of(bodies, camera, style, look, {.title = "here", .units = units});
  EXPECT_EQ(caption.title, "here");
  EXPECT_EQ(caption.width, 1e3);
  EXPECT_EQ(caption.length_unit, "kpc");
  EXPECT_THAT(caption.notes,
              testing::ElementsAre("100 bodies", "brighter where more bodies overlap"));
  EXPECT_EQ(caption.colours.low, "0.5");  // with digits enough to differ
  EXPECT_EQ(caption.colours.high, "0.5001 km/s");
  EXPECT_EQ(time_unit(units), "kpc/(km/s)");

  bodies.set_position(0, {1e6, 0, 0});
  bodies.set_position(1, {std::numeric_limits<double>::quiet_NaN(), 0, 0});
  style.light.assign(100, 1.0F);
  caption = caption_of(bodies, camera, style, look, {});
  EXPECT_THAT(caption.notes,
              testing::ElementsAre("100 bodies, 2 outside the picture, dimensionless",
                                   "brighter where more bodies overlap, heavy kinds fainter"));
  caption = caption_of(Bodies(1), camera, suitable_style(Bodies(1)), {.colour_high = 0}, {},
                       Outside::not_counted);
  EXPECT_THAT(caption.notes,
              testing::ElementsAre("1 body, dimensionless", "points, sizes not to scale"));
  EXPECT_EQ(caption.colours.quantity, "");  // one speed is no range
}

TEST(RunViews, masses_are_written_as_they_are_though_coloured_by_their_logarithm) {
  FrameStyle style;
  style.colour_by = ColourBy::mass;
  const Caption caption = caption_of(Bodies(3), {}, style, {.colour_low = -3, .colour_high = 6},
                                     {.units = units_named("si")});
  EXPECT_EQ(caption.colours.low, "0.001");
  EXPECT_EQ(caption.colours.high, "1e6 kg");
}

TEST(RunViews, spheres_are_told_from_points) {
  Bodies bodies(3);
  bodies.radius = {0.1, 0.2, 0.3};
  FrameStyle style;
  const Look look;
  EXPECT_EQ(caption_of(bodies, {.width = 2}, style, look, {}).notes.back(), "spheres to scale");
  EXPECT_EQ(caption_of(bodies, {.width = 200}, style, look, {}).notes.back(),
            "spheres to scale, smaller ones as points");
  style.spheres = SphereChoice::off;
  EXPECT_EQ(caption_of(bodies, {.width = 2}, style, look, {}).notes.back(),
            "points, sizes not to scale");
}

TEST(RunViews, spacing_keeps_both_ends) {
  EXPECT_THAT(evenly_spaced(13, 6), testing::ElementsAre(0, 2, 4, 7, 9, 12));
  EXPECT_THAT(evenly_spaced(3, 6), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(evenly_spaced(4, 1), testing::ElementsAre(3));
  EXPECT_TRUE(evenly_spaced(0, 6).empty());
}

}  // namespace
}  // namespace apsis

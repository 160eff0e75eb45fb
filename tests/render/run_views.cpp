// SPDX-License-Identifier: MIT
#include <apsis/render/run_views.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>

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
  const Image image =
      strip_of(frames, times, suitable_style(frames[0]), {.frame_width = 50, .frame_height = 40});
  EXPECT_EQ(image.width, 104);
  EXPECT_EQ(image.height, 40);
}

TEST(RunViews, few_and_no_bodies_have_a_view) {
  for (const std::size_t n : {0U, 1U, 2U, 3U}) {
    const Bodies bodies = test::random_bodies(n);
    FrameStyle style = suitable_style(bodies);
    style.width = 64, style.height = 48;
    EXPECT_EQ(view_of(bodies, style).height, 48) << n;
  }
}

TEST(RunViews, spacing_keeps_both_ends) {
  EXPECT_THAT(evenly_spaced(13, 6), testing::ElementsAre(0, 2, 4, 7, 9, 12));
  EXPECT_THAT(evenly_spaced(3, 6), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(evenly_spaced(4, 1), testing::ElementsAre(3));
  EXPECT_TRUE(evenly_spaced(0, 6).empty());
}

}  // namespace
}  // namespace apsis

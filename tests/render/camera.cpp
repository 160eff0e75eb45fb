// SPDX-License-Identifier: MIT
#include <apsis/render/camera.hpp>
#include <apsis/render/percentile.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <cmath>
#include <limits>
#include <vector>

namespace apsis {
namespace {

TEST(Projection, centre_lands_in_the_middle_and_up_is_up) {
  const Projection project({.centre = {1, 2, 3}, .width = 4}, 400, 200);
  const auto middle = project({1, 2, 3});
  EXPECT_DOUBLE_EQ(middle.column, 200);
  EXPECT_DOUBLE_EQ(middle.row, 100);
  const auto corner = project({2, 2.5, 3});  // 100 pixels a unit
  EXPECT_DOUBLE_EQ(corner.column, 300);
  EXPECT_DOUBLE_EQ(corner.row, 50);
}

TEST(Projection, orthographic_view_ignores_depth) {
  const Projection project({.width = 2}, 100, 100);
  EXPECT_DOUBLE_EQ(project({0.5, 0, 0}).column, project({0.5, 0, -50}).column);
}

TEST(Projection, perspective_shrinks_what_is_far_and_drops_what_is_behind) {
  // 90 degrees across a width of 2: the eye is at distance 1
  const Projection project({.width = 2, .field_of_view = 90}, 100, 100);
  EXPECT_DOUBLE_EQ(project({0.5, 0, 0}).column, 75);
  EXPECT_DOUBLE_EQ(project({0.5, 0, -1}).column, 62.5);  // twice as far
  EXPECT_EQ(project({0.5, 0, 2}).magnification, 0);
}

TEST(Projection, up_along_the_line_of_sight_still_gives_a_picture) {
  const Projection project({.forward = {0, 1, 0}, .up = {0, 1, 0}, .width = 2}, 100, 100);
  EXPECT_TRUE(std::isfinite(project({0.3, 0.2, 0.1}).column));
}

Bodies grid_with_outlier(double outlier) {
  Bodies bodies(1001);
  for (std::size_t i = 0; i < 1000; ++i) {
    bodies.set_position(i,
                        {static_cast<double>(i) / 999, 0.5 * static_cast<double>(i % 37) / 36, 0});
  }
  bodies.set_position(1000, {outlier, outlier, 0});
  return bodies;
}

TEST(Framing, one_outlier_does_not_move_the_frame) {
  const Camera near = framed(grid_with_outlier(1), 1.0), far = framed(grid_with_outlier(1e6), 1.0);
  EXPECT_NEAR(near.width, far.width, 0.01);
  EXPECT_NEAR(near.centre.x, 0.5, 0.01);
  EXPECT_NEAR(far.centre.x, 0.5, 0.01);
}

TEST(Framing, a_few_percent_far_away_do_not_make_the_others_a_dot) {
  for (const std::size_t escaped : {1U, 3U, 8U}) {  // up to 4 % of them, on one side
    Bodies bodies = test::random_bodies(200);
    const Camera all = framed(bodies, 1.0);
    for (std::size_t i = 0; i < escaped; ++i) bodies.set_position(i, {1e6, 3e5, -1e9});
    const Camera camera = framed(bodies, 1.0);
    // the bulk's own edge moves a little, and up to three times its reach is seen
    EXPECT_LT(camera.width, 3.5 * all.width) << escaped;
    EXPECT_LT(norm(camera.centre - all.centre), 0.2 * all.width) << escaped;
  }
}

TEST(Framing, of_a_few_bodies_all_are_seen) {
  for (const std::size_t n : {2U, 3U, 10U, 20U}) {
    Bodies bodies = test::random_bodies(n);
    bodies.set_position(0, {1000, -2000, 0});
    const Projection project(framed(bodies, 1.0), 100, 100);
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = project(bodies.position(i));
      EXPECT_TRUE(at.column > 0 && at.column < 100 && at.row > 0 && at.row < 100) << n;
    }
  }
}

TEST(Framing, the_bulk_is_in_the_middle_whatever_hangs_out_on_one_side) {
  Bodies bodies = grid_with_outlier(0.5);  // from 0 to 1
  for (std::size_t i = 0; i < 20; ++i)
    bodies.set_position(i, {0.9 + 0.1 * static_cast<double>(i), 0.3, 0});
  const Camera camera = framed(bodies, 1.0);
  EXPECT_NEAR(camera.centre.x, 0.5, 0.05);  // the box's is 1.4
}

TEST(Framing, one_camera_holds_all_frames) {
  Bodies left = grid_with_outlier(0), right = left;
  for (double& x : right.x()) x += 3;
  const std::vector<Bodies> frames = {left, right};
  const Camera camera = framed(frames, 1.0);
  EXPECT_NEAR(camera.centre.x, 2, 0.02);
  EXPECT_GT(camera.width, 4);
}

TEST(Framing, dark_bodies_have_no_say) {
  Bodies bodies = grid_with_outlier(0);
  for (std::size_t i = 0; i < 500; ++i) bodies.x()[i] = 100;
  std::vector<float> light(bodies.size(), 1.0F);
  for (std::size_t i = 0; i < 500; ++i) light[i] = 0;
  EXPECT_LT(framed(bodies, 1.0, {}, light).width, 2);
}

TEST(Framing, nothing_one_body_or_values_that_are_no_numbers_still_give_a_width) {
  EXPECT_GT(framed(Bodies(), 1.6).width, 0);
  EXPECT_GT(framed(Bodies(1), 1.6).width, 0);
  Bodies bad(2);
  bad.x()[0] = std::numeric_limits<double>::quiet_NaN();
  bad.x()[1] = std::numeric_limits<double>::infinity();
  const Camera camera = framed(bad, 1.6);
  EXPECT_TRUE(std::isfinite(camera.width) && camera.width > 0);
}

TEST(Percentile, counts_weights_not_values) {
  std::vector<WeightedValue> values = {{3, 1}, {1, 8}, {2, 1}};
  EXPECT_EQ(weighted_percentile(values, 0.5), 1);
  EXPECT_EQ(weighted_percentile(values, 0.85), 2);
  EXPECT_EQ(weighted_percentile(values, 1), 3);
  std::vector<WeightedValue> none;
  EXPECT_EQ(weighted_percentile(none, 0.5), 0);
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/render/camera_path.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <limits>

namespace apsis {
namespace {

const std::vector<Bodies>& states() {
  static const std::vector<Bodies> two = {test::random_bodies(500, 1), test::random_bodies(500, 2)};
  return two;
}

void expect_near(Vec3 a, Vec3 b) { EXPECT_LT(norm(a - b), 1e-12); }

TEST(CameraPath, from_above_x_points_right_and_y_up) {
  const Camera camera = CameraPath({}, states(), 1).at(0);
  expect_near(camera.forward, {0, 0, -1});
  expect_near(camera.up, {0, 1, 0});
}

TEST(CameraPath, level_views_keep_z_upright) {
  const Camera camera = CameraPath({.elevation = 0}, states(), 1).at(0);
  expect_near(camera.forward, {0, 1, 0});
  expect_near(camera.up, {0, 0, 1});
}

TEST(CameraPath, a_whole_orbit_ends_where_it_began) {
  const CameraPath path({.elevation = 30, .orbit = 360}, states(), 1.5);
  expect_near(path.at(0).forward, path.at(1).forward);
  expect_near(path.at(0.5).forward,
              {-path.at(0).forward.x, -path.at(0).forward.y, path.at(0).forward.z});
}

TEST(CameraPath, zoom_narrows_the_view_by_its_factor) {
  const CameraPath path({.zoom_start = 1, .zoom_end = 4}, states(), 1);
  EXPECT_NEAR(path.at(0).width / path.at(1).width, 4, 1e-12);
  EXPECT_NEAR(path.at(0).width / path.at(0.5).width, 2, 1e-12);
}

TEST(CameraPath, an_orbit_sees_all_bodies_from_everywhere) {
  std::vector<Bodies> two(1, Bodies(2));  // a long stick along x, seen from the side
  two[0].set_position(0, {-10, 0, 0});
  two[0].set_position(1, {10, 0, 0});
  const CameraPath path({.azimuth = 90, .elevation = 0, .orbit = 90}, two, 1);
  EXPECT_GT(path.at(1).width, 20);
}

TEST(CameraPath, what_makes_no_picture_is_refused) {
  EXPECT_THROW(CameraPath({.zoom_end = 0}, states(), 1), Error);
  EXPECT_THROW(CameraPath({.elevation = 91}, states(), 1), Error);
  EXPECT_THROW(CameraPath({.field_of_view = 180}, states(), 1), Error);
  EXPECT_THROW(CameraPath({.width = -1}, states(), 1), Error);
  EXPECT_THROW(CameraPath({.orbit = std::numeric_limits<double>::infinity()}, states(), 1), Error);
}

}  // namespace
}  // namespace apsis

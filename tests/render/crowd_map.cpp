// SPDX-License-Identifier: MIT
#include <apsis/render/crowd_map.hpp>

#include <gtest/gtest.h>

namespace apsis {
namespace {

// One body of light 1 in the middle of every pixel of the picture and its margin.
CrowdMap even_crowd() {
  CrowdMap crowd(40, 30, 20);
  for (int row = -20; row < 50; ++row) {
    for (int column = -20; column < 60; ++column) crowd.add(column + 0.5, row + 0.5, 1);
  }
  crowd.sum_up();
  return crowd;
}

TEST(CrowdMap, radius_is_half_the_side_of_the_square_that_holds_the_light) {
  const CrowdMap crowd = even_crowd();
  // one body a pixel: a square of side 2r holds 4r² bodies
  EXPECT_DOUBLE_EQ(crowd.radius(20.5, 15.5, 1, 100), 0.5);
  EXPECT_DOUBLE_EQ(crowd.radius(20.5, 15.5, 9, 100), 1.5);
  EXPECT_DOUBLE_EQ(crowd.radius(20.5, 15.5, 25, 100), 2.5);
  EXPECT_DOUBLE_EQ(crowd.radius(20.5, 15.5, 17, 100), 2.0615528128088303);  // √17/2
}

TEST(CrowdMap, density_of_one_body_a_pixel_is_one) {
  EXPECT_DOUBLE_EQ(even_crowd().density(20.5, 15.5, 30, 100), 1);
}

TEST(CrowdMap, the_edge_of_the_picture_is_no_void) {
  const CrowdMap crowd = even_crowd();
  EXPECT_DOUBLE_EQ(crowd.radius(0.5, 0.5, 25, 15), 2.5);
}

TEST(CrowdMap, in_emptiness_the_limit_holds) {
  CrowdMap crowd(10, 10, 4);
  crowd.add(5, 5, 1);
  crowd.add(1000, -1000, 1);  // beyond the margin
  crowd.sum_up();
  EXPECT_DOUBLE_EQ(crowd.radius(5, 5, 2, 7), 7);
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
// Radii and densities of what pages are shown: right within sampling, of a fair sample alone.
#include <apsis/viewer/page_text.hpp>
#include <apsis/viewer/shape.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <support/bodies.hpp>

#include <cmath>
#include <limits>
#include <numbers>

namespace apsis::viewer {
namespace {

// A Plummer sphere of mass 1 and radius 1: the place of body i holds its share of the mass.
Bodies plummer(std::size_t n) {
  Bodies bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double k = static_cast<double>(i) + 0.5, share = k / static_cast<double>(n);
    const double r = 1 / std::sqrt(std::pow(share, -2.0 / 3) - 1);
    const double z = 1 - 2 * std::fmod(k * std::numbers::phi, 1.0);
    const double angle = 2 * std::numbers::pi * std::fmod(k * std::numbers::sqrt2, 1.0);
    const double across = r * std::sqrt(1 - z * z);
    bodies.id[i] = i, bodies.mass[i] = 1 / static_cast<double>(n);
    bodies.set_position(i, {across * std::cos(angle), across * std::sin(angle), r * z});
  }
  return bodies;
}

Points points_of(const Bodies& bodies, std::size_t count, const Region& region = {}) {
  Points points;
  take_points(bodies, sample_order(bodies.size()), count, region, points);
  return points;
}

double plummer_density(double r) { return 3 / (4 * std::numbers::pi) * std::pow(1 + r * r, -2.5); }

void expect_plummer(const Shape& shape, double tolerance) {
  // of shares m: 1 / sqrt(m^(-2/3) - 1)
  const double radii[] = {0.5214, 1.3048, 3.7071};
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(shape.radii[k], radii[k], tolerance * radii[k]) << k;
  ASSERT_GE(shape.profile.size(), 12U);
  for (const Shape::At& at : shape.profile) {
    // a shell is wide, and its density has the error of its bodies
    EXPECT_NEAR(at.density, plummer_density(at.radius),
                0.1 * plummer_density(at.radius) + 4 * at.error)
        << at.radius;
  }
}

TEST(Shape, is_that_of_a_plummer_sphere) {
  // a radius of 4000 bodies is good to some percent of itself
  const Shape shape = shape_of(points_of(plummer(4000), 4000));
  EXPECT_EQ(shape.bodies, 4000U);
  expect_plummer(shape, 0.05);
}

TEST(Shape, of_many_bodies_is_that_of_a_sample_whose_mass_stands_for_all) {
  const Shape shape = shape_of(points_of(plummer(50'000), 50'000));
  EXPECT_EQ(shape.bodies, most_shape_bodies);
  expect_plummer(shape, 0.05);
  const Shape of_few_points = shape_of(points_of(plummer(50'000), 3000));
  EXPECT_EQ(of_few_points.bodies, 3000U);
  expect_plummer(of_few_points, 0.07);
}

TEST(Shape, is_not_drawn_towards_what_somebody_looks_at) {
  const Points closer = points_of(plummer(20'000), 8000, {{2, 0, 0}, 0.5});
  ASSERT_LT(closer.base, closer.size());
  const Shape shape = shape_of(closer);
  EXPECT_EQ(shape.bodies, closer.base);
  expect_plummer(shape, 0.07);
}

TEST(Shape, passes_over_points_whose_bodies_are_gone) {
  Points points = points_of(plummer(2000), 2000);
  for (std::size_t k = 0; k < 500; ++k) points.x[4 * k] = std::numeric_limits<double>::quiet_NaN();
  points.bodies = 1500;
  EXPECT_EQ(shape_of(points).bodies, 1500U);
  for (const double r : shape_of(points).radii) EXPECT_TRUE(std::isfinite(r));
}

TEST(Shape, of_none_or_a_handful_says_nothing) {
  for (const std::size_t n : {0U, 1U, 2U, 99U}) {
    const Shape shape = shape_of(points_of(test::random_bodies(n), n));
    EXPECT_EQ(shape.bodies, 0U) << n;
    const auto json = nlohmann::json::parse(shape_text(shape));
    EXPECT_EQ(json["type"], "shape");
    EXPECT_TRUE(json["radii"].empty() && json["profile"].empty());
  }
}

TEST(Shape, of_bodies_in_one_place_has_no_odd_numbers_in_its_message) {
  Bodies together(200);
  for (std::size_t i = 0; i < together.size(); ++i) together.id[i] = i, together.mass[i] = 1;
  const auto json = nlohmann::json::parse(shape_text(shape_of(points_of(together, 200))));
  EXPECT_EQ(json["bodies"], 200);
  EXPECT_EQ(json["radii"], nlohmann::json({0.0, 0.0, 0.0}));
  EXPECT_TRUE(json["profile"].empty());
}

}  // namespace
}  // namespace apsis::viewer

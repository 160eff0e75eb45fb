// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/render/frame.hpp>
#include <apsis/render/run_views.hpp>
#include <apsis/render/spheres.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace apsis {
namespace {

constexpr Colour white{1, 1, 1}, red{1, 0, 0}, blue{0, 0, 1};

Surfaces of(std::vector<Sphere> spheres, int threads = 1) {
  return drawn(std::move(spheres), 100, 80, threads);
}

// Pixels that the sphere covers, from those behind it that it hides.
double covered_area(const Sphere& sphere) {
  const Surfaces alone = of({{50, 40, 1000, 9, red}}), both = of({{50, 40, 1000, 9, red}, sphere});
  double area = 0;
  for (std::size_t k = 0; k < alone.light.pixels.size(); ++k) {
    area += 1 - both.light.pixels[k].r / alone.light.pixels[k].r;
  }
  return area;
}

TEST(Spheres, cover_the_area_of_their_disc_wherever_they_lie_between_pixels) {
  for (const float radius : {0.2F, 0.5F, 1.0F, 3.3F, 20.0F}) {
    for (const float offset : {0.0F, 0.3F, 0.5F}) {
      const double area = covered_area({50 + offset, 40 - offset, radius, 0, blue});
      const double exact = std::numbers::pi * radius * radius;
      // an edge that is a ramp of one pixel covers pi (r² + 1/12), and those below a pixel are
      // drawn as discs of one; sampled at the middles of pixels that is met within 2 %
      const double tolerance = 0.02 + 1 / (12 * std::pow(std::max(radius, 1.0F), 2));
      EXPECT_NEAR(area, exact, tolerance * exact) << radius << " at " << offset;
    }
  }
}

TEST(Spheres, nearer_ones_are_in_front_in_whatever_order_they_come) {
  const Sphere far{50, 40, 20, 1, red}, near{50, 40, 10, -1, blue};
  for (const auto& order : {std::vector{far, near}, std::vector{near, far}}) {
    const Surfaces surfaces = of(order);
    EXPECT_GT(surfaces.light.at(50, 40).b, 0.5F);
    EXPECT_EQ(surfaces.light.at(50, 40).r, 0);
    EXPECT_GT(surfaces.light.at(36, 36).r, 0);
  }
}

TEST(Spheres, are_lit_from_the_upper_left) {
  const Surfaces surfaces = of({{50, 40, 20, 0, white}});
  EXPECT_GT(surfaces.light.at(42, 32).g, 3 * surfaces.light.at(61, 51).g);
  EXPECT_LE(surfaces.light.at(43, 33).g, 1);
  EXPECT_EQ(surfaces.light.at(80, 40).g, 0);
}

TEST(Spheres, hide_what_is_behind_them_and_nothing_else) {
  const Surfaces surfaces = of({{50, 40, 20, 2, white}});
  EXPECT_TRUE(surfaces.hides(50, 40, 3));
  EXPECT_FALSE(surfaces.hides(50, 40, 1));
  EXPECT_FALSE(surfaces.hides(80, 40, 3));
  EXPECT_FALSE(surfaces.hides(-5, 400, 3));
  EXPECT_FALSE(Surfaces{}.hides(5, 5, 3));
}

TEST(Spheres, that_are_no_numbers_or_fill_the_sky_do_no_harm) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(
      of({{nan, 40, 20, 0, white}, {50, 40, nan, 0, white}, {50, 40, 0, 0, white}}).empty());
  EXPECT_TRUE(of({}).empty());
  const Surfaces full = of({{1e12F, 40, 1e12F + 100, 0, white}, {50, 40, 1e30F, 1, white}});
  for (const Colour& pixel : full.light.pixels) ASSERT_TRUE(std::isfinite(pixel.g));
}

TEST(Spheres, same_bits_for_one_two_and_three_threads) {
  std::vector<Sphere> spheres;
  const Bodies places = test::random_bodies(500);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3 at = places.position(i);
    spheres.push_back({static_cast<float>(50 + 60 * at.x), static_cast<float>(40 + 60 * at.y), 9,
                       std::round(4 * at.z), i % 2 == 0 ? red : blue});  // many at one distance
  }
  const Surfaces one = of(spheres);
  for (const int threads : {2, 3}) {
    EXPECT_EQ(of(spheres, threads).light.pixels, one.light.pixels) << threads;
  }
}

// --- bodies in pictures

FrameStyle small_style() {
  FrameStyle style;
  style.width = 160, style.height = 100;
  return style;
}

Bodies sized(std::size_t n, double radius) {
  Bodies bodies = test::random_bodies(n);
  bodies.radius.assign(n, radius);
  return bodies;
}

// Lit pixels of the middle row.
int width_of_light(const Image& image) {
  int lit = 0;
  for (int column = 0; column < image.width; ++column) {
    lit += image.pixel(column, image.height / 2)[1] > 0 || image.pixel(column, 50)[2] > 0;
  }
  return lit;
}

TEST(BodiesWithSize, have_their_radius_in_the_picture_at_any_distance) {
  Bodies one = sized(1, 0.25);
  one.set_position(0, {0, 0, 0});
  // 80 pixels a length; the edge is half a pixel of ramp on both sides
  EXPECT_NEAR(width_of_light(render(one, {.width = 2}, small_style())), 40, 1);
  EXPECT_NEAR(width_of_light(render(one, {.width = 4}, small_style())), 20, 1);
  // twice as near to the eye: 1 / tan(half the angle of view) = 1.73 half widths away
  const double eye = 1 / std::tan(30 * std::numbers::pi / 180);
  one.set_position(0, {0, 0, eye / 2});
  EXPECT_NEAR(width_of_light(render(one, {.width = 2, .field_of_view = 60}, small_style())), 80, 1);
}

TEST(BodiesWithSize, are_points_of_light_below_three_quarters_of_a_pixel_and_where_asked_for) {
  const Bodies bodies = sized(50, 0.01);
  Bodies points = bodies;
  points.radius.clear();
  const Camera far{.width = 2.5};  // 0.64 pixels
  FrameStyle style = small_style();
  EXPECT_EQ(render(bodies, far, style), render(points, far, style));
  const Camera near{.width = 0.5};
  EXPECT_NE(render(bodies, near, style), render(points, near, style));
  style.spheres = SphereChoice::on;
  EXPECT_NE(render(bodies, far, style), render(points, far, style));
  EXPECT_EQ(collect_light(bodies, far, style, 1).total(), Colour{});
  style.spheres = SphereChoice::off;
  EXPECT_EQ(render(bodies, near, style), render(points, near, style));
}

TEST(BodiesWithSize, a_point_behind_a_sphere_is_hidden_and_one_before_it_is_not) {
  Bodies bodies(2);
  bodies.mass = {1, 1}, bodies.radius = {0.5, 0};
  bodies.set_velocity(1, {1, 0, 0});
  FrameStyle style = small_style();
  bodies.set_position(1, {0.1, 0.1, -1});  // the camera looks along -z
  EXPECT_EQ(collect_light(bodies, {.width = 2}, style, 1).total(), Colour{});
  bodies.set_position(1, {0.1, 0.1, 1});
  EXPECT_GT(collect_light(bodies, {.width = 2}, style, 1).total().g, 0.1F);
}

TEST(BodiesWithSize, make_the_same_picture_on_any_number_of_threads) {
  Bodies bodies = sized(20000, 0.01);
  for (std::size_t i = 0; i < bodies.size(); i += 3) bodies.radius[i] = 0;  // points among them
  const Camera camera = framed(bodies, 1.6);
  const Image one = render(bodies, camera, small_style(), 1);
  EXPECT_EQ(one, render(bodies, camera, small_style(), 2));
  EXPECT_EQ(one, render(bodies, camera, small_style(), 3));
}

TEST(BodiesWithSize, are_in_the_frame_as_a_whole) {
  Bodies one(1);
  one.radius = {3};
  EXPECT_NEAR(framed(one, 1.0).width, 6 * 1.16, 1e-12);
}

TEST(BodiesWithSize, are_all_lit_alike_however_they_grew) {
  Bodies bodies = sized(200, 0.1);
  for (std::size_t i = 0; i < 200; ++i) bodies.mass[i] = i < 100 ? 1 : 2;
  EXPECT_TRUE(suitable_style(bodies).light.empty());
  bodies.radius.clear();
  EXPECT_EQ(suitable_style(bodies).light.size(), 200U);
}

TEST(BodiesWithSize, frames_of_a_strip_may_have_fewer_bodies_each) {
  std::vector<Bodies> frames{test::random_bodies(200)};
  for (std::size_t i = 0; i < 200; ++i) frames[0].mass[i] = i < 100 ? 1 : 2;
  frames.push_back(frames[0]);
  frames[1].remove(std::vector<std::size_t>{0, 17, 150});
  const FrameStyle style = suitable_style(frames[0]);
  ASSERT_FALSE(style.light.empty());
  // the light of a body is its own whatever its number is
  const std::vector<float> light = light_for(frames[1], style.light, style.light_id);
  ASSERT_EQ(light.size(), 197U);
  EXPECT_EQ(light[0], style.light[1]);
  EXPECT_EQ(light[98], style.light[100]);
  EXPECT_EQ(strip_of(frames, std::vector<double>{0, 1}, style, {}, {.frame_width = 50}).width, 104);
}

}  // namespace
}  // namespace apsis

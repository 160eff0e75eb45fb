// SPDX-License-Identifier: MIT
#include <apsis/viewer/frame_code.hpp>
#include <apsis/viewer/mailbox.hpp>
#include <apsis/viewer/page_text.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>
#include <thread>

namespace apsis::viewer {
namespace {

Points points_of(const Bodies& bodies, std::size_t count = 1'000'000) {
  Points points;
  take_points(bodies, sample_order(bodies.size()), count, {}, points);
  return points;
}

TEST(SampleOrder, is_a_permutation_that_stays) {
  for (const std::size_t n : {0U, 1U, 2U, 3U, 1000U}) {
    const auto order = sample_order(n);
    EXPECT_EQ(std::set<std::uint32_t>(order.begin(), order.end()).size(), n);
    EXPECT_EQ(order, sample_order(n));
  }
}

TEST(SampleOrder, a_beginning_is_a_fair_sample) {
  const std::size_t n = 100'000, part = 10'000;
  const auto order = sample_order(n);
  const auto low =
      std::count_if(order.begin(), order.begin() + part, [&](auto i) { return i < n / 2; });
  // binomial: deviation 50, five of them
  EXPECT_NEAR(static_cast<double>(low), part / 2.0, 250);
}

TEST(EncodedFrame, points_without_a_body_are_not_drawn_and_count_for_nothing) {
  Bodies bodies = test::random_bodies(3000, 1, true);
  PointList list;
  list.follow(bodies.id);
  std::vector<std::size_t> gone;
  for (std::size_t i = 0; i < 3000; i += 2) gone.push_back(i);
  bodies.remove(gone);
  list.follow(bodies.id);
  Points points, without_gaps;
  take_points(bodies, list.order(), 1'000'000, {}, points);
  ASSERT_EQ(points.size(), 3000U);
  EncodedFrame frame(1, points, nullptr);
  std::size_t drawn = 0;
  for (std::size_t k = 0; k < 3000; ++k) drawn += (*frame.places())[3 * k] != outside ? 1 : 0;
  EXPECT_EQ(drawn, 1500U);
  take_points(bodies, sample_order(bodies.size()), 1'000'000, {}, without_gaps);
  EncodedFrame other(1, without_gaps, nullptr);
  for (const auto by : {ColourBy::speed, ColourBy::mass, ColourBy::charge, ColourBy::id}) {
    frame.colours(by), other.colours(by);
    // speeds are in float, about a mean that is summed in another order
    EXPECT_NEAR(frame.header(by).range.low, other.header(by).range.low, 1e-6) << name_of(by);
    EXPECT_NEAR(frame.header(by).range.high, other.header(by).range.high, 1e-6) << name_of(by);
  }
  frame.colours(ColourBy::density);
  EXPECT_NE(body_text(points, 0), body_text(points, 5000));
  Points nobody_left;
  list.follow({});
  take_points(Bodies(), list.order(), 1'000'000, {}, nobody_left);
  EXPECT_EQ(nobody_left.size(), 3000U);
  EXPECT_TRUE(
      std::isfinite(EncodedFrame(2, nobody_left, &frame).header(ColourBy::speed).cube.step));
}

TEST(TakePoints, the_kth_point_is_always_the_same_body) {
  const Bodies bodies = test::random_bodies(1000, 1, true);
  const Points few = points_of(bodies, 10), many = points_of(bodies, 500);
  ASSERT_EQ(few.size(), 10U);
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_EQ(few.id[k], many.id[k]);
    EXPECT_EQ(few.x[k], many.x[k]);
    EXPECT_EQ(few.charge[k], many.charge[k]);
  }
  EXPECT_EQ(few.bodies, 1000U);
}

TEST(TakePoints, a_region_gets_the_second_half) {
  const Bodies bodies = test::random_bodies(4000);
  const auto order = sample_order(bodies.size());
  const Region region{{0.3, 0, 0}, 0.2};
  Points points;
  take_points(bodies, order, 100, region, points);
  EXPECT_EQ(points.base, 50U);
  ASSERT_EQ(points.size(), 100U);
  for (std::size_t k = points.base; k < points.size(); ++k) {
    EXPECT_LE(std::abs(points.x[k] - 0.3), 0.2);
    EXPECT_LE(std::abs(points.z[k]), 0.2);
  }
  EXPECT_EQ(std::set<std::uint64_t>(points.id.begin(), points.id.end()).size(), points.size());
  // where all are asked for there is nothing to choose
  take_points(bodies, order, 4000, region, points);
  EXPECT_EQ(points.base, 4000U);
  EXPECT_EQ(points.size(), 4000U);
}

TEST(FrameHeader, comes_back_as_it_was) {
  FrameHeader h{.frame = 7,
                .first = 100,
                .count = 200,
                .base = 150,
                .sampled = 300,
                .bodies = 1'000'000,
                .scene = 2,
                .step = 12345678901ULL,
                .time = 1.25,
                .cube = {{-1, -2, -3}, 1e-4},
                .center_of_mass = {0.5, 0.25, -0.125},
                .colour_by = ColourBy::density,
                .range = {-2, 3}};
  const auto bytes = encode_header(h);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), 4), "APSV");
  EXPECT_EQ(static_cast<int>(bytes[4]), frame_version);
  const FrameHeader back = decode_header(bytes);
  EXPECT_EQ(back.frame, h.frame);
  EXPECT_EQ(back.count, h.count);
  EXPECT_EQ(back.base, h.base);
  EXPECT_EQ(back.step, h.step);
  EXPECT_EQ(back.time, h.time);
  EXPECT_EQ(back.cube.corner, h.cube.corner);
  EXPECT_EQ(back.center_of_mass, h.center_of_mass);
  EXPECT_EQ(back.colour_by, h.colour_by);
  EXPECT_EQ(back.range.high, h.range.high);
}

TEST(Places, are_right_to_half_a_step_of_the_cube) {
  const Points points = points_of(test::random_bodies(2000));
  const Cube cube = fitting_cube(points, {.corner = {}, .step = 0});
  const auto places = encode_places(points, cube);
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (places[3 * i] == outside) {
      ++left_out;
      continue;
    }
    EXPECT_NEAR(cube.corner.x + places[3 * i] * cube.step, points.x[i], 0.51 * cube.step);
    EXPECT_NEAR(cube.corner.z + places[3 * i + 2] * cube.step, points.z[i], 0.51 * cube.step);
  }
  EXPECT_EQ(left_out, 0U);
}

TEST(Places, one_body_on_its_way_out_does_not_cost_the_others_their_precision) {
  Bodies bodies = test::random_bodies(5000);
  bodies.set_position(17, {1e9, 0, 0});
  const Points points = points_of(bodies);
  const Cube cube = fitting_cube(points, {.corner = {}, .step = 0});
  EXPECT_LT(cube.step, 1e-4);
  const auto places = encode_places(points, cube);
  EXPECT_EQ(std::count(places.begin(), places.end(), outside), 3);
}

TEST(Cube, is_kept_while_it_fits) {
  Points points = points_of(test::random_bodies(2000));
  const Cube first = fitting_cube(points, {.corner = {}, .step = 0});
  for (double& x : points.x) x *= 1.3;
  EXPECT_EQ(fitting_cube(points, first).step, first.step);
  for (double& x : points.x) x *= 10;
  EXPECT_GT(fitting_cube(points, first).step, first.step);
}

TEST(Cube, none_one_and_coincident_bodies_have_one) {
  for (const std::size_t n : {0U, 1U, 5U}) {
    const Points points = points_of(Bodies(n));
    const Cube cube = fitting_cube(points, {.corner = {}, .step = 0});
    EXPECT_GT(cube.step, 0);
    EXPECT_EQ(encode_places(points, cube).size(), 3 * n);
  }
}

TEST(Colours, span_the_map_and_are_finite_for_every_kind) {
  for (const std::size_t n : {0U, 1U, 2U, 3000U}) {
    EncodedFrame frame(1, points_of(test::random_bodies(n, 1, true)), nullptr);
    for (const auto& [kind, name] : Choice<ColourBy>::values) {
      const auto colours = frame.colours(kind);
      ASSERT_EQ(colours->size(), n) << name;
      EXPECT_TRUE(std::isfinite(frame.header(kind).range.low));
      if (n > 100) {
        const auto [low, high] = std::minmax_element(colours->begin(), colours->end());
        EXPECT_EQ(*low, 0) << name;
        EXPECT_EQ(*high, 65535) << name;
      }
    }
  }
}

TEST(Colours, ranges_follow_slowly) {
  EncodedFrame first(1, points_of(test::random_bodies(3000)), nullptr);
  first.colours(ColourBy::speed);
  const double high = first.header(ColourBy::speed).range.high;
  Bodies faster = test::random_bodies(3000);
  for (double& value : faster.velocities.values()) value *= 2;
  EncodedFrame second(2, points_of(faster), &first);
  second.colours(ColourBy::speed);
  EXPECT_NEAR(second.header(ColourBy::speed).range.high, 1.1 * high, 0.01 * high);
}

TEST(Mailbox, the_newest_value_wins_and_is_taken_once) {
  Mailbox<std::vector<int>> box;
  EXPECT_FALSE(box.take());
  box.put({1});
  EXPECT_EQ(box.put({2}), std::vector<int>{1});  // its memory comes back
  EXPECT_EQ(box.take(), std::vector<int>{2});
  EXPECT_FALSE(box.take());
}

TEST(Mailbox, memory_that_was_read_comes_back_to_the_writer) {
  Mailbox<std::vector<int>> box;
  box.put({1});
  box.recycle(std::vector<int>(100));
  box.take();
  EXPECT_EQ(box.put({2}).size(), 100U);
}

TEST(Mailbox, two_threads_meet_without_loss_of_order) {
  Mailbox<int> box;
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (int i = 1; i <= 100'000; ++i) box.put(i);
    done = true;
  });
  int last = 0;
  while (!done || last < 100'000) {
    if (const auto value = box.take()) {
      ASSERT_GT(*value, last);
      last = *value;
    }
  }
  writer.join();
}

}  // namespace
}  // namespace apsis::viewer

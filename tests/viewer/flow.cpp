// SPDX-License-Identifier: MIT
#include <apsis/viewer/flow.hpp>

#include <gtest/gtest.h>

namespace apsis::viewer {
namespace {

using std::chrono::milliseconds;
const Flow::Time start{std::chrono::seconds(100)};

TEST(Flow, a_page_that_shows_nothing_is_held_to_two_frames_and_then_stalls) {
  Flow flow;
  auto now = start;
  int sent = 0;
  for (std::uint32_t frame = 1; frame < 100; ++frame, now += milliseconds(100)) {
    const auto part = flow.next(frame, 5000, 0.1, now);
    if (part.count == 0) continue;
    flow.sent(frame, part, now);
    ++sent;
  }
  EXPECT_EQ(sent, frames_in_flight);
  EXPECT_FALSE(flow.stalled(start + milliseconds(1000)));
  EXPECT_TRUE(flow.stalled(start + stalled_time + milliseconds(1)));
}

TEST(Flow, never_exceeds_its_bytes_a_second) {
  Flow flow;
  flow.set_capacity(most_points);
  double bytes = 0;
  auto now = start;
  for (std::uint32_t tick = 0; tick < 3000; ++tick, now += milliseconds(10)) {
    const auto part = flow.next(tick, most_points, 0.1, now);  // a new frame at every tick
    if (part.count == 0) continue;
    flow.sent(tick, part, now);
    bytes += bytes_per_point * static_cast<double>(part.count);
    flow.shown(0.1, now);
  }
  EXPECT_LT(bytes / 30, 1.02 * bytes_per_second);
  EXPECT_GT(bytes / 30, 0.5 * bytes_per_second);
}

TEST(Flow, a_resting_frame_is_completed_part_by_part) {
  Flow flow;
  flow.set_capacity(1'000'000);
  std::size_t have = 0;
  auto now = start;
  for (int tick = 0; tick < 100; ++tick, now += milliseconds(100)) {
    const auto part = flow.next(9, 300'000, 0.1, now);
    if (part.count == 0) continue;
    EXPECT_EQ(part.first, have);
    have += part.count;
    flow.sent(9, part, now);
    flow.shown(0.1, now + milliseconds(20));
  }
  EXPECT_EQ(have, 300'000U);
}

TEST(Flow, slow_answers_bring_fewer_points_and_prompt_ones_more) {
  Flow slow, prompt;
  auto now = start;
  for (std::uint32_t frame = 1; frame < 20; ++frame, now += milliseconds(1000)) {
    slow.sent(frame, {0, slow.points()}, now);
    slow.shown(0.1, now + milliseconds(900));
    prompt.sent(frame, {0, prompt.points()}, now);
    prompt.shown(0.1, now + milliseconds(5));
  }
  EXPECT_EQ(slow.points(), fewest_points);
  EXPECT_GT(prompt.points(), 2 * first_points);
}

TEST(Flow, answers_to_nothing_are_ignored) {
  Flow flow;
  flow.shown(0.1, start);
  EXPECT_EQ(flow.points(), first_points);
  EXPECT_EQ(flow.next(1, 0, 0.1, start).count, 0U);
}

TEST(FrameRate, follows_the_points_and_the_servers_load) {
  FrameRate rate;
  EXPECT_NEAR(rate.interval(100), 1 / fastest_frames, 1e-12);
  EXPECT_NEAR(rate.interval(1'000'000), 1 / relaxed_frames, 1e-12);
  // a hundred pages share what all may be sent
  EXPECT_NEAR(rate.interval(20'000, 100), 20'000 * 8 * 100 / all_bytes_per_second, 1e-12);
  for (int i = 0; i < 100; ++i) rate.adapt(0.9);
  EXPECT_NEAR(rate.interval(1'000'000), 1 / slowest_frames, 1e-12);
  for (int i = 0; i < 100; ++i) rate.adapt(0.01);
  EXPECT_NEAR(rate.interval(100), 1 / fastest_frames, 1e-12);
}

}  // namespace
}  // namespace apsis::viewer

// SPDX-License-Identifier: MIT
#include <apsis/measure/timeline.hpp>

#include <gtest/gtest.h>

namespace apsis {
namespace {

// Two devices, two steps. The second is done first, waits for the places of the other, and is the
// slower one in the second step.
StepTimeline two_steps() {
  StepTimeline timeline;
  timeline.steps = 2;
  timeline.devices = {{"first",
                       {{"motion", false, 10, 11},
                        {"read", true, 11, 12},
                        {"direct", false, 11, 20},
                        {"motion", false, 20, 21},
                        {"direct", false, 21, 26},
                        {"motion", false, 31, 32}}},
                      {"second",
                       {{"motion", false, 10, 11},
                        {"direct", false, 11, 16},
                        {"motion", false, 16, 17},
                        {"write", true, 22, 23},
                        {"direct", false, 23, 31},
                        {"motion", false, 31, 32}}}};
  return timeline;
}

TEST(StepTimeline, steps_follow_each_other_and_know_their_slowest_device) {
  const auto steps = two_steps().use_by_step();
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_DOUBLE_EQ(steps[0].seconds, 10);
  EXPECT_DOUBLE_EQ(steps[0].kernels, 10);
  EXPECT_EQ(steps[0].device, 0U);
  EXPECT_DOUBLE_EQ(steps[1].seconds, 11);
  EXPECT_DOUBLE_EQ(steps[1].kernels, 9);
  EXPECT_EQ(steps[1].device, 1U);
}

TEST(StepTimeline, a_part_of_it_has_those_steps_of_every_device) {
  const StepTimeline second = two_steps().part(1, 1);
  EXPECT_EQ(second.steps, 1);
  ASSERT_EQ(second.devices.size(), 2U);
  EXPECT_EQ(second.devices[0].device, "first");
  EXPECT_EQ(second.devices[0].entries.size(), 2U);
  EXPECT_DOUBLE_EQ(second.begin(), 16);
  EXPECT_DOUBLE_EQ(second.seconds(), 31 - 16);
  EXPECT_EQ(two_steps().part(5, 1).devices[1].entries.size(), 0U);
}

TEST(StepTimeline, the_middle_of_the_measured_steps_is_that_of_two_where_they_are_even) {
  StepTimeline timeline = two_steps();
  EXPECT_EQ(timeline.step_over_kernels(), 0);
  timeline.measured = {{3, 2, 0}, {1, 1, 0}, {5, 2, 1}};
  EXPECT_DOUBLE_EQ(timeline.step_over_kernels(), 1.5);
  timeline.measured.push_back({4, 2, 0});
  EXPECT_DOUBLE_EQ(timeline.step_over_kernels(), 1.75);
}

TEST(StepTimeline, kernels_that_overlap_count_once) {
  StepTimeline timeline = two_steps();
  timeline.engine.bodies = 7, timeline.engine.devices = {{.bodies = 3}, {.bodies = 4}};
  timeline.devices[0].entries.insert(timeline.devices[0].entries.begin() + 3,
                                     {"direct", false, 15, 20});
  EXPECT_DOUBLE_EQ(timeline.use_by_step()[0].kernels, 10);
  EXPECT_DOUBLE_EQ(timeline.seconds(), 22);
  EXPECT_DOUBLE_EQ(timeline.use()[0].kernels, 17);
  EXPECT_DOUBLE_EQ(timeline.use()[1].idle, 22 - 16);
}

}  // namespace
}  // namespace apsis

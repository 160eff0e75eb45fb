// SPDX-License-Identifier: MIT
#include <apsis/measure/timing.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace apsis {
namespace {

TEST(Timings, warm_up_does_not_count) {
  const Timings times{.warmup = {100, 100}, .seconds = {4, 1, 2}};
  EXPECT_EQ(times.min(), 1);
  EXPECT_EQ(times.max(), 4);
  EXPECT_EQ(times.median(), 2);
  EXPECT_DOUBLE_EQ(times.mean(), 7.0 / 3);
  EXPECT_DOUBLE_EQ(times.deviation(), std::sqrt(7.0 / 3));  // sample variance by hand
}

TEST(Timings, even_numbers_have_a_median_between) {
  EXPECT_EQ((Timings{.warmup = {}, .seconds = {1, 5, 2, 3}}).median(), 2.5);
}

TEST(Timings, none_and_one_have_no_spread) {
  EXPECT_EQ(Timings{}.median(), 0);
  EXPECT_EQ((Timings{.warmup = {}, .seconds = {3}}).deviation(), 0);
}

}  // namespace
}  // namespace apsis

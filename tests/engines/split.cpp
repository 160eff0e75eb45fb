// SPDX-License-Identifier: MIT
// How bodies are dealt out, by numbers alone.
#include <apsis/core/error.hpp>
#include <apsis/engines/split.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace apsis {
namespace {

std::size_t sum_of(const Shares& shares) {
  return std::accumulate(shares.begin(), shares.end(), std::size_t{0});
}

TEST(Split, gives_every_body_to_somebody) {
  for (const std::size_t n : {0, 1, 2, 5, 1000, 4097, 65537}) {
    for (const std::size_t devices : {1, 2, 3, 7}) {
      EXPECT_EQ(sum_of(even_shares(n, devices)), n) << devices;
      std::vector<DeviceSpeed> speeds;
      for (std::size_t d = 0; d < devices; ++d) {
        speeds.push_back({0, 1e-6 * static_cast<double>(d + 1)});
      }
      EXPECT_EQ(sum_of(shares_by_speed(n, speeds)), n) << devices;
    }
  }
}

TEST(Split, follows_the_speed) {
  const Shares shares = shares_by_speed(40000, std::vector<DeviceSpeed>{{0, 3e-6}, {0, 1e-6}});
  EXPECT_NEAR(static_cast<double>(shares[0]), 10000, 64);  // whole work-groups
}

// As those of solver none.
TEST(Split, of_devices_that_take_no_time_is_even) {
  const std::vector<DeviceSpeed> none{{0, 0}, {0, 0}};
  EXPECT_EQ(shares_by_speed(100, none), (Shares{50, 50}));
  EXPECT_EQ(shares_by_speed(0, none), (Shares{0, 0}));
}

TEST(Split, counts_what_a_device_takes_before_its_first_body) {
  // both are done after 30 ms: 10 ms + 20,000 · 1 µs, and 30,000 · 1 µs
  const Shares shares = shares_by_speed(50000, std::vector<DeviceSpeed>{{0.01, 1e-6}, {0, 1e-6}});
  EXPECT_NEAR(static_cast<double>(shares[0]), 20000, 64);
}

TEST(Split, leaves_out_devices_that_would_only_be_waited_for) {
  EXPECT_EQ(shares_by_speed(50000, std::vector<DeviceSpeed>{{0, 1e-6}, {0.06, 1e-6}}),
            (Shares{50000, 0}));
  EXPECT_EQ(shares_by_speed(50000, std::vector<DeviceSpeed>{{0, 1e-3}, {0, 1e-6}, {1, 1e-9}}),
            (Shares{0, 50000, 0}));
}

TEST(Split, is_written_and_read_back) {
  EXPECT_EQ(to_string(Shares{40000, 25537}), "40000 25537");
  EXPECT_EQ(shares_from("40000 25537", 65537, 2), (Shares{40000, 25537}));
  for (const char* text : {"", "40000", "40000 25536", "40000 x", "-1 65538", "1 2 65534"}) {
    EXPECT_THROW(shares_from(text, 65537, 2), Error) << text;
  }
}

TEST(Split, takes_a_clock_that_went_backwards_for_none) {
  const DeviceSpeed speed = speed_from(256, 2e-3, 1024, 1e-3);
  EXPECT_EQ(speed.fixed, 0);
  EXPECT_GT(speed.per_body, 0);
}

}  // namespace
}  // namespace apsis

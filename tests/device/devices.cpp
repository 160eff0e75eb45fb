// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "open_device.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>

namespace apsis {
namespace {

using ::testing::HasSubstr;

class Devices : public OpenDevice {};

TEST(DeviceDiscovery, tells_why_there_is_none) {
  const Discovery discovery = discover_devices();
  EXPECT_EQ(discovery.devices.empty(), !discovery.why_none.empty()) << discovery.why_none;
}

TEST(DeviceDiscovery, refuses_a_choice_that_is_none) {
  expect_error(ExitCode::bad_data, "opencl:x", [] { chosen_device("opencl:x"); });
  expect_error(ExitCode::bad_data, "opencl:", [] { chosen_device("opencl:"); });
  expect_error(ExitCode::bad_data, "opencl:-1", [] { chosen_device("opencl:-1"); });
  expect_error(ExitCode::bad_data, "opencl:1x", [] { chosen_device("opencl:1x"); });
  expect_error(ExitCode::bad_data, "no name", [] { chosen_device(""); });
}

TEST(DeviceDiscovery, names_what_was_asked_for_and_is_not_there) {
  expect_error(ExitCode::unavailable, "'warp core'", [] { chosen_device("warp core"); });
  expect_error(ExitCode::unavailable, "'opencl:99'", [] { chosen_device("opencl:99"); });
  // more than an int holds
  expect_error(ExitCode::unavailable, "99999999999", [] { chosen_device("opencl:99999999999"); });
}

TEST_F(Devices, are_numbered_and_described) {
  const auto devices = discover_devices().devices;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const DeviceInfo& device = devices[i];
    EXPECT_EQ(device.index, static_cast<int>(i));
    EXPECT_FALSE(device.name.empty());
    EXPECT_FALSE(device.driver.empty());
    EXPECT_FALSE(device.platform.empty());
    EXPECT_GT(device.compute_units, 0);
    // OpenCL 1.2 promises at least these (table 4.3)
    EXPECT_GE(device.largest_buffer, std::uint64_t{128} << 20);
    EXPECT_GE(device.local_memory, 32U << 10);
    EXPECT_GE(device.memory, device.largest_buffer);
  }
}

TEST_F(Devices, are_chosen_by_number_kind_and_part_of_a_name) {
  EXPECT_EQ(chosen_device("opencl").index, 0);
  EXPECT_EQ(chosen_device("opencl:0").name, info.name);
  EXPECT_EQ(chosen_device("OpenCL:0").name, info.name);
  const std::string kind(name_of(info.kind));
  EXPECT_EQ(chosen_device("opencl:" + kind).kind, info.kind);

  std::string part = info.name.substr(1, info.name.size() - 2);
  EXPECT_EQ(chosen_device(part).index, info.index);
  std::ranges::transform(part, part.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  EXPECT_EQ(chosen_device(part).index, info.index);
  EXPECT_EQ(chosen_device(info.platform).platform, info.platform);
}

TEST_F(Devices, are_listed_where_the_wanted_one_is_missing) {
  const auto text = error_text(ExitCode::unavailable, [] { chosen_device("warp core"); });
  EXPECT_THAT(text, HasSubstr("opencl:0 = " + info.name));
}

TEST_F(Devices, that_are_gone_can_not_be_opened) {
  info.name = "Card that was pulled out";
  expect_error(ExitCode::unavailable, "Card that was pulled out",
               [&] { device::Context context(info); });
}

TEST_F(Devices, need_the_folder_of_kernels_that_was_named) {
  expect_error(ExitCode::bad_data, "/nonexistent-kernels",
               [&] { device::Context context(info, {"/nonexistent-kernels"}); });
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
// What OpenCL devices there are, and which of them the user means.
#pragma once

#include <apsis/core/choices.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apsis {

enum class DeviceKind { cpu, gpu, accelerator };
template <>
struct Choice<DeviceKind> {
  static constexpr const char* what = "kind of device";
  static constexpr std::pair<DeviceKind, std::string_view> values[] = {
      {DeviceKind::cpu, "cpu"}, {DeviceKind::gpu, "gpu"}, {DeviceKind::accelerator, "accelerator"}};
};

struct DeviceInfo {
  int index = 0;  // opencl:INDEX, over all platforms in the loader's order
  // A part of the device's compute units: opencl:INDEX/PARTS:PART.
  int part = 0, parts = 1;
  std::string name, vendor, driver, version;
  std::string platform;
  DeviceKind kind = DeviceKind::gpu;
  int compute_units = 0;
  int clock_mhz = 0;
  std::uint64_t memory = 0;          // bytes
  std::uint64_t largest_buffer = 0;  // bytes
  std::uint64_t local_memory = 0;    // bytes a work-group
  std::size_t largest_group = 0;     // work-items
  bool has_double = false;
  // 32 work-items run in lockstep and kernels may say so in the vendor's assembly (NVIDIA).
  bool has_warps = false;
};

// "NVIDIA H200 (driver 570.1)", for messages.
std::string name_with_driver(const DeviceInfo& device);

struct Discovery {
  std::vector<DeviceInfo> devices;
  std::string why_none;  // in a few words where there is none: no loader, no driver, a broken one
};

bool opencl_built_in();

// Never throws for what a system lacks: no OpenCL at all is an answer.
Discovery discover_devices();

// "opencl" (the first), "opencl:1", "gpu", "accelerator", or part of a name, case aside.
// unavailable with what there is when nothing fits, bad_data when it is no such choice at all.
DeviceInfo chosen_device(const std::string& wanted);

// "opencl:1", or "opencl:1/2:0" for a part.
std::string word_for(const DeviceInfo& device);
// One of `parts` equal parts of the device's compute units. bad_data where it has fewer.
DeviceInfo part_of(const DeviceInfo& device, int part, int parts);

// Whether the words stand for a list of devices: "opencl:0,opencl:1", "all", or "opencl:0/2", a
// device in two parts of equal size.
bool names_several(const std::string& wanted);
// All of them, in their order. bad_data for a device that is named twice, and for places that can't
// work together with devices (auto, cpu).
std::vector<DeviceInfo> chosen_devices(const std::string& wanted);

}  // namespace apsis

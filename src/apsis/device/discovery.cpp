// SPDX-License-Identifier: MIT
// What the loader's platforms have. Whatever fails to answer is left out: one broken driver must
// not hide the others.
#include <apsis/device/cl.hpp>
#include <apsis/device/driver_environment.hpp>

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace apsis::device {
namespace {

constexpr cl_int platform_not_found = -1001;  // of the loader, where no driver is installed

DeviceKind kind_of(cl_device_type type) {
  if ((type & CL_DEVICE_TYPE_GPU) != 0) return DeviceKind::gpu;
  if ((type & CL_DEVICE_TYPE_CPU) != 0) return DeviceKind::cpu;
  return DeviceKind::accelerator;
}

// Some drivers count the closing zero into a text, some pad names with spaces.
std::string trimmed(std::string text) {
  text.resize(std::strlen(text.c_str()));
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

DeviceInfo info_of(const cl::Device& device, const std::string& platform) {
  DeviceInfo info;
  info.name = trimmed(device.getInfo<CL_DEVICE_NAME>());
  info.vendor = trimmed(device.getInfo<CL_DEVICE_VENDOR>());
  info.driver = trimmed(device.getInfo<CL_DRIVER_VERSION>());
  info.version = trimmed(device.getInfo<CL_DEVICE_VERSION>());
  info.platform = platform;
  info.kind = kind_of(device.getInfo<CL_DEVICE_TYPE>());
  info.compute_units = static_cast<int>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  info.clock_mhz = static_cast<int>(device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY>());
  info.memory = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  info.largest_buffer = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  info.local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  info.largest_group = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  info.has_double = device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0;
  // other drivers for NVIDIA's cards take no PTX
  info.has_warps = info.kind == DeviceKind::gpu && platform.starts_with("NVIDIA");
  return info;
}

bool usable(const cl::Device& device) {
  return device.getInfo<CL_DEVICE_AVAILABLE>() != CL_FALSE &&
         device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>() != CL_FALSE;
}

void add_devices(const cl::Platform& platform, FoundDevices& found, std::string& last_failure) {
  std::vector<cl::Device> devices;
  std::string name = "a driver", version;
  try {
    name = trimmed(platform.getInfo<CL_PLATFORM_NAME>());
    version = trimmed(platform.getInfo<CL_PLATFORM_VERSION>());
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
  } catch (const cl::Error& error) {
    last_failure = error.err() == CL_DEVICE_NOT_FOUND
                       ? fmt::format("{} finds no device", name)
                       : fmt::format("{} fails with {}", name, error_name(error.err()));
    return;
  }
  for (const cl::Device& device : devices) {
    try {
      if (!usable(device)) {
        last_failure = fmt::format("a device of {} is not available", name);
        continue;
      }
      found.devices.push_back({device, version, info_of(device, name)});
    } catch (const cl::Error& error) {
      last_failure = fmt::format("a device of {} fails with {}", name, error_name(error.err()));
    }
  }
}

}  // namespace

FoundDevices found_devices() {
  FoundDevices found;
  found.why_none = why_drivers_are_not_asked();
  if (!found.why_none.empty()) return found;
  give_drivers_a_cache();
  std::vector<cl::Platform> platforms;
  std::string last_failure;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error& error) {
    if (error.err() != platform_not_found) {
      last_failure = fmt::format("the OpenCL loader fails with {}", error_name(error.err()));
    }
  }
  for (const cl::Platform& platform : platforms) add_devices(platform, found, last_failure);
  for (std::size_t i = 0; i < found.devices.size(); ++i) {
    found.devices[i].info.index = static_cast<int>(i);
  }
  if (found.devices.empty()) {
    found.why_none =
        last_failure.empty() ? "no OpenCL driver is installed (no platform answers)" : last_failure;
  }
  return found;
}

}  // namespace apsis::device

namespace apsis {

bool opencl_built_in() { return true; }

Discovery discover_devices() {
  auto found = device::found_devices();
  Discovery discovery{{}, std::move(found.why_none)};
  for (auto& device : found.devices) discovery.devices.push_back(std::move(device.info));
  return discovery;
}

}  // namespace apsis

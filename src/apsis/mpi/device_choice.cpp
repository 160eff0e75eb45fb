// SPDX-License-Identifier: MIT
#include <apsis/io/state_parts.hpp>
#include <apsis/mpi/device_choice.hpp>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace apsis::mpi {
namespace {

std::vector<DeviceInfo> those_like(const DeviceInfo& first) {
  std::vector<DeviceInfo> devices;
  std::ranges::copy_if(discover_devices().devices, std::back_inserter(devices),
                       [&](const DeviceInfo& device) {
                         return device.name == first.name && device.driver == first.driver;
                       });
  return devices;
}

// "opencl:0" and its parts.
bool has_number(const std::string& wanted) {
  constexpr std::string_view prefix = "opencl:";
  return wanted.size() > prefix.size() &&
         std::ranges::equal(prefix, std::string_view(wanted).substr(0, prefix.size()), {}, {},
                            [](unsigned char c) { return std::tolower(c); }) &&
         std::isdigit(static_cast<unsigned char>(wanted[prefix.size()])) != 0;
}

}  // namespace

std::vector<DeviceInfo> devices_to_share(const std::string& wanted) {
  const auto devices = discover_devices().devices;
  const auto named = std::ranges::find(devices, wanted, &DeviceInfo::name);
  if (named != devices.end()) return those_like(*named);
  if (names_several(wanted) || has_number(wanted)) return chosen_devices(wanted);
  return those_like(chosen_device(wanted));
}

std::vector<DeviceInfo> devices_of_rank(const std::vector<DeviceInfo>& devices, int rank,
                                        int ranks) {
  const auto number = static_cast<std::size_t>(rank), all = static_cast<std::size_t>(ranks);
  if (all >= devices.size()) return {devices[number % devices.size()]};
  const auto counts = even_parts(devices.size(), all);
  const std::size_t first = std::accumulate(counts.begin(), counts.begin() + rank, std::size_t{0});
  const auto begin = devices.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(counts[number])};
}

}  // namespace apsis::mpi

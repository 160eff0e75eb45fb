// SPDX-License-Identifier: MIT
// How bodies are dealt out to devices: values in, values out.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// Bodies of each device, the first ones to the first; they sum up to all.
using Shares = std::vector<std::size_t>;

Shares even_shares(std::size_t bodies, std::size_t devices);

// What an evaluation takes on a device that advances n bodies: fixed + n · per_body seconds.
struct DeviceSpeed {
  double fixed = 0, per_body = 0;
};

// From the seconds that two numbers of bodies took.
DeviceSpeed speed_from(std::size_t few, double seconds_few, std::size_t many, double seconds_many);

// All devices are done at the same time. A device whose share would be less than a hundredth of
// what an equal one would be gets none: it costs more than it gives.
Shares shares_by_speed(std::size_t bodies, std::span<const DeviceSpeed> speeds);

// "40000 25537", and back: bad_data where it is not for so many bodies and devices.
std::string to_string(const Shares& shares);
Shares shares_from(const std::string& text, std::size_t bodies, std::size_t devices);

}  // namespace apsis

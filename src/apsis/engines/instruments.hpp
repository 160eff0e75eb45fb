// SPDX-License-Identifier: MIT
// What can be measured of an engine beside its results. An engine hands out the functions that it
// has; they are valid as long as it is.
#pragma once

#include <apsis/device/context.hpp>
#include <apsis/solvers/solver.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

// What one device did when.
struct DeviceTimeline {
  std::string device;
  std::vector<device::TimelineEntry> entries;
};

struct Instruments {
  // The parts of one more evaluation, where the solver has such; changes nothing of the state.
  std::function<std::optional<EvaluationParts>()> evaluation_parts;
  // Time of kernels since the last call, by the device's own clock; of several the one that
  // computed longest. Counting starts with the first call.
  std::function<double()> kernel_seconds;
  // What each device does from now on, or from the last call of timeline() on, which waits for it.
  std::function<void()> record_timeline;
  std::function<std::vector<DeviceTimeline>()> timeline;
  // What state and solver hold in the memory of devices.
  std::function<std::uint64_t()> device_bytes;
  // What the search for contacts holds beside the bodies, where they are, once it has looked.
  std::function<std::uint64_t()> contact_bytes;
};

}  // namespace apsis

// SPDX-License-Identifier: MIT
// How pairs are dealt out to launches: values in, values out, nothing of OpenCL.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/device/devices.hpp>

#include <cstddef>
#include <vector>

namespace apsis {

// Pairs that one launch may hold so that it ends in well under half a second even with the slowest
// variant: displays must not hang.
double pairs_a_launch(const DeviceInfo& device);

struct OneSidedTask {
  std::size_t sources = 0, targets = 0;
  int targets_an_item = 1;
  int group = 0;  // 0: the driver's choice
  bool reproducible = false;
  std::size_t first_target = 0;
  std::size_t part = 0;  // sources a part where that is settled
};

// Targets [first, last] by `items` work-items.
struct LaunchOfTargets {
  int first = 0, last = 0;
  std::size_t items = 0;
};

// Sources in `parts` parts of `part_length`, so that few targets still fill the device.
struct OneSidedPlan {
  int source_end = 0;
  int parts = 1;
  int part_length = 0;
  std::vector<LaunchOfTargets> launches;
};
OneSidedPlan one_sided_plan(const DeviceInfo& device, const OneSidedTask& task);
// Sources a part of the sums, for that many targets.
std::size_t part_length(const DeviceInfo& device, const OneSidedTask& task);

struct SymmetricTask {
  std::size_t bodies = 0;
  std::size_t block = 0;         // bodies a block
  std::size_t bytes_a_body = 0;  // of the sums of one hop, both sides
};

// Blocks on a circle; in hop h block b meets block b+h, `hops_a_launch` hops at once.
struct SymmetricPlan {
  int blocks = 0, hops = 0, hops_a_launch = 0;
  std::size_t sums_bytes = 0;
};
SymmetricPlan symmetric_plan(const DeviceInfo& device, const SymmetricTask& task);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// What `apsis tune` does: tries variants and sizes of the direct solver on OpenCL devices, refuses
// those whose forces are wrong, and remembers the fastest (engines/tuned.hpp).
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/device/devices.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace apsis {

struct TuneOptions {
  std::string device = "all";  // all, or what --device takes elsewhere
  std::vector<Precision> precisions = {Precision::f32};
  std::vector<std::uint64_t> bodies;  // empty: what suits each device
  std::vector<std::string> variants;  // empty: all
  bool remember = true;
};

struct TuneTrial {
  std::string variant;
  DirectSizes sizes;
  double seconds = 0;     // fastest of its evaluations; 0 where it was refused
  std::string complaint;  // why it was refused
};

struct TuneResult {
  DeviceInfo device;
  Precision precision = Precision::f32;
  std::uint64_t bodies = 0;
  double default_seconds = 0;     // of what would have been taken without tuning
  std::vector<TuneTrial> trials;  // the fastest first, the refused last

  bool found() const { return !trials.empty() && trials.front().complaint.empty(); }
  double interactions_per_second() const;  // of the fastest
};

// Called before each trial: device, bodies, and "variant sizes"; may print.
using TuneProgress = std::function<void(const TuneResult& so_far, const TuneTrial& next)>;

// unavailable where there is no device.
std::vector<TuneResult> tune(const TuneOptions& options, const TuneProgress& progress = {});

}  // namespace apsis

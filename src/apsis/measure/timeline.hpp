// SPDX-License-Identifier: MIT
// What each device does in a few steps: kernels and transfers by the devices' own clocks.
#pragma once

#include <apsis/engines/engine.hpp>
#include <apsis/measure/bench.hpp>
#include <apsis/measure/chart.hpp>

#include <span>
#include <string>
#include <vector>

namespace apsis {

// Of one device, over the time of the record.
struct DeviceUse {
  std::string device;
  std::size_t bodies = 0;                       // its share
  double kernels = 0, transfers = 0, idle = 0;  // seconds; idle: no kernel runs
};

// One step of all devices: from the end of the one before it.
struct StepUse {
  double seconds = 0;
  double kernels = 0;      // of the device with the most of them, seconds
  std::size_t device = 0;  // that device
};

struct StepTimeline {
  Resolution engine;
  std::string model;
  int steps = 0;
  std::vector<DeviceTimeline> devices;
  std::vector<std::string> notices;
  std::vector<StepUse> measured;  // those steps, and more behind them where they are short

  double begin() const;  // of the first command, by the clock of the entries
  double seconds() const;
  std::vector<DeviceUse> use() const;
  // A step begins where a device moves its bodies.
  std::vector<StepUse> use_by_step() const;
  // Of the measured steps: seconds over those of the slowest device's kernels, and their median.
  std::vector<double> measured_ratios() const;
  double step_over_kernels() const;
  // Steps [first, first + count) alone.
  StepTimeline part(int first, int count) const;
};

// Two steps in the middle of some: the first one behind an idle moment waits for threads to wake.
// bad_data where there is no such record: on the native cpu.
StepTimeline measure_timeline(const BenchOptions& options);
Chart timeline_chart(const StepTimeline& timeline);

}  // namespace apsis

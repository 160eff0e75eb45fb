// SPDX-License-Identifier: MIT
// Workers of one process: threads of the native CPU, and OpenCL devices.
#include <apsis/core/error.hpp>
#include <apsis/core/thread_team.hpp>
#include <apsis/device/devices.hpp>
#include <apsis/engines/split.hpp>
#include <apsis/measure/scaling.hpp>
#include <apsis/measure/timeline.hpp>

#include <fmt/format.h>

namespace apsis {
namespace {

// Kernels by each device's own clock. A device is told the places of the bodies that others
// advance: four numbers of each, in a message from every other.
std::vector<WorkerCost> costs_of_devices(Engine& engine, int steps) {
  const Instruments instruments = engine.instruments();
  instruments.record_timeline();
  const StepTimeline timeline{engine.describe(), {}, steps, instruments.timeline(), {}, {}};
  const double number = timeline.engine.precision == Precision::f32 ? 4 : 8;
  std::vector<WorkerCost> costs;
  for (const DeviceUse& use : timeline.use()) {
    const auto told = static_cast<double>(timeline.engine.bodies - use.bodies);
    costs.push_back({.computing = use.kernels / steps,
                     .messages = static_cast<double>(timeline.devices.size() - 1),
                     .bytes = 4 * number * told});
  }
  return costs;
}

}  // namespace

Crew crew_of_threads() {
  const int cores = usable_cores();
  Crew crew;
  crew.kind = WorkerKind::threads;
  crew.all = cores;
  crew.crowded = [cores](int workers) { return workers > cores; };
  crew.engine = [](EngineSettings settings, const Bodies& bodies, int workers) {
    settings.device.name = "cpu", settings.device.threads = workers;
    return make_loaded_engine(settings, bodies);
  };
  return crew;
}

Crew crew_of_devices(const std::string& devices) {
  std::vector<std::string> words;
  for (const DeviceInfo& device : chosen_devices(devices)) words.push_back(word_for(device));
  Crew crew;
  crew.kind = WorkerKind::devices;
  crew.all = static_cast<int>(words.size());
  crew.engine = [words](EngineSettings settings, const Bodies& bodies, int workers) {
    settings.device.name =
        fmt::format("{}", fmt::join(words.begin(), words.begin() + workers, ","));
    return make_loaded_engine(settings, bodies);
  };
  crew.costs = costs_of_devices;
  crew.costs_disturb = true;
  return crew;
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
// From a list of devices to an engine: who takes part, and how bodies are split, by measurement or
// as it was resolved in an earlier part of a run.
#pragma once

#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/several_devices_engine.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

// What each device takes for its share: a few evaluations at some of the loaded bodies, all devices
// at once, as they will work.
std::vector<DeviceSpeed> measured_speeds(SeveralDevicesEngine& engine);
// Shares by these speeds, corrected by what an evaluation with them takes. The engine then uses
// them.
Shares measured_shares(SeveralDevicesEngine& engine);

// On the devices that settings.device.name lists, with these bodies. Devices that would not make it
// faster are left out, and a notice says so; so is the fastest alone where that is as fast.
LoadedEngine loaded_on_several(const EngineSettings& settings, const Bodies& bodies);
// Without bodies there is nothing to measure: all devices get the same.
std::unique_ptr<Engine> make_on_several(const EngineSettings& settings);

// What [resolved] has about devices that share bodies: lists, see EngineDescription.
struct ResolvedDevices {
  std::vector<std::string> names, drivers, variants, sizes;
  std::string split;
};
// The device, or the part of it that is called "NAME part 2 of 4"; nothing for other names.
std::optional<DeviceInfo> device_or_part_named(const DeviceInfo& device, const std::string& name);
// Each device of these names that is there; best with the same driver, none twice.
std::vector<std::optional<DeviceInfo>> devices_named(const std::vector<std::string>& names,
                                                     const std::vector<std::string>& drivers);
// As resolved; null where a device is not there any more.
std::unique_ptr<Engine> engine_as_resolved(const EngineSettings& settings,
                                           const ResolvedDevices& resolved, std::size_t bodies);
// "opencl:0,opencl:2": those of them that are left; empty where none is.
std::string devices_left(const ResolvedDevices& resolved);

}  // namespace apsis

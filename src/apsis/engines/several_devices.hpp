// SPDX-License-Identifier: MIT
// From a list of devices to an engine: who takes part, and how bodies are split, by measurement.
#pragma once

#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/several_devices_engine.hpp>

#include <vector>

namespace apsis {

// What each device takes for its share: a few evaluations at some of the loaded bodies, all devices
// at once, as they will work.
std::vector<DeviceSpeed> measured_speeds(SeveralDevicesEngine& engine);
// Shares by these speeds, corrected by what an evaluation with them takes. The engine then uses
// them.
Shares measured_shares(SeveralDevicesEngine& engine);

// On these devices, with these bodies. Devices that would not make it faster are left out, and a
// notice says so; so is the fastest alone where that is as fast.
LoadedEngine loaded_on_several(const EngineSettings& settings, const Bodies& bodies,
                               const std::vector<DeviceInfo>& devices);

}  // namespace apsis

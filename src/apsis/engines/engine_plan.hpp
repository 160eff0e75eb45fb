// SPDX-License-Identifier: MIT
// All that an engine is made of, as a value: who computes and what each is told. Nothing is left
// open but what follows from the bodies.
#pragma once

#include <apsis/device/devices.hpp>
#include <apsis/engines/engine_settings.hpp>
#include <apsis/engines/resolution.hpp>
#include <apsis/engines/split.hpp>
#include <apsis/solvers/registry.hpp>

#include <optional>
#include <string>
#include <vector>

namespace apsis {

// A device, and what an engine on it is told.
struct PlannedDevice {
  DeviceInfo device;
  EngineSettings settings;
};

struct EnginePlan {
  EngineSettings settings;             // the solver is named
  std::vector<PlannedDevice> devices;  // none: the native cpu
  // Where several devices share the bodies. Empty, or meant for another number of bodies: the same
  // for all of them.
  Shares shares;
};

// Plans refuse what can't be had: bad_data for unknown solvers and variants and for options that
// mean nothing to the solver, unavailable for devices that are not there.
EnginePlan plan_on_cpu(const EngineSettings& settings);
EnginePlan plan_on(const EngineSettings& settings, const std::vector<DeviceInfo>& devices);
// Where settings.device.name says. Without bodies there is nothing to measure: auto is the native
// cpu, and several devices get the same.
EnginePlan plan_for(const EngineSettings& settings);
// As it was resolved before; nothing where a device is not there any more. `word` is what the user
// called the device, which tells equal ones apart.
std::optional<EnginePlan> plan_from(const EngineSettings& settings, const Resolution& recorded,
                                    const std::string& word = {});
// Those devices of a resolution that are still there, in its order.
std::vector<DeviceInfo> devices_left(const Resolution& recorded);

// auto and all of the table.
std::vector<std::string> solver_names();
// The row that settings.force.solver stands for without a measurement; bad_data for an unknown one,
// and for options that it has no use for.
const SolverInfo& chosen_solver(const EngineSettings& settings);

}  // namespace apsis

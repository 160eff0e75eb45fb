// SPDX-License-Identifier: MIT
// From what the user chose to an engine that runs.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/force_law.hpp>
#include <apsis/device/devices.hpp>
#include <apsis/engines/engine.hpp>
#include <apsis/engines/engine_settings.hpp>
#include <apsis/solvers/registry.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace apsis {

// Throws bad_data for unknown solvers and variants, unavailable for devices that are not there.
// Without bodies there is nothing to measure: auto is the native cpu.
std::unique_ptr<Engine> make_engine(const EngineSettings& settings);
std::unique_ptr<Engine> make_engine(const EngineSettings& settings, const DeviceInfo& device);

// What several ranks put around the native solver of each.
struct SolverWrapper {
  std::function<SolverPointer<Host<float>>(SolverPointer<Host<float>>)> around_float;
  std::function<SolverPointer<Host<double>>(SolverPointer<Host<double>>)> around_double;
};
std::unique_ptr<Engine> make_native_engine(const EngineSettings& settings,
                                           const SolverWrapper& wrapper);

// The same for this device, with the solver that they stand for there; bad_data where it cannot be
// had on it.
EngineSettings settings_on(const EngineSettings& settings, const DeviceInfo& device);

struct LoadedEngine {
  std::unique_ptr<Engine> engine;
  std::vector<std::string> notices;  // what auto took and why, and what it had to leave out
};

// The engine with these bodies. auto takes the fastest place and the faster of direct and fmm, by
// timing a few force evaluations of (some of) the bodies on each; few bodies go to direct on the
// native cpu unmeasured.
LoadedEngine make_loaded_engine(const EngineSettings& settings, const Bodies& bodies);

// auto and all of the table.
std::vector<std::string> solver_names();
// The row that settings.force.solver stands for without a measurement; bad_data for an unknown one,
// and for options that it has no use for.
const SolverInfo& chosen_solver(const EngineSettings& settings);

}  // namespace apsis

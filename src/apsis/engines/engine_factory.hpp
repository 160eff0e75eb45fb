// SPDX-License-Identifier: MIT
// From what the user chose to an engine that runs (ADR 24). Every engine is made by build(), from
// a plan that leaves nothing open; what differs is how the plan comes about: from words alone, from
// measurements with the bodies, or from what an earlier part of a run recorded.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/engines/engine.hpp>
#include <apsis/engines/engine_plan.hpp>
#include <apsis/solvers/registry.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace apsis {

class OtherDevices;
class SeveralDevicesEngine;

// What several ranks put around the native solver of each.
struct SolverWrapper {
  std::function<SolverPointer<Host<float>>(SolverPointer<Host<float>>)> around_float;
  std::function<SolverPointer<Host<double>>(SolverPointer<Host<double>>)> around_double;
};

// The one way to an engine.
std::unique_ptr<Engine> build(const EnginePlan& plan, const SolverWrapper& wrapper = {});
// The same where devices share the bodies, also with those of other processes.
std::unique_ptr<SeveralDevicesEngine> build_shared(const EnginePlan& plan,
                                                   OtherDevices* others = nullptr);

inline std::unique_ptr<Engine> make_engine(const EngineSettings& settings) {
  return build(plan_for(settings));
}

struct LoadedEngine {
  std::unique_ptr<Engine> engine;
  std::vector<std::string> notices;  // what auto took and why, and what it had to leave out
};

// The engine with these bodies. auto takes the fastest place and the faster of direct and fmm, by
// timing a few force evaluations of (some of) the bodies on each; few bodies go to direct on the
// native cpu unmeasured.
LoadedEngine make_loaded_engine(const EngineSettings& settings, const Bodies& bodies);

}  // namespace apsis

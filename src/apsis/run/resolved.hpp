// SPDX-License-Identifier: MIT
// Inside run/: what was decided about the engine at the start of a run, as the [resolved] section
// of its spec, and the engine that follows from it. Nothing decided by timing is measured twice.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/force_law.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/sim/run_spec.hpp>

#include <map>
#include <string>

namespace apsis {

std::map<std::string, std::string> resolved_from(const EngineDescription& engine);

// For a run that starts. A written spec.toml that still says device auto repeats its run: what was
// resolved then holds, unless the device is gone or something that it followed from has changed.
LoadedEngine started_engine(const RunSpec& spec, const ForceLaw& law, const Bodies& bodies);

// For a run that goes on, with the state restored.
LoadedEngine resumed_engine(const RunSpec& spec, const ForceLaw& law, const EngineState& state);

}  // namespace apsis

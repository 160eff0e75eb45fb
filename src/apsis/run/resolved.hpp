// SPDX-License-Identifier: MIT
// Inside run/: what was decided about the engine at the start of a run, as the [resolved] section
// of its spec, and the engine that follows from it. Nothing decided by timing is measured twice.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/force_law.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/mpi/rank_engine.hpp>
#include <apsis/sim/run_spec.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

std::map<std::string, std::string> resolved_from(const EngineDescription& engine, int ranks);

// What the spec asks of an engine.
EngineSettings settings_of(const RunSpec& spec);
// A value under [resolved]; empty where there is none.
std::string resolved(const RunSpec& spec, const char* key);
// Whether what was chosen in an earlier run of this spec would still be asked for in the same
// words.
bool choices_hold(const RunSpec& spec, std::size_t bodies);

// For a run that goes on where its device is not: without the user's folder of kernels, which the
// notice says. unavailable where they hold another law of forces.
std::optional<std::string> leave_kernels_out(EngineSettings& settings);

struct MadeEngine {
  std::unique_ptr<Engine> engine;
  std::vector<std::string> notices;
  mpi::RankEngine* on_ranks = nullptr;  // the engine, where it is one
};

// For a run that starts. A written spec.toml that still says device auto repeats its run: what was
// resolved then holds, unless the device is gone or something that it followed from has changed.
MadeEngine started_engine(const RunSpec& spec, const Bodies& bodies);
MadeEngine started_engine(mpi::Communicator& ranks, const RunSpec& spec, const Bodies& bodies);

// For a run that goes on, with the state restored.
MadeEngine resumed_engine(const RunSpec& spec, const EngineState& state);
MadeEngine resumed_engine(mpi::Communicator& ranks, const RunSpec& spec, const EngineState& state);

// Why a run that was resolved as `then` and goes on as `now` will not have the bits of an unbroken
// one; nothing where it will.
std::optional<std::string> why_other_bits(const std::map<std::string, std::string>& then,
                                          const std::map<std::string, std::string>& now,
                                          bool reproducible);

}  // namespace apsis

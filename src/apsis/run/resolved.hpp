// SPDX-License-Identifier: MIT
// Inside run/: the engine of a run, from its spec and from what an earlier part of it or a run of
// the same spec recorded. Nothing decided by timing is measured twice.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/mpi/rank_engine.hpp>
#include <apsis/sim/run_spec.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

// What the spec asks of an engine.
EngineSettings settings_of(const RunSpec& spec);
// A text under [resolved] that does not tell of the engine; empty where there is none.
std::string resolved(const RunSpec& spec, const char* key);

// What was decided in an earlier part of a run; bad_data where the spec does not say it.
Resolution recorded_in(const RunSpec& spec);
// What was chosen in an earlier run of this spec, where it would still be asked for in the same
// words. Approximate solvers find out anew what they take for their accuracy: it follows from the
// bodies, which are the same.
std::optional<Resolution> choices_that_hold(const RunSpec& spec, std::size_t bodies);

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
// Null for `ranks`: this process alone.
MadeEngine started_engine(const RunSpec& spec, const Bodies& bodies, mpi::Communicator* ranks);

// For a run that goes on, with the state restored.
MadeEngine resumed_engine(const RunSpec& spec, const Resolution& recorded, const EngineState& state,
                          mpi::Communicator* ranks);

// Why a run that was resolved as `then` and goes on as `now` will not have the bits of an unbroken
// one; nothing where it will.
std::optional<std::string> why_other_bits(const Resolution& then, const Resolution& now,
                                          bool reproducible);

}  // namespace apsis

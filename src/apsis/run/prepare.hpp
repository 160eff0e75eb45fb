// SPDX-License-Identifier: MIT
// From a spec to everything that a run needs: bodies, engine, integrator, and the spec with all
// defaults and decisions written out.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/drift.hpp>
#include <apsis/core/units.hpp>
#include <apsis/core/warning.hpp>
#include <apsis/engines/engine.hpp>
#include <apsis/files/hash.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/mpi/rank_engine.hpp>
#include <apsis/sim/run_spec.hpp>
#include <apsis/sim/simulation.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace apsis {

struct PreparedRun {
  RunSpec spec;  // nothing left open
  double start_time = 0;
  std::string units_from;          // "model plummer", "file start.hdf5", "spec", "assumed: ..."
  std::unique_ptr<Engine> engine;  // loaded
  mpi::RankEngine* on_ranks = nullptr;  // the engine, where its bodies are spread over ranks
  Integrator integrator;
  bool keeps_spin = false;  // bodies have spins
  std::vector<std::string> notices;
  std::vector<Warning> warnings;  // about its input, and how the engine holds it
  // Of a run that starts:
  Hash128 start_hash;     // of its bodies
  Extent extent;          // of them
  std::string left_open;  // keys that got their defaults
};

// Model or file, checks, engine. bad_data, file_error or unavailable say what does not fit. Null
// for `ranks`: this process alone.
PreparedRun prepare_run(const RunSpec& spec, mpi::Communicator* ranks = nullptr);

// The same for a run that goes on from `state`, on the device that it ran on before. Where that is
// gone it goes on elsewhere, and a notice says so.
PreparedRun prepare_resumed(const RunSpec& spec, const Resolution& recorded,
                            const EngineState& state, mpi::Communicator* ranks = nullptr);

// What was decided about its engine, and with which kernels, as [resolved] has it.
ResolvedTexts resolved_from(const PreparedRun& run);

// The state for a checkpoint of that folder and step; ranks write theirs to files of their own.
void save_state_of(const PreparedRun& run, const std::filesystem::path& folder,
                   Checkpoint& checkpoint);

// "units: kpc, Msun, km/s, G = 4.30092e-06 (model galaxy-merger)": for the start of every run.
std::string units_line(const PreparedRun& run);

PairLaw law_of(const RunSpec& spec);
// Whether something beside forces may change its bodies, and whether their number.
bool may_have_events(const RunSpec& spec);
bool may_lose_bodies(const RunSpec& spec);
Actions actions_of(const RunSpec& spec, const SimulationPlan& plan, bool keeps_spin);
SimulationPlan plan_of(const RunSpec& spec, double start_time);
Cadence energy_cadence(const RunSpec& spec, const SimulationPlan& plan);

// Bytes on disk: snapshots, two checkpoints and one more while it is written, and the small files.
std::uint64_t space_needed(const PreparedRun& run);

// bad_data with the largest number that fits when n bodies exceed the machine's memory.
void require_memory_for(std::uint64_t bodies);

}  // namespace apsis

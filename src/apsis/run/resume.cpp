// SPDX-License-Identifier: MIT
// A run that goes on from its newest checkpoint.
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/measure/force_error.hpp>
#include <apsis/run/prepare.hpp>
#include <apsis/run/resolved.hpp>
#include <apsis/run/run.hpp>
#include <apsis/run/runner.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace apsis {
namespace {

// What may change between the parts of a run without changing what it computes.
constexpr std::array changeable{"time.until",
                                "time.burst",
                                "time.energy_limit",
                                "output.checkpoint_minutes",
                                "output.checkpoint_steps",
                                "output.max_minutes",
                                "output.pictures",
                                "device.threads"};

void apply_change(RunSpec& spec, const std::string& change) {
  const std::string key = change.substr(0, change.find('='));
  if (std::find(changeable.begin(), changeable.end(), key) == changeable.end()) {
    throw Error(
        ExitCode::wrong_usage, fmt::format("--set {} would change a run that has begun", change),
        fmt::format("with --resume only these can be set: {}", fmt::join(changeable, ", ")));
  }
  set_key(spec, change);
}

// Those of the parts before; 0.1 kept none.
std::vector<Warning> warnings_of(const Checkpoint& checkpoint) {
  const auto note = checkpoint.notes.find("warnings");
  return note == checkpoint.notes.end() ? std::vector<Warning>{} : warnings_from_text(note->second);
}

}  // namespace

RunResult resume_run(const std::filesystem::path& path, const std::vector<std::string>& changes,
                     const RunListener& listener, mpi::Communicator* ranks) {
  RunFolder folder = RunFolder::open(path);
  CheckpointFound found = read_newest_checkpoint(folder.path());
  const Checkpoint& checkpoint = found.checkpoint;
  RunSpec spec = parse_run_spec(checkpoint.spec_toml, found.file.string());
  spec.output.directory = path.string();
  for (const auto& change : changes) apply_change(spec, change);

  PreparedRun prepared = prepare_resumed(spec, checkpoint.state, ranks);
  prepared.start_time = std::stod(checkpoint.notes.at("start_time"));
  if (const auto from = checkpoint.notes.find("units_from"); from != checkpoint.notes.end()) {
    prepared.units_from = from->second;
  }
  for (const auto& message : found.messages) {
    prepared.warnings.push_back({WarningCode::checkpoint_damaged, message});
  }
  prepared.notices.push_back(fmt::format("resuming {} at step {}", path.string(), checkpoint.step));
  RunRecord record{.start_energies = checkpoint.start,
                   .energy_error_max = checkpoint.energy_error_max,
                   .energy_error = {},
                   .next_snapshot = checkpoint.next_snapshot,
                   .first_step = checkpoint.step,
                   .resumed = true,
                   .seconds_before = checkpoint.seconds_so_far,
                   .force_error = {},
                   .bit_identical = checkpoint.notes.at("bit_identical") == "true",
                   .warnings = warnings_of(checkpoint)};
  if (listener.strict) require_good_input(record.warnings);
  const double last_error = std::stod(checkpoint.notes.at("energy_error"));
  if (last_error != 0) record.energy_error = last_error;  // 0: there was no row yet
  const auto note = checkpoint.notes.find("force_error");
  record.force_error = note == checkpoint.notes.end()
                           ? sample_force_error(*prepared.engine, law_of(spec))
                           : force_error_from_text(note->second);
  prepared.spec.resolved = resolved_from(prepared);
  auto other = why_other_bits(spec.resolved, prepared.spec.resolved, spec.device.reproducible);
  const std::string here = fmt::format("{} {}", version, commit);
  if (!other && checkpoint.notes.at("version") != here) {
    other = fmt::format("the run began with Apsis {} and goes on with {}",
                        checkpoint.notes.at("version"), here);
  }
  if (other) {
    record.bit_identical = false;
    prepared.warnings.push_back(
        {WarningCode::other_bits, *other + ": the result will agree to rounding, not bit for bit"});
  }
  EnergyLog log = EnergyLog::resume(folder.file("energy.csv"), checkpoint.logs.at(0).offset);
  write_text(folder.file("spec.toml"), to_toml(prepared.spec));
  return Runner(std::move(prepared), std::move(folder), std::move(log), record, listener).run();
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
// A run that goes on from its newest checkpoint.
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/measure/force_error.hpp>
#include <apsis/run/going_on.hpp>
#include <apsis/run/identity.hpp>
#include <apsis/run/prepare.hpp>
#include <apsis/run/resolved.hpp>
#include <apsis/run/run.hpp>
#include <apsis/run/runner.hpp>
#include <apsis/run/spec_changes.hpp>
#include <apsis/run/trusted_kernels.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>

namespace apsis {
namespace {

constexpr const char* kernel_key = "device.kernel_dir";

std::string key_of(const std::string& change) { return change.substr(0, change.find('=')); }

// Which must be named again, and may not be others.
std::string kernels_named_in(const std::vector<std::string>& changes) {
  RunSpec named;
  for (const auto& change : changes) {
    if (key_of(change) == kernel_key) set_key(named, change);
  }
  return named.device.kernel_dir;
}

// A run that stopped at a contact is told what to do about it, `answering`.
void apply_change(RunSpec& spec, const std::string& change, bool answering) {
  if (key_of(change) == kernel_key && !spec.device.kernel_dir.empty()) return;
  if (!is_changeable(key_of(change)) && !(answering && change.starts_with("contacts."))) {
    throw Error(
        ExitCode::wrong_usage, fmt::format("--set {} would change a run that has begun", change),
        fmt::format("with --resume only these can be set: {}", fmt::join(changeable_keys(), ", ")));
  }
  set_key(spec, change);
}

void apply_changes(RunSpec& spec, const std::vector<std::string>& changes) {
  const bool answering = on_contact(spec.contacts) == OnContact::stop;
  for (const auto& change : changes) apply_change(spec, change, answering);
  if (answering && on_contact(spec.contacts) == OnContact::none) {
    spec.contacts = {};  // what it said of radii is in the bodies' own
  }
}

RunRecord record_of(const Checkpoint& checkpoint, const RunPast& past) {
  return RunRecord{.start_energies = checkpoint.start,
                   .energy_error_max = checkpoint.energy_error_max,
                   .energy_error = past.energy_error,
                   .events = past.events.value_or(EventTotals{}),
                   .had_events = past.events.has_value(),
                   .next_snapshot = checkpoint.next_snapshot,
                   .first_step = checkpoint.step,
                   .resumed = true,
                   .logs = checkpoint.logs,
                   .seconds_before = checkpoint.seconds_so_far,
                   .force_error = past.force_error,
                   .bit_identical = past.bit_identical,
                   .warnings = past.warnings,
                   .extent = past.extent,
                   .left_open = past.left_open};
}

// Left alone where it says the same, so that a user's comments stay.
void write_spec(const std::filesystem::path& file, const RunSpec& spec) {
  const std::string text = to_toml(spec);
  if (file_exists(file) && to_toml(parse_run_spec(read_text(file), file.string())) == text) return;
  write_text(file, text);
}

}  // namespace

RunResult resume_run(const std::filesystem::path& path, const std::vector<std::string>& changes,
                     const RunListener& listener, mpi::Communicator* ranks) {
  RunFolder folder = RunFolder::open(path);
  ResumePoint point = resume_point(folder);
  take_kernels_again(point.spec, kernels_named_in(changes), path.string());
  apply_changes(point.spec, changes);
  return resume_from(std::move(folder), std::move(point), listener, ranks);
}

RunResult resume_from(RunFolder folder, ResumePoint point, const RunListener& listener,
                      mpi::Communicator* ranks) {
  folder.tidy();
  const Checkpoint& checkpoint = point.checkpoint;
  const RunPast& past = point.past;
  const RunSpec& spec = point.spec;
  const Resolution recorded = recorded_in(spec);
  PreparedRun prepared = prepare_resumed(spec, recorded, checkpoint.state, ranks);
  prepared.start_time = past.start_time;
  if (past.units_from) prepared.units_from = *past.units_from;
  for (const auto& message : point.damaged) {
    prepared.warnings.push_back({WarningCode::checkpoint_damaged, message});
  }
  prepared.notices.insert(prepared.notices.begin(), point.notices.begin(), point.notices.end());
  prepared.notices.push_back(
      fmt::format("resuming {} at step {}", folder.path().string(), checkpoint.step));
  RunRecord record = record_of(checkpoint, past);
  if (listener.strict) require_good_input(record.warnings);
  if (!record.force_error) record.force_error = sample_force_error(*prepared.engine, law_of(spec));
  prepared.spec.resolved = resolved_from(prepared);
  // how many there were at the start, whatever has merged since
  if (may_lose_bodies(spec)) prepared.spec.resolved["bodies"] = spec.resolved.at("bodies");
  auto other = why_other_bits(recorded, prepared.engine->describe(), spec.device.reproducible);
  const std::string here = fmt::format("{} {}", version, commit);
  if (!other && past.version != here) {
    other = fmt::format("the run began with Apsis {} and goes on with {}", past.version, here);
  }
  if (other) {
    record.bit_identical = false;
    prepared.warnings.push_back(
        {WarningCode::other_bits, *other + ": the result will agree to rounding, not bit for bit"});
  }
  carry_identity(spec, prepared.spec);
  const auto spec_file = folder.file("spec.toml");
  Runner runner(std::move(prepared), std::move(folder), record, listener);
  write_spec(spec_file, runner.spec());
  return runner.run();
}

}  // namespace apsis

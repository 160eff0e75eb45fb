// SPDX-License-Identifier: MIT
// Checkpoints: at their steps or minutes, at both ends of a run, and when somebody wishes for one.
#include <apsis/core/error.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/run/run_observers.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>

namespace apsis {
namespace {

using Clock = ObservedRun::Clock;

std::uint64_t steps_between(const RunSpec& spec) {
  const auto& steps = spec.output.checkpoint_steps;
  return steps ? static_cast<std::uint64_t>(*steps) : Cadence::never;
}

bool is_due(const ObservedRun& run, const Frame& frame, Clock::time_point last) {
  if (frame.step() == 0 || frame.step() == run.plan.last_step) return true;
  if (const std::uint64_t steps = steps_between(run.spec()); steps != Cadence::never) {
    return frame.step() % steps == 0;
  }
  const std::chrono::duration<double> passed = Clock::now() - last;
  return passed.count() >= 60 * run.spec().output.checkpoint_minutes;
}

// A wish that cannot be fulfilled ends nothing: the checkpoint before it is still there.
void grant_wish(ObservedRun& run, const Frame& frame) {
  const auto& requested = run.listener.checkpoint_requested;
  const std::string who = requested ? requested() : "";
  if (who.empty()) return;
  try {
    keep_state(run, frame);
  } catch (const Error& error) {
    if (error.code() != ExitCode::file_error) throw;
    const auto& last = run.checkpoint_step;
    run.notice(fmt::format(
        "no checkpoint on {}: {}; {}. The run goes on, its last checkpoint is {}", who,
        error.what(), error.remedy(), last ? fmt::format("of step {}", *last) : "none"));
    return;
  }
  run.notice(fmt::format("checkpoint of step {} written on {}", frame.step(), who));
}

}  // namespace

void keep_state(ObservedRun& run, const Frame& frame) {
  if (run.checkpoint_step == frame.step()) return;  // one step may be looked at several times
  run.logs.sync();
  const RunRecord& record = run.record;
  Checkpoint checkpoint{
      .step = frame.step(),
      .time = frame.time(),
      .spec_toml = to_toml(run.spec()),
      .seed = run.spec().seed,
      .start = record.start_energies,
      .energy_error_max = record.energy_error_max,
      .next_snapshot = record.next_snapshot,
      .logs = run.logs.ends(),
      .seconds_so_far = record.seconds_before + run.seconds(),
      .notes = {{"version", fmt::format("{} {}", version, commit)},
                {"start_time", fmt::format("{:.17g}", run.prepared.start_time)},
                {"energy_error", fmt::format("{:.17g}", record.energy_error.value_or(0))},
                {"bit_identical", record.bit_identical ? "true" : "false"}},
      .state = {},
      .parts = {}};
  save_state_of(run.prepared, run.folder.path(), checkpoint);
  if (record.left_open) checkpoint.notes["left_open"] = *record.left_open;
  checkpoint.notes["force_error"] = to_text(*record.force_error);
  if (record.extent) checkpoint.notes["extent"] = to_text(*record.extent);
  if (run.has_events()) checkpoint.notes["events"] = to_text(record.events);
  checkpoint.notes["units_from"] = run.prepared.units_from;
  checkpoint.notes["warnings"] = to_text(run.warnings.all());
  write_checkpoint(run.folder.path(), checkpoint);
  run.checkpoint_step = frame.step();
  run.detail(fmt::format("step {}: checkpoint written", frame.step()));
}

RunObserver checkpoint_observer() {
  return {.files = {}, .make = [](ObservedRun& run) -> Observer {
            return {.name = "checkpoints",
                    .when = EveryLook{.steps = steps_between(run.spec())},
                    .observe = [&run, last = Clock::now()](const Frame& frame) mutable {
                      if (run.ending.went_bad()) return;  // the one before is worth more
                      const auto before = run.checkpoint_step;
                      if (is_due(run, frame, last)) keep_state(run, frame);
                      grant_wish(run, frame);
                      if (run.checkpoint_step != before) last = Clock::now();
                    }};
          }};
}

}  // namespace apsis

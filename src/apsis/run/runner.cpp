// SPDX-License-Identifier: MIT
// The loop of a run: checkpoints, stops, progress, and how it ends.
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/run/pictures.hpp>
#include <apsis/run/runner.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Runner::Runner(PreparedRun prepared, RunFolder folder, EnergyLog log, const RunRecord& record,
               const RunListener& listener)
    : prepared_(std::move(prepared)),
      folder_(std::move(folder)),
      energy_log_(std::move(log)),
      record_(record),
      listener_(listener),
      plan_(plan_of(prepared_.spec, prepared_.start_time)) {
  plan_.first_step = record_.first_step;
  plan_.resumed = record_.resumed;
  last_checkpoint_step_ = record_.first_step;
}

void Runner::write_checkpoint_of(const Frame& frame) {
  energy_log_.sync();  // the checkpoint names an offset that must survive a power cut with it
  Checkpoint checkpoint{.step = frame.step(),
                        .time = frame.time(),
                        .spec_toml = to_toml(spec()),
                        .seed = spec().seed,
                        .start = record_.start_energies,
                        .energy_error_max = record_.energy_error_max,
                        .next_snapshot = record_.next_snapshot,
                        .logs = {{"energy.csv", energy_log_.offset()}},
                        .seconds_so_far = record_.seconds_before + seconds_since(start_),
                        .notes = {{"version", fmt::format("{} {}", version, commit)},
                                  {"start_time", fmt::format("{:.17g}", prepared_.start_time)},
                                  {"energy_error", fmt::format("{:.17g}", record_.energy_error)},
                                  {"bit_identical", record_.bit_identical ? "true" : "false"}},
                        .state = {},
                        .parts = {}};
  save_state_of(prepared_, folder_.path(), checkpoint);
  checkpoint.notes["force_error"] = to_text(*record_.force_error);
  write_checkpoint(folder_.path(), checkpoint);
  last_checkpoint_ = Clock::now();
  last_checkpoint_step_ = frame.step();
}

bool Runner::checkpoint_due(const Frame& frame) const {
  if (frame.step() == 0 || frame.step() == plan_.last_step) return true;
  if (plan_.checkpoint_steps != Cadence::never) {
    return frame.step() % plan_.checkpoint_steps == 0;
  }
  return seconds_since(last_checkpoint_) >= 60 * spec().output.checkpoint_minutes;
}

bool Runner::stop_wanted() {
  if (listener_.stop_requested && listener_.stop_requested()) {
    message_ = "stopped on request";
    return true;
  }
  if (seconds_since(last_stop_look_) < 0.2) return false;  // spare the file system
  last_stop_look_ = Clock::now();
  const double minutes = spec().output.max_minutes;
  if (minutes > 0 && seconds_since(start_) >= 60 * minutes) {
    message_ = fmt::format("output.max_minutes = {} reached", minutes);
    return true;
  }
  if (folder_.take_stop_request()) {
    message_ = "a file named stop was found";
    return true;
  }
  return false;
}

double Runner::interactions(std::uint64_t steps) const {
  const EngineDescription engine = prepared_.engine->describe();
  if (!engine.exact_sums) return 0;
  const auto n = static_cast<double>(engine.bodies);
  return n * n * static_cast<double>(steps) * prepared_.integrator->force_evaluations();
}

void Runner::report(const Frame& frame, bool always) {
  if (!listener_.progress || (!always && seconds_since(last_report_) < 0.1)) return;
  last_report_ = Clock::now();
  const double seconds = seconds_since(start_);
  const std::uint64_t done = frame.step() - record_.first_step;
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  listener_.progress(
      {.step = frame.step(),
       .last_step = plan_.last_step,
       .time = frame.time(),
       .steps_per_second = rate,
       .interactions_per_second = seconds > 0 ? interactions(done) / seconds : 0,
       .energy_error = record_.energy_error,
       .seconds_left = rate > 0 ? static_cast<double>(plan_.last_step - frame.step()) / rate : 0});
}

Verdict Runner::look(const Frame& frame) {
  report(frame, frame.step() == plan_.last_step);
  if (listener_.look) plan_.burst = listener_.look(frame);
  if (energy_limit_passed_) return Verdict::stop;
  const bool stop = stop_wanted();
  // several looks may fall on one step; once is enough
  const bool already = frame.step() == last_checkpoint_step_ && frame.step() > 0;
  if ((stop || checkpoint_due(frame)) && !already) write_checkpoint_of(frame);
  return stop ? Verdict::stop : Verdict::go_on;
}

RunResult Runner::run() {
  for (const auto& text : prepared_.notices) notice(text);
  if (listener_.started) listener_.started(spec(), engine().describe().bodies);
  engine().warm_up();
  start_ = last_checkpoint_ = Clock::now();
  const SimulationEnd end = simulate(engine(), *prepared_.integrator, plan_, observers(),
                                     [this](const Frame& frame) { return look(frame); });
  return finish(end);
}

RunResult Runner::finish(const SimulationEnd& end) {
  using Reason = SimulationEnd::Reason;
  const double seconds = seconds_since(start_);
  const std::uint64_t done = end.step - record_.first_step;
  RunResult result{.folder = folder_.path(), .summary = {}, .message = message_};
  Summary& s = result.summary;
  s.title = spec().title;
  s.steps = end.step;
  s.time = plan_.time_of(end.step);
  s.bodies = engine().describe().bodies;
  s.seconds = record_.seconds_before + seconds;
  s.steps_per_second = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  s.interactions_per_second = seconds > 0 ? interactions(done) / seconds : 0;
  s.energy_error_max = record_.energy_error_max;
  s.energy_error_end = record_.energy_error;
  s.force_error = record_.force_error;
  s.resolved = spec().resolved;
  s.bit_identical = record_.bit_identical;
  if (end.reason == Reason::not_finite) {
    result.message = fmt::format("positions or velocities are not finite at step {}", end.step);
  }
  if (end.reason == Reason::not_finite || energy_limit_passed_) {
    s.status = "numbers went bad", s.exit_code = ExitCode::numbers_went_bad;
    result.message += fmt::format("; the checkpoint of step {} is kept", last_checkpoint_step_);
  } else if (end.reason == Reason::stopped) {
    s.status = "stopped", s.exit_code = ExitCode::stopped;
  } else {
    s.status = "finished";
    if (spec().output.pictures) {
      for (const auto& text : write_pictures(folder_, spec())) notice(text);
    }
  }
  if (s.exit_code != ExitCode::numbers_went_bad) s.end = engine().energies();
  s.files = folder_.run_files();
  if (std::find(s.files.begin(), s.files.end(), "summary.json") == s.files.end()) {
    s.files.emplace_back("summary.json");
  }
  write_text(folder_.file("summary.json"), to_json(s));
  return result;
}

}  // namespace apsis

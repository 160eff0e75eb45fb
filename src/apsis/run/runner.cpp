// SPDX-License-Identifier: MIT
// The loop of a run: checkpoints, stops, progress, and how it ends.
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/measure/energy_causes.hpp>
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

std::string asked(const std::function<std::string()>& wish) { return wish ? wish() : ""; }

// So long may pass between looks at what is asked for, where a step is not longer itself.
constexpr double burst_seconds = 1;

}  // namespace

Runner::Runner(PreparedRun prepared, RunFolder folder, EnergyLog log, const RunRecord& record,
               const RunListener& listener)
    : prepared_(std::move(prepared)),
      folder_(std::move(folder)),
      energy_log_(std::move(log)),
      record_(record),
      listener_(listener),
      plan_(plan_of(prepared_.spec, prepared_.start_time)),
      warnings_(record.warnings, listener.warning) {
  plan_.first_step = record_.first_step;
  plan_.resumed = record_.resumed;
  plan_.burst = 1;  // until it is known how long steps are
  looked_at_ = record_.first_step;
  if (record_.resumed) checkpoint_step_ = record_.first_step;
}

void Runner::write_checkpoint_of(const Frame& frame) {
  energy_log_.sync();  // the checkpoint names an offset that must survive a power cut with it
  Checkpoint checkpoint{
      .step = frame.step(),
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
                {"energy_error", fmt::format("{:.17g}", record_.energy_error.value_or(0))},
                {"bit_identical", record_.bit_identical ? "true" : "false"}},
      .state = {},
      .parts = {}};
  save_state_of(prepared_, folder_.path(), checkpoint);
  if (record_.left_open) checkpoint.notes["left_open"] = *record_.left_open;
  checkpoint.notes["force_error"] = to_text(*record_.force_error);
  checkpoint.notes["units_from"] = prepared_.units_from;
  checkpoint.notes["warnings"] = to_text(warnings_.all());
  write_checkpoint(folder_.path(), checkpoint);
  last_checkpoint_ = Clock::now();
  checkpoint_step_ = frame.step();
}

bool Runner::checkpoint_due(const Frame& frame) const {
  if (frame.step() == 0 || frame.step() == plan_.last_step) return true;
  if (plan_.checkpoint_steps != Cadence::never) {
    return frame.step() % plan_.checkpoint_steps == 0;
  }
  return seconds_since(last_checkpoint_) >= 60 * spec().output.checkpoint_minutes;
}

bool Runner::stop_wanted() {
  if (const std::string who = asked(listener_.stop_requested); !who.empty()) {
    message_ = "stopped on " + who, ended_by_ = EndedBy::signal, signal_ = who;
    return true;
  }
  if (seconds_since(last_stop_look_) < 0.2) return false;  // spare the file system
  last_stop_look_ = Clock::now();
  const double minutes = spec().output.max_minutes;
  if (minutes > 0 && seconds_since(start_) >= 60 * minutes) {
    message_ = fmt::format("output.max_minutes = {} reached", minutes);
    ended_by_ = EndedBy::max_minutes;
    return true;
  }
  if (folder_.take_stop_request()) {
    message_ = "a file named stop was found", ended_by_ = EndedBy::stop_file;
    return true;
  }
  return false;
}

double Runner::interactions(std::uint64_t steps) const {
  const EngineDescription engine = prepared_.engine->describe();
  if (!engine.exact_sums) return 0;
  const auto n = static_cast<double>(engine.bodies);
  return n * n * static_cast<double>(steps) * prepared_.integrator.force_evaluations;
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

// Long steps make short bursts: looks are for wishes that should not wait for minutes.
std::uint64_t Runner::burst_after(const Frame& frame) {
  const std::uint64_t steps = frame.step() - looked_at_;
  looked_at_ = frame.step();
  if (steps == 0) return plan_.burst;
  const double fitting = burst_seconds * static_cast<double>(steps) / seconds_since(look_ended_);
  const auto most = static_cast<double>(spec().time.burst);
  return static_cast<std::uint64_t>(std::clamp(fitting, 1.0, most));
}

void Runner::hear_ranks() {
  if (prepared_.on_ranks == nullptr) return;
  const int signal = prepared_.on_ranks->take_signal();
  if (signal != 0 && listener_.heard) listener_.heard(signal);
}

// A wish that cannot be fulfilled ends nothing: the checkpoint before it is still there.
void Runner::grant_checkpoint(const Frame& frame) {
  const std::string who = asked(listener_.checkpoint_requested);
  if (who.empty()) return;
  try {
    if (checkpoint_step_ != frame.step()) write_checkpoint_of(frame);
  } catch (const Error& error) {
    if (error.code() != ExitCode::file_error) throw;
    notice(fmt::format("no checkpoint on {}: {}; {}. The run goes on, its last checkpoint is {}",
                       who, error.what(), error.remedy(),
                       checkpoint_step_ ? fmt::format("of step {}", *checkpoint_step_) : "none"));
    return;
  }
  notice(fmt::format("checkpoint of step {} written on {}", frame.step(), who));
}

// Lets a watcher look, who may hold the run for as long as nobody wants its end.
std::optional<std::uint64_t> Runner::watched(const Frame& frame, std::uint64_t burst) {
  if (!listener_.look) return burst;
  while ((burst = listener_.look(frame)) == 0) {
    if (prepared_.on_ranks != nullptr) engine().finite();  // they are heard with an answer
    hear_ranks();
    grant_checkpoint(frame);
    if (stop_wanted()) return std::nullopt;
  }
  return burst;
}

LoopControl Runner::look(const Frame& frame) {
  report(frame, frame.step() == plan_.last_step);
  const bool bad = ended_by_ != EndedBy::until;  // by its energies
  const auto burst = watched(frame, burst_after(frame));
  if (bad) return LoopControl::stop();
  hear_ranks();
  const bool stop = !burst || stop_wanted();
  // several looks may fall on one step; once is enough
  if ((stop || checkpoint_due(frame)) && checkpoint_step_ != frame.step()) {
    write_checkpoint_of(frame);
  }
  grant_checkpoint(frame);
  look_ended_ = Clock::now();
  return stop ? LoopControl::stop() : LoopControl::go_on(*burst);
}

RunResult Runner::run() {
  for (const auto& text : prepared_.notices) notice(text);
  for (const auto& warning : prepared_.warnings) warnings_.add(warning);
  if (listener_.started) listener_.started(spec(), engine().describe().bodies);
  notice(units_line(prepared_));
  if (!record_.resumed) warn_of_forces(*record_.force_error, 0);
  engine().warm_up();
  start_ = last_checkpoint_ = look_ended_ = Clock::now();
  const SimulationEnd end = simulate(engine(), prepared_.integrator, plan_, observers(),
                                     [this](const Frame& frame) { return look(frame); });
  return finish(end);
}

// The last row is the end's where a run finished. One that was stopped is measured now, for its
// summary alone: what its checkpoint holds must not depend on where it was stopped.
void Runner::measure_end(const SimulationEnd& end, Summary& s) {
  s.energy_error_end = record_.energy_error;
  if (record_.energy_error) s.energy_error_max = record_.energy_error_max;
  if (end.reason == SimulationEnd::Reason::not_finite || ended_by_ == EndedBy::not_finite) {
    s.energy_error_end.reset();
    return;
  }
  if (ended_by_ == EndedBy::energy_limit) return;
  s.end = engine().energies();
  const bool at_start = end.step == 0 && plan_.last_step > 0;
  const bool at_row = end.reason == SimulationEnd::Reason::finished && record_.energy_error;
  if (at_start || at_row) return;
  s.energy_error_end = energy_error(s.end, record_.start_energies);
  s.energy_error_max = std::max(record_.energy_error_max, *s.energy_error_end);
  if (warns_of(*s.energy_error_end) && !warnings_.has(WarningCode::energy_error)) {
    Bodies bodies;
    engine().store(bodies);
    warn_of_energy(*s.energy_error_end, end.step, bodies);
  }
}

// Status, exit code and the last word.
void Runner::judge(const SimulationEnd& end, RunResult& result) {
  Summary& s = result.summary;
  if (end.reason == SimulationEnd::Reason::not_finite) {
    ended_by_ = EndedBy::not_finite;
    result.message = fmt::format("positions or velocities are not finite at step {}", end.step);
  }
  s.ended_by = ended_by_;
  const bool bad = ended_by_ == EndedBy::not_finite || ended_by_ == EndedBy::energy_limit;
  if (bad) {
    s.status = "numbers went bad", s.exit_code = ExitCode::numbers_went_bad;
    if (checkpoint_step_) {
      result.message += fmt::format("; the checkpoint of step {} is kept", *checkpoint_step_);
    }
  } else if (end.reason == SimulationEnd::Reason::stopped) {
    s.status = "stopped", s.exit_code = ExitCode::stopped;
    s.signal = signal_;
  } else {
    s.status = "finished";
    s.ended_by = EndedBy::until;  // a wish to stop that came with the last step is fulfilled
  }
}

RunResult Runner::finish(const SimulationEnd& end) {
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
  s.force_error = record_.force_error;
  s.resolved = spec().resolved;
  s.bit_identical = record_.bit_identical;
  judge(end, result);
  measure_end(end, s);
  if (s.status == "finished" && spec().output.pictures) {
    for (auto& text : write_pictures(folder_, spec())) {
      warnings_.add({WarningCode::no_picture, std::move(text)});
    }
  }
  s.warnings = warnings_.all();
  const std::string bad_numbers = codes_of(s.warnings, WarningClass::numbers);
  if (listener_.strict && s.exit_code == ExitCode::done && !bad_numbers.empty()) {
    s.exit_code = ExitCode::numbers_went_bad;
    result.message =
        fmt::format("--strict: the numbers are not as good as asked for ({})", bad_numbers);
  }
  s.files = folder_.run_files();
  if (std::find(s.files.begin(), s.files.end(), "summary.json") == s.files.end()) {
    s.files.emplace_back("summary.json");
  }
  write_text(folder_.file("summary.json"), to_json(s));
  return result;
}

}  // namespace apsis

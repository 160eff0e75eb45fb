// SPDX-License-Identifier: MIT
// When a run computes, who may end it, and how it ended.
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/measure/energy_causes.hpp>
#include <apsis/run/run_observers.hpp>
#include <apsis/run/run_warnings.hpp>
#include <apsis/run/runner.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {
namespace {

// So long may pass between looks at what is asked for, where a step is not longer itself.
constexpr double burst_seconds = 1;

SimulationPlan plan_from(const PreparedRun& prepared, const RunRecord& record) {
  SimulationPlan plan = plan_of(prepared.spec, prepared.start_time);
  plan.first_step = record.first_step;
  plan.resumed = record.resumed;
  plan.burst = 1;  // until it is known how long steps are
  return plan;
}

double seconds_between(ObservedRun::Clock::time_point from, ObservedRun::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

ObservedRun::ObservedRun(PreparedRun made, RunFolder where, const RunRecord& past,
                         const RunListener& hearing)
    : prepared(std::move(made)),
      plan(plan_from(prepared, past)),
      folder(std::move(where)),
      record(past),
      logs(past.logs),
      listener(hearing),
      warnings(past.warnings, hearing.warning) {
  if (past.resumed) checkpoint_step = past.first_step;
}

double ObservedRun::interactions(std::uint64_t steps) const {
  const Resolution described = engine().describe();
  if (!described.sums_all_pairs() || may_lose_bodies(spec())) return 0;
  const auto n = static_cast<double>(described.bodies);
  return n * n * static_cast<double>(steps) * prepared.integrator.force_evaluations;
}

Runner::Runner(PreparedRun prepared, RunFolder folder, const RunRecord& record,
               const RunListener& listener)
    : run_(std::move(prepared), std::move(folder), record, listener),
      looked_at_(record.first_step) {
  for (const RunObserver& observer : run_observers()) observers_.push_back(observer.make(run_));
}

bool Runner::stop_wanted() {
  RunEnding& ending = run_.ending;
  const auto& requested = run_.listener.stop_requested;
  if (const std::string who = requested ? requested() : ""; !who.empty()) {
    ending = {.by = EndedBy::signal, .message = "stopped on " + who, .signal = who};
    return true;
  }
  if (seconds_between(asked_, Clock::now()) < 0.2) return false;  // spare the file system
  asked_ = Clock::now();
  const double minutes = spec().output.max_minutes;
  if (minutes > 0 && run_.seconds() >= 60 * minutes) {
    ending = {.by = EndedBy::max_minutes,
              .message = fmt::format("output.max_minutes = {} reached", minutes),
              .signal = {}};
    return true;
  }
  if (run_.folder.take_stop_request()) {
    ending = {.by = EndedBy::stop_file, .message = "a file named stop was found", .signal = {}};
    return true;
  }
  return false;
}

// Long steps make short bursts: looks are for wishes that should not wait for minutes.
std::uint64_t Runner::burst_after(const Frame& frame) {
  const std::uint64_t steps = frame.step() - looked_at_;
  looked_at_ = frame.step();
  if (steps == 0) return run_.plan.burst;
  const double seconds = seconds_between(looked_, Clock::now());
  const double fitting = burst_seconds * static_cast<double>(steps) / seconds;
  const auto most = static_cast<double>(*spec().time.burst);
  return static_cast<std::uint64_t>(std::clamp(fitting, 1.0, most));
}

void Runner::hear_ranks() {
  if (run_.prepared.on_ranks == nullptr) return;
  const int signal = run_.prepared.on_ranks->take_signal();
  if (signal != 0 && run_.listener.heard) run_.listener.heard(signal);
}

LoopControl Runner::decide(const Frame& frame) {
  if (run_.ending.went_bad()) return LoopControl::stop();
  std::uint64_t burst = burst_after(frame);
  if (run_.listener.pace) burst = run_.listener.pace(frame);
  const bool held = burst == 0;
  if (held && run_.prepared.on_ranks != nullptr) run_.engine().finite();  // heard with an answer
  hear_ranks();
  if (stop_wanted()) return LoopControl::stop();
  return held ? LoopControl::hold() : LoopControl::go_on(burst);
}

LoopControl Runner::look(const Frame& frame) {
  looks_ += frame.step() > looked_at_ ? 1 : 0;
  const LoopControl control = decide(frame);
  looked_ = Clock::now();
  return control;
}

RunResult Runner::run() {
  const RunListener& listener = run_.listener;
  for (const auto& text : run_.prepared.notices) run_.notice(text);
  for (const auto& warning : run_.prepared.warnings) run_.warnings.add(warning);
  if (listener.started) listener.started(spec(), run_.engine().describe());
  run_.notice(units_line(run_.prepared));
  if (!run_.record.resumed) warn_of_forces(run_, *run_.record.force_error, 0);
  if (listener.observers) {
    for (Observer& observer : listener.observers(run_)) observers_.push_back(std::move(observer));
  }
  run_.engine().warm_up();
  run_.start = looked_ = Clock::now();
  const SimulationEnd end = simulate(
      run_.engine(), run_.prepared.integrator, run_.plan, observers_,
      [this](const Frame& frame) { return look(frame); },
      actions_of(spec(), run_.plan, run_.prepared.keeps_spin));
  return finish(end);
}

// The last row is the end's where a run finished. One that was stopped is measured now, for its
// summary alone: what its checkpoint holds must not depend on where it was stopped.
void Runner::measure_end(const SimulationEnd& end, Summary& s) {
  s.energy_error_end = run_.record.energy_error;
  if (run_.record.energy_error) s.energy_error_max = run_.record.energy_error_max;
  if (end.reason == SimulationEnd::Reason::not_finite || run_.ending.by == EndedBy::not_finite) {
    s.energy_error_end.reset();
    return;
  }
  if (run_.ending.by == EndedBy::energy_limit) return;
  s.end = run_.engine().energies(run_.plan.time_of(end.step));
  s.drift = drift_of(s.end, run_.record.start_energies, run_.record.extent.value_or(Extent{}),
                     s.time - run_.prepared.start_time);
  const bool at_start = end.step == 0 && run_.plan.last_step > 0;
  const bool at_row = end.reason == SimulationEnd::Reason::finished && run_.record.energy_error;
  if (at_start || at_row) return;
  s.energy_error_end =
      energy_error(s.end, run_.record.start_energies, run_.record.events.energy_lost);
  s.energy_error_max = std::max(run_.record.energy_error_max, *s.energy_error_end);
  if (warns_of(*s.energy_error_end) && !run_.warnings.has(WarningCode::energy_error)) {
    Bodies bodies;
    run_.engine().store(bodies);
    warn_of_energy(run_, *s.energy_error_end, end.step, bodies);
  }
}

// Status, exit code and the last word.
void Runner::judge(const SimulationEnd& end, RunResult& result) {
  Summary& s = result.summary;
  if (end.reason == SimulationEnd::Reason::not_finite) {
    run_.ending.by = EndedBy::not_finite;
    result.message = fmt::format("positions or velocities are not finite at step {}", end.step);
  }
  s.ended_by = run_.ending.by;
  if (run_.ending.went_bad()) {
    s.status = "numbers went bad", s.exit_code = ExitCode::numbers_went_bad;
    if (run_.checkpoint_step) {
      result.message += fmt::format("; the checkpoint of step {} is kept", *run_.checkpoint_step);
    }
  } else if (end.reason == SimulationEnd::Reason::undone) {
    s.status = "stopped", s.contact = run_.ending.message;
  } else if (end.reason == SimulationEnd::Reason::stopped) {
    s.status = "stopped", s.exit_code = ExitCode::stopped;
    s.signal = run_.ending.signal;
  } else {
    s.status = "finished";
    s.ended_by = EndedBy::until;  // a wish to stop that came with the last step is fulfilled
  }
}

RunResult Runner::finish(const SimulationEnd& end) {
  const bool early =
      end.reason == SimulationEnd::Reason::stopped || end.reason == SimulationEnd::Reason::undone;
  if (early && !run_.ending.went_bad()) {
    keep_state(run_, Frame(run_.engine(), end.step, run_.plan.time_of(end.step)));
  }
  // drawing pictures counts for nothing
  const bool finished = end.reason == SimulationEnd::Reason::finished;
  const double seconds = seconds_between(run_.start, finished ? looked_ : Clock::now());
  const std::uint64_t done = end.step - run_.record.first_step;
  RunResult result{.folder = run_.folder.path(), .summary = {}, .message = run_.ending.message};
  Summary& s = result.summary;
  s.title = spec().title;
  s.steps = end.step;
  s.time = run_.plan.time_of(end.step);
  s.bodies = run_.engine().describe().bodies;
  s.seconds = run_.record.seconds_before + seconds;
  s.steps_per_second = per_second(static_cast<double>(done), seconds);
  s.interactions_per_second = per_second(run_.interactions(done), seconds);
  s.force_error = run_.record.force_error;
  if (run_.has_events()) s.events = run_.record.events;
  s.resolved = spec().resolved;
  s.bit_identical = run_.record.bit_identical;
  judge(end, result);
  measure_end(end, s);
  s.warnings = run_.warnings.all();
  const std::string bad_numbers = codes_of(s.warnings, WarningClass::numbers);
  if (run_.listener.strict && s.exit_code == ExitCode::done && !bad_numbers.empty()) {
    s.exit_code = ExitCode::numbers_went_bad;
    result.message =
        fmt::format("--strict: the numbers are not as good as asked for ({})", bad_numbers);
  }
  result.bursts = looks_;
  s.files = run_.folder.run_files();
  if (std::find(s.files.begin(), s.files.end(), "summary.json") == s.files.end()) {
    s.files.emplace_back("summary.json");
  }
  write_text(run_.folder.file("summary.json"), to_json(s));
  return result;
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/energy_log.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/measure/force_error.hpp>
#include <apsis/run/pictures.hpp>
#include <apsis/run/prepare.hpp>
#include <apsis/run/resolved.hpp>
#include <apsis/run/run.hpp>
#include <apsis/run/run_folder.hpp>
#include <apsis/solvers/bins/bins_grid.hpp>
#include <apsis/solvers/registry.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace apsis {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What grows while a run goes on, apart from the state itself; all of it is in the checkpoint.
struct Record {
  Energies start_energies;
  double energy_error_max = 0, energy_error = 0;
  std::uint64_t next_snapshot = 0;
  std::uint64_t first_step = 0;
  bool resumed = false;
  double seconds_before = 0;
  std::optional<ForceError> force_error;
  bool bit_identical = true;
};

// One run from its first to its last look; owns nothing that outlives it but the files.
class Runner {
 public:
  Runner(PreparedRun prepared, RunFolder folder, EnergyLog log, const Record& record,
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

  RunResult run();

 private:
  const RunSpec& spec() const { return prepared_.spec; }
  Engine& engine() { return *prepared_.engine; }
  void notice(const std::string& text) const {
    if (listener_.notice) listener_.notice(text);
  }

  std::vector<Observer> observers();
  void log_energies(const Frame& frame);
  void write_snapshot_of(const Frame& frame);
  ForceError force_error_of(const Frame& frame);
  void tell_of_bodies_outside(const Frame& frame);
  void write_checkpoint_of(const Frame& frame);
  Verdict look(const Frame& frame);
  bool checkpoint_due(const Frame& frame) const;
  bool stop_wanted();
  void report(const Frame& frame, bool always);
  double interactions(std::uint64_t steps) const;
  RunResult finish(const SimulationEnd& end);

  PreparedRun prepared_;
  RunFolder folder_;
  EnergyLog energy_log_;
  Record record_;
  const RunListener& listener_;
  SimulationPlan plan_;

  Clock::time_point start_ = Clock::now();
  Clock::time_point last_checkpoint_ = start_, last_report_{}, last_stop_look_ = start_;
  std::uint64_t last_checkpoint_step_ = 0;
  std::string message_;
  bool energy_limit_passed_ = false, inaccuracy_told_ = false, outside_told_ = false;
};

std::vector<Observer> Runner::observers() {
  const Cadence energies(*spec().output.energy_every, plan_.step, plan_.last_step);
  const Cadence snapshots(*spec().output.snapshot_every, plan_.step, plan_.last_step);
  return {{energies, [this](const Frame& frame) { log_energies(frame); }, true},
          {snapshots, [this](const Frame& frame) { write_snapshot_of(frame); }}};
}

void Runner::log_energies(const Frame& frame) {
  const Energies& now = frame.energies();
  if (frame.step() == 0) record_.start_energies = now;
  record_.energy_error = energy_error(now, record_.start_energies);
  record_.energy_error_max = std::max(record_.energy_error_max, record_.energy_error);
  const EnergyRow row{frame.step(), frame.time(), now, record_.energy_error};
  energy_log_.append(row);
  if (listener_.energies) listener_.energies(row);
  energy_log_.flush();
  const auto& limit = spec().time.energy_limit;
  if (!all_finite(now)) {
    message_ = fmt::format("the energies are not finite at step {}", frame.step());
    energy_limit_passed_ = true;
  } else if (limit && record_.energy_error > *limit) {
    message_ = fmt::format("energy error {:.3g} at step {} exceeds time.energy_limit = {}",
                           record_.energy_error, frame.step(), *limit);
    energy_limit_passed_ = true;
  }
}

// Approximations depend on where the bodies are: they are looked at again with every snapshot, and
// the worst goes into the summary.
ForceError Runner::force_error_of(const Frame& frame) {
  ForceError& worst = *record_.force_error;
  const EngineDescription description = engine().describe();
  if (description.exact_sums) return worst;
  ForceError now = worst;
  if (frame.step() > 0) {
    now = sample_force_error(engine(), frame.bodies(), law_of(spec()), description.threads);
    if (now.p99 > worst.p99) worst = now;
  }
  const bool promised =
      solver_named(description.solver).takes_accuracy && !spec().force.opening_angle.has_value();
  if (promised && now.p99 > spec().force.accuracy && !inaccuracy_told_) {
    inaccuracy_told_ = true;
    notice(
        fmt::format("1 % of the force errors at step {} are above {:.1e}, wanted was "
                    "force.accuracy = {}",
                    frame.step(), now.p99, spec().force.accuracy));
  }
  return now;
}

// Once, also where they leave the box later; at the start the engine's notices tell it.
void Runner::tell_of_bodies_outside(const Frame& frame) {
  if (!spec().force.box || outside_told_) return;
  const std::size_t outside = bodies_outside(frame.bodies(), *spec().force.box);
  outside_told_ = outside > 0;
  if (outside > 0 && frame.step() > 0) notice(outside_notice(outside));
}

void Runner::write_snapshot_of(const Frame& frame) {
  tell_of_bodies_outside(frame);
  const auto& resolved = spec().resolved;
  Snapshot snapshot{.bodies = frame.bodies(),
                    .time = frame.time(),
                    .units = units_of(spec()),
                    .law = law_of(spec()),
                    .provenance = {{"version", std::string(version)},
                                   {"commit", std::string(commit)},
                                   {"device", resolved.at("device")},
                                   {"driver", resolved.at("driver")},
                                   {"solver", resolved.at("solver")},
                                   {"variant", resolved.at("variant")},
                                   {"precision", resolved.at("precision")},
                                   {"seed", std::to_string(spec().seed)},
                                   {"step", std::to_string(frame.step())},
                                   {"spec", to_toml(spec())}}};
  const ForceError error = force_error_of(frame);
  for (const auto& [name, value] : {std::pair{"force_error_median", error.median},
                                    {"force_error_p99", error.p99},
                                    {"force_error_max", error.max}}) {
    snapshot.provenance.emplace_back(name, fmt::format("{:.3e}", value));
  }
  write_snapshot(folder_.snapshot_file(record_.next_snapshot), snapshot);
  ++record_.next_snapshot;
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

}  // namespace

RunResult start_run(const RunSpec& spec, bool force, const RunListener& listener,
                    mpi::Communicator* ranks) {
  // at once where the folder is known already
  if (!force && !spec.output.directory.empty()) RunFolder::require_no_run(spec.output.directory);
  PreparedRun prepared = prepare_run(spec, ranks);
  // Before the folder is taken: a solver that can't be as accurate as asked says so at its first
  // evaluation, and then a run to be replaced is still there.
  Record record;
  record.force_error = sample_force_error(*prepared.engine, law_of(prepared.spec));
  // after an evaluation a solver knows what it settled for
  prepared.spec.resolved = resolved_from(prepared);
  RunFolder folder = RunFolder::create(prepared.spec.output.directory, force);
  folder.require_space(space_needed(prepared));
  write_text(folder.file("spec.toml"), to_toml(prepared.spec));
  EnergyLog log = EnergyLog::create(folder.file("energy.csv"));
  return Runner(std::move(prepared), std::move(folder), std::move(log), record, listener).run();
}

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
  prepared.notices.insert(prepared.notices.begin(), found.messages.begin(), found.messages.end());
  prepared.notices.push_back(fmt::format("resuming {} at step {}", path.string(), checkpoint.step));
  Record record{.start_energies = checkpoint.start,
                .energy_error_max = checkpoint.energy_error_max,
                .energy_error = std::stod(checkpoint.notes.at("energy_error")),
                .next_snapshot = checkpoint.next_snapshot,
                .first_step = checkpoint.step,
                .resumed = true,
                .seconds_before = checkpoint.seconds_so_far,
                .force_error = {},
                .bit_identical = checkpoint.notes.at("bit_identical") == "true"};
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
    prepared.notices.push_back(*other + ": the result will agree to rounding, not bit for bit");
  }
  EnergyLog log = EnergyLog::resume(folder.file("energy.csv"), checkpoint.logs.at(0).offset);
  write_text(folder.file("spec.toml"), to_toml(prepared.spec));
  return Runner(std::move(prepared), std::move(folder), std::move(log), record, listener).run();
}

}  // namespace apsis

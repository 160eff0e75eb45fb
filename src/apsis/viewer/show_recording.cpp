// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/energy_log.hpp>
#include <apsis/viewer/show.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis::viewer {
namespace {

// At speed 1 a recording takes so long from start to end.
constexpr double recording_seconds = 20;

// A playhead over a recording, moved by the clock.
class Player {
 public:
  Player(Recording& recording, Stage& stage, const Audience& audience)
      : recording_(recording), stage_(stage), audience_(audience), time_(recording.first_time()) {
    const double length = recording.last_time() - recording.first_time();
    rate_ = length / recording_seconds;
    playing_ = length > 0;
  }

  void run() {
    tell_what_was_left_out();
    auto before = Clock::now();
    while (!audience_.stop()) {
      for (const Command& command : stage_.commands(std::chrono::milliseconds(15))) obey(command);
      const auto now = Clock::now();
      const double seconds = std::chrono::duration<double>(now - before).count();
      before = now;
      if (playing_) advance(seconds);
      if (stage_.frame_wanted()) show_frame();
      report();
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Where nothing can be read any more the last frame stays.
  void show_frame() {
    std::string lost;
    try {
      bodies_ = recording_.at(time_, 0);
    } catch (const Error& error) {
      lost = fmt::format("{}: no snapshot is left to show", error.what());
    }
    tell_what_was_left_out();
    if (!lost.empty() && !failed_) tell(lost);
    failed_ = !lost.empty();
    if (failed_) playing_ = false;
    time_ = std::clamp(time_, recording_.first_time(), recording_.last_time());
    stage_.show(bodies_, snapshot_index(), time_);
  }

  void tell_what_was_left_out() {
    for (; told_ < recording_.left_out().size(); ++told_) tell(recording_.left_out()[told_]);
  }

  void tell(const std::string& text) {
    message_ = text;
    if (audience_.notice) audience_.notice(text);
  }

  void obey(const Command& command) {
    using Kind = Command::Kind;
    const bool at_end = time_ >= recording_.last_time();
    if (command.kind == Kind::play) {
      playing_ = recording_.size() > 1;
      if (at_end) time_ = recording_.first_time();
    } else if (command.kind == Kind::pause) {
      playing_ = false;
    } else if (command.kind == Kind::step) {
      playing_ = false;
      const auto next =
          std::upper_bound(recording_.times().begin(), recording_.times().end(), time_);
      time_ = next == recording_.times().end() ? recording_.last_time() : *next;
    } else if (command.kind == Kind::speed) {
      speed_ = command.number > 0 ? command.number : 16;
    } else if (command.kind == Kind::restart) {
      time_ = recording_.first_time(), playing_ = recording_.size() > 1;
    } else if (command.kind == Kind::seek) {
      time_ = std::clamp(command.number, recording_.first_time(), recording_.last_time());
    }
  }

  void advance(double seconds) {
    time_ += rate_ * speed_ * seconds;
    if (time_ < recording_.last_time()) return;
    time_ = recording_.last_time();
    playing_ = false;
  }

  // Moves on with every change, so that the page's frame is known to be old.
  std::uint64_t snapshot_index() {
    if (time_ != shown_time_) shown_time_ = time_, ++shown_;
    return shown_;
  }

  void report() {
    Figures figures;
    const bool over = time_ >= recording_.last_time() && recording_.size() > 1;
    figures.state = failed_    ? State::failed
                    : playing_ ? State::running
                    : over     ? State::finished
                               : State::paused;
    figures.message = message_;
    figures.step = snapshot_index(), figures.time = time_, figures.speed = speed_;
    stage_.report(figures);
  }

  Recording& recording_;
  Stage& stage_;
  const Audience& audience_;
  double time_, rate_ = 0, speed_ = 1;
  bool playing_ = false, failed_ = false;
  double shown_time_ = 0;
  std::uint64_t shown_ = 1;
  Bodies bodies_;
  std::string message_;
  std::size_t told_ = 0;  // snapshots that were left out
};

// Charts are no reason not to show the bodies.
void fill_charts(const std::filesystem::path& path, Stage& stage, const Audience& audience) {
  const auto log = path / "energy.csv";
  if (!folder_exists(path) || !file_exists(log)) return;
  try {
    for (const EnergyRow& row : read_energy_log(log)) {
      stage.chart({.time = row.time,
                   .energy_error = row.error,
                   .momentum = norm(row.energies.momentum),
                   .steps_per_second = 0,
                   .kinetic = row.energies.kinetic,
                   .potential = row.energies.potential});
    }
  } catch (const Error& error) {
    if (audience.notice) audience.notice(fmt::format("{}: the charts stay empty", error.what()));
  }
}

// Neither are names, nor what the folder's spec says besides.
void take_from_spec(const std::filesystem::path& path, Scene& scene) {
  const auto file = path / "spec.toml";
  if (!folder_exists(path) || !file_exists(file)) return;
  try {
    const RunSpec spec = parse_run_spec(read_text(file), file.string());
    scene.names = names_of(spec);
    if (spec.force.solver == "none" || any_acts(spec.external)) scene.gravity = 0;
  } catch (const Error&) {  // of another version, or edited: bodies are shown by number
  }
}

}  // namespace

void show_recording(Recording& recording, const std::filesystem::path& path, Stage& stage,
                    const Audience& audience) {
  Scene scene;
  scene.title =
      path.filename().empty() ? path.parent_path().filename().string() : path.filename().string();
  scene.kind = recording.size() > 1 ? "recording" : "state";
  scene.bodies = recording.bodies();
  scene.first_time = recording.first_time(), scene.last_time = recording.last_time();
  scene.time_unit = recording.units().time_name, scene.length_unit = recording.units().length_name;
  scene.mass_unit = recording.units().mass_name;
  scene.charged = recording.charged();
  obey_law(scene, recording.law());
  take_from_spec(path, scene);
  scene.can_restart = scene.can_step = scene.can_seek = recording.size() > 1;
  stage.begin(scene);
  fill_charts(path, stage, audience);
  Player(recording, stage, audience).run();
}

}  // namespace apsis::viewer

// SPDX-License-Identifier: MIT
#include <apsis/viewer/director.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace apsis::viewer {
namespace {

using Seconds = std::chrono::duration<double>;
using std::chrono::milliseconds;

// Between two looks: short enough for a hand on the pause button, long enough to cost nothing.
constexpr double look_seconds = 0.025;
constexpr double count_seconds = 0.5, tell_seconds = 0.1;
constexpr milliseconds longest_wait{50};

}  // namespace

Director::Director(Stage& stage, const Pace& pace, std::function<bool()> stop)
    : stage_(stage), pace_(pace), stop_(std::move(stop)), speed_(stage.figures().speed) {}

void Director::start(const Frame& frame) {
  started_ = true;
  left_ = counted_ = paced_ = Clock::now();
  left_step_ = counted_step_ = frame.step();
  paced_time_ = frame.time();
}

void Director::obey(const std::vector<Command>& commands) {
  using Kind = Command::Kind;
  for (const Command& command : commands) {
    last_ = command;
    switch (command.kind) {
      case Kind::play:
        paused_ = false, steps_to_go_ = 0;
        break;
      case Kind::pause:
        paused_ = true, steps_to_go_ = 0;
        break;
      case Kind::step:
        paused_ = true, ++steps_to_go_;
        break;
      case Kind::speed:
        speed_ = command.number;
        paced_ = {};  // counts from the next look
        break;
      case Kind::restart:
      case Kind::example:
        if (!pace_.may_end) break;
        end_ = command.kind == Kind::restart ? End::restart : End::example;
        return;
      case Kind::seek:  // only recordings can
        break;
    }
  }
}

void Director::measure(const Frame& frame) {
  const auto now = Clock::now();
  if (frame.step() > left_step_) {
    const double each =
        Seconds(now - left_).count() / static_cast<double>(frame.step() - left_step_);
    seconds_per_step_ = seconds_per_step_ > 0 ? 0.7 * seconds_per_step_ + 0.3 * each : each;
  }
  figures_.step = frame.step(), figures_.time = frame.time(), figures_.speed = speed_;
  const double counted = Seconds(now - counted_).count();
  if (counted < count_seconds) return;
  figures_.steps_per_second = static_cast<double>(frame.step() - counted_step_) / counted;
  const EngineDescription engine = frame.engine().describe();
  const auto n = static_cast<double>(engine.bodies);
  figures_.interactions_per_second =
      engine.exact_sums ? n * n * pace_.force_evaluations * figures_.steps_per_second : 0;
  counted_ = now, counted_step_ = frame.step();
}

void Director::tell(State state, const std::string& message) {
  const auto now = Clock::now();
  if (state == figures_.state && Seconds(now - told_).count() < tell_seconds) return;
  told_ = now;
  figures_.state = state, figures_.message = message;
  stage_.report(figures_);
}

void Director::note(const EnergyRow& row) {
  stage_.chart({.time = row.time,
                .energy_error = row.error,
                .momentum = norm(row.energies.momentum),
                .steps_per_second = figures_.steps_per_second});
}

void Director::show(const Frame& frame) {
  if (stage_.frame_wanted()) stage_.show(frame.engine(), frame.step(), frame.time());
}

// Waits until the clock has caught up with the run; a run that is slower than its pace just goes
// on.
void Director::keep_pace(const Frame& frame) {
  if (pace_.time_per_second <= 0 || speed_ <= 0) return;
  constexpr double most_behind = 0.25;
  while (!paused_ && !ended() && speed_ > 0) {
    const auto now = Clock::now();
    if (paced_ == Clock::time_point{}) paced_ = now, paced_time_ = frame.time();
    const double rate = pace_.time_per_second * speed_;
    const double ahead = (frame.time() - paced_time_) / rate - Seconds(now - paced_).count();
    if (ahead < -most_behind) paced_ = now, paced_time_ = frame.time();
    if (ahead <= 0) return;
    const milliseconds wait{static_cast<int>(std::min(1000 * ahead, 50.0)) + 1};
    obey(stage_.commands(std::min(wait, longest_wait)));
    show(frame);
    if (stop_()) end_ = End::stop;
  }
}

void Director::hold(const Frame& frame) {
  while (paused_ && steps_to_go_ == 0 && !ended()) {
    const bool over = pace_.pause_at && frame.step() >= *pace_.pause_at;
    figures_.steps_per_second = figures_.interactions_per_second = 0;
    tell(over ? State::finished : State::paused);
    show(frame);
    obey(stage_.commands(longest_wait));
    figures_.speed = speed_;
    if (stop_()) end_ = End::stop;
    if (!pace_.waits) return;
  }
}

std::uint64_t Director::next_burst() const {
  if (steps_to_go_ > 0) return 1;
  double steps = seconds_per_step_ > 0 ? look_seconds / seconds_per_step_ : 1;
  if (pace_.time_per_second > 0 && speed_ > 0) {
    steps = std::min(steps, look_seconds * pace_.time_per_second * speed_ / pace_.step);
  }
  return static_cast<std::uint64_t>(std::clamp(steps, 1.0, 1e5));
}

std::optional<std::uint64_t> Director::look(const Frame& frame) {
  if (!started_) start(frame);
  measure(frame);
  obey(stage_.commands(milliseconds(0)));
  if (stop_()) end_ = End::stop;
  if (pace_.pause_at && frame.step() == *pace_.pause_at) paused_ = true;
  show(frame);
  if (paused_) {
    hold(frame);
    paced_ = {}, counted_ = Clock::now(), counted_step_ = frame.step();
  } else {
    keep_pace(frame);
    if (paused_) hold(frame);
  }
  if (ended()) return std::nullopt;
  if (paused_ && steps_to_go_ == 0) return 0;
  tell(State::running);
  std::uint64_t burst = next_burst();
  if (steps_to_go_ > 0) --steps_to_go_;
  if (pace_.pause_at && frame.step() < *pace_.pause_at) {
    burst = std::min(burst, *pace_.pause_at - frame.step());
  }
  left_ = Clock::now(), left_step_ = frame.step();
  return burst;
}

void Director::wait_at_end(State state, const std::string& message,
                           const std::function<bool()>& needless) {
  while (!ended() && !(needless && needless())) {
    figures_.steps_per_second = figures_.interactions_per_second = 0;
    tell(state, message);
    obey(stage_.commands(longest_wait));
    if (stop_()) end_ = End::stop;
  }
}

}  // namespace apsis::viewer

// SPDX-License-Identifier: MIT
#include <apsis/viewer/director.hpp>
#include <apsis/viewer/limits.hpp>

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
    left_step_ = frame.step();  // a frame that is held counts once
  }
  figures_.step = frame.step(), figures_.time = frame.time(), figures_.speed = speed_;
  const double counted = Seconds(now - counted_).count();
  if (counted < count_seconds) return;
  figures_.steps_per_second = static_cast<double>(frame.step() - counted_step_) / counted;
  const Resolution engine = frame.engine().describe();
  const auto n = static_cast<double>(engine.bodies);
  figures_.interactions_per_second =
      engine.sums_all_pairs() ? n * n * pace_.force_evaluations * figures_.steps_per_second : 0;
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
                .steps_per_second = figures_.steps_per_second,
                .kinetic = row.energies.kinetic,
                .potential = row.energies.potential});
}

void Director::note(std::span<const Event> events, const EventTotals& totals) {
  figures_.events = totals;
  std::vector<Vec3> places;
  for (const Event& event : events) {
    for (const BodyEvent& body : event.bodies) {
      if (places.size() == most_flashes) break;
      places.push_back(body.b ? 0.5 * (body.place_a + body.place_b) : body.place_a);
    }
  }
  stage_.flash(places);
}

void Director::observe(const Frame& frame) {
  if (!started_) start(frame);
  measure(frame);
  if (stage_.frame_wanted()) stage_.show(frame.engine(), frame.step(), frame.time());
}

Observer Director::observer() {
  return {.name = "stage", .when = EveryLook{}, .observe = [this](const Frame& frame) {
            observe(frame);
          }};
}

// How long the clock needs to catch up with the run; a run that is slower than its pace just goes
// on.
double Director::seconds_ahead(const Frame& frame) {
  if (pace_.time_per_second <= 0 || speed_ <= 0) return 0;
  constexpr double most_behind = 0.25;
  const auto now = Clock::now();
  if (paced_ == Clock::time_point{}) paced_ = now, paced_time_ = frame.time();
  const double rate = pace_.time_per_second * speed_;
  const double ahead = (frame.time() - paced_time_) / rate - Seconds(now - paced_).count();
  if (ahead < -most_behind) paced_ = now, paced_time_ = frame.time();
  return std::max(0.0, ahead);
}

void Director::wait_paused(const Frame& frame) {
  const bool over = pace_.pause_at && frame.step() >= *pace_.pause_at;
  figures_.steps_per_second = figures_.interactions_per_second = 0;
  tell(over ? State::finished : State::paused);
  obey(stage_.commands(longest_wait));
  paced_ = {}, counted_ = Clock::now(), counted_step_ = frame.step();
}

std::uint64_t Director::burst_after(const Frame& frame) {
  double steps = seconds_per_step_ > 0 ? look_seconds / seconds_per_step_ : 1;
  if (pace_.time_per_second > 0 && speed_ > 0) {
    steps = std::min(steps, look_seconds * pace_.time_per_second * speed_ / pace_.step);
  }
  if (steps_to_go_ > 0) --steps_to_go_, steps = 1;
  const auto burst = static_cast<std::uint64_t>(std::clamp(steps, 1.0, 1e5));
  if (!pace_.pause_at || frame.step() >= *pace_.pause_at) return burst;
  return std::min(burst, *pace_.pause_at - frame.step());
}

LoopControl Director::look(const Frame& frame) {
  obey(stage_.commands(milliseconds(0)));
  if (stop_()) end_ = End::stop;
  const bool arrived = looked_at_ != frame.step();
  looked_at_ = frame.step();
  if (arrived && pace_.pause_at && frame.step() == *pace_.pause_at) paused_ = true;
  if (ended()) return LoopControl::stop();
  if (paused_ && steps_to_go_ == 0) {
    wait_paused(frame);
    return LoopControl::hold();
  }
  tell(State::running);
  if (const double ahead = paused_ ? 0 : seconds_ahead(frame); ahead > 0) {
    const milliseconds wait{static_cast<int>(std::min(1000 * ahead, 50.0)) + 1};
    obey(stage_.commands(std::min(wait, longest_wait)));
    return LoopControl::hold();
  }
  const std::uint64_t burst = burst_after(frame);
  left_ = Clock::now(), left_step_ = frame.step();
  return LoopControl::go_on(burst);
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

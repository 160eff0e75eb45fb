// SPDX-License-Identifier: MIT
// Between a simulation and its stage: frames and figures out, commands in. All it can change is
// when the next steps are computed, never what they give.
#pragma once

#include <apsis/io/energy_log.hpp>
#include <apsis/sim/simulation.hpp>
#include <apsis/viewer/stage.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace apsis::viewer {

struct Pace {
  double time_per_second = 0;               // at speed 1; 0: as fast as it goes
  std::optional<std::uint64_t> pause_at{};  // the planned end: it pauses there once
  double step = 0.01;
  double force_evaluations = 1;  // in a step
  bool may_end = true;           // false: commands that would end the run are not obeyed
};

class Director {
 public:
  enum class End { none, stop, restart, example };

  // `stop` is asked often, also during a pause.
  Director(Stage& stage, const Pace& pace, std::function<bool()> stop);

  // What the stage is shown of a run, as often as somebody wants to see it.
  Observer observer();
  // What those who watch want: their commands are obeyed, and the pace is kept by holding the run,
  // each time for a moment.
  LoopControl look(const Frame& frame);
  void note(const EnergyRow& row);
  // What actions did, and what it amounts to since the start of the run.
  void note(std::span<const Event> events, const EventTotals& totals);
  // At the end of all steps: waits for a command, the end, or until nobody needs it any more.
  void wait_at_end(State state, const std::string& message,
                   const std::function<bool()>& needless = {});

  End end() const { return end_; }
  const Command& last() const { return last_; }
  bool paused() const { return paused_; }

 private:
  using Clock = std::chrono::steady_clock;

  void obey(const std::vector<Command>& commands);
  bool ended() const { return end_ != End::none; }
  void start(const Frame& frame);
  void observe(const Frame& frame);
  void measure(const Frame& frame);
  void tell(State state, const std::string& message = {});
  double seconds_ahead(const Frame& frame);
  void wait_paused(const Frame& frame);
  std::uint64_t burst_after(const Frame& frame);

  Stage& stage_;
  Pace pace_;
  std::function<bool()> stop_;
  bool paused_ = false;
  std::uint64_t steps_to_go_ = 0;  // single steps asked for during a pause
  double speed_ = 1;
  End end_ = End::none;
  Command last_;

  Figures figures_;
  bool started_ = false;
  std::optional<std::uint64_t> looked_at_;  // step of the last look
  Clock::time_point left_{};                // when steps began to be computed
  std::uint64_t left_step_ = 0;
  double seconds_per_step_ = 0;
  Clock::time_point counted_{}, told_{};  // figures are counted over half a second
  std::uint64_t counted_step_ = 0;
  Clock::time_point paced_{};
  double paced_time_ = 0;
};

}  // namespace apsis::viewer

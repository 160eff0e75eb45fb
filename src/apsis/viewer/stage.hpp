// SPDX-License-Identifier: MIT
// What the thread that computes and the thread that serves share. The first never waits for the
// second: frames go into a mailbox, figures and commands pass under locks that are held for
// moments. It waits only when whoever controls it asked for a pause.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/energies.hpp>
#include <apsis/engines/engine.hpp>
#include <apsis/run/event_totals.hpp>
#include <apsis/viewer/mailbox.hpp>
#include <apsis/viewer/messages.hpp>
#include <apsis/viewer/points.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace apsis::viewer {

// What is shown, as long as it is the same run, recording or state.
struct Scene {
  std::uint64_t number = 0;  // grows with every start; set by the stage
  std::string title, kind;   // kind: run, recording or state
  std::uint64_t bodies = 0;
  std::string device, solver, integrator, precision;
  double step = 0, first_time = 0, last_time = 0;
  std::string time_unit, length_unit, mass_unit{};
  bool charged = false;
  // Of Newton's law between masses and nothing else, so that two bodies move on an ellipse; else 0.
  double gravity = 0, softening = 0;
  std::vector<std::string> names;  // of the bodies 0, 1 ... as far as they have any
  bool can_restart = false, can_choose = false, can_step = true, can_seek = false;
  std::string example;  // its name where it is one
};

enum class State { preparing, running, paused, finished, failed };
std::string_view name_of(State state);

struct Figures {
  State state = State::preparing;
  std::string message;  // where it failed: why; otherwise what there is to say, if anything
  std::uint64_t step = 0;
  double time = 0;
  double steps_per_second = 0, interactions_per_second = 0;
  double speed = 1;                     // factor that was asked for; 0: no limit
  std::optional<EventTotals> events{};  // so far, where bodies may touch or leave
};

// One point of the charts.
struct ChartPoint {
  double time = 0, energy_error = 0, momentum = 0, steps_per_second = 0;
  double kinetic = 0, potential = 0;
};

class Stage {
 public:
  using Clock = std::chrono::steady_clock;

  // --- for the thread that computes

  void begin(Scene scene);
  // Whether some page waits for a frame, and handing one over would not take too much time.
  bool frame_wanted() const;
  void show(const Bodies& bodies, std::uint64_t step, double time);
  void show(Engine& engine, std::uint64_t step, double time);  // stores once, into kept memory
  void report(const Figures& figures);
  void chart(const ChartPoint& point);
  // Where bodies touched or left: pages show a flash there, if they are there in time.
  void flash(const std::vector<Vec3>& places);
  // Commands in the order they came; waits at most so long for the first one.
  std::vector<Command> commands(std::chrono::milliseconds wait);

  // --- for the thread that serves

  // `points`: as many as any page can use; 0: nobody looks. `region`: where to look closely.
  void want_frame(std::size_t points, const Region& region = {});
  std::optional<Points> newest() { return frames_.take(); }
  void recycle(Points points) { frames_.recycle(std::move(points)); }
  void send(Command command);
  Scene scene() const;
  Figures figures() const;
  // Chart points from number `from` on, and the number behind the last of them.
  struct Chart {
    std::vector<ChartPoint> points;
    std::uint64_t next = 0;
  };
  Chart chart_since(std::uint64_t from) const;
  struct Flashes {
    std::vector<Vec3> places;
    std::uint64_t next = 0;
  };
  Flashes flashes_since(std::uint64_t from) const;

 private:
  void hand_over(const Bodies& bodies, std::uint64_t step, double time, Clock::time_point begun);

  mutable std::mutex lock_;  // of scene, figures, chart and commands
  std::condition_variable came_;
  Scene scene_;
  Figures figures_;
  std::deque<ChartPoint> chart_;
  std::uint64_t chart_end_ = 0;
  std::deque<Vec3> flashes_;
  std::uint64_t flashes_end_ = 0;
  std::deque<Command> commands_;
  Region region_;

  Mailbox<Points> frames_;
  std::atomic<std::size_t> wanted_{0};
  // only the thread that computes touches these
  Clock::time_point earliest_{};
  PointList list_;
  Bodies stored_;
  Points spare_;
};

}  // namespace apsis::viewer

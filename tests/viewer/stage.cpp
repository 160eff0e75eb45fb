// SPDX-License-Identifier: MIT
#include <apsis/run/prepare.hpp>
#include <apsis/viewer/director.hpp>
#include <apsis/viewer/show.hpp>
#include <apsis/viewer/stage.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <atomic>
#include <thread>

namespace apsis::viewer {
namespace {

using namespace std::chrono_literals;
using Kind = Command::Kind;

RunSpec small_spec() {
  RunSpec spec;
  spec.initial.model = "plummer";
  spec.initial.bodies = 100;
  spec.device.name = "cpu";
  spec.device.threads = 1;
  spec.time.until = 0.5;
  return spec;
}

// A run on its own thread, and what is seen of it.
class LiveRun {
 public:
  explicit LiveRun(const RunSpec& spec = small_spec())
      : thread_([this, spec] {
          show_run(spec, stage, {.stop = [this] { return stop_.load(); }, .notice = {}});
        }) {}
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;
  ~LiveRun() {
    stop_ = true;
    thread_.join();
  }

  void send(Kind kind, double number = 0, const std::string& name = {}) {
    stage.send({kind, number, name});
  }
  template <class Condition>
  bool becomes(Condition&& holds) {
    for (int i = 0; i < 2000; ++i) {
      if (holds(stage.figures())) return true;
      std::this_thread::sleep_for(5ms);
    }
    return false;
  }

  Stage stage;

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

TEST(LiveRun, runs_to_its_end_and_goes_on_when_asked) {
  LiveRun run;
  run.send(Kind::speed, 0);
  ASSERT_TRUE(run.becomes([](const Figures& f) { return f.state == State::finished; }));
  EXPECT_EQ(run.stage.figures().step, 50U);
  EXPECT_GT(run.stage.chart_since(0).points.size(), 40U);
  run.send(Kind::play);
  EXPECT_TRUE(run.becomes([](const Figures& f) { return f.step > 100; }));
}

TEST(LiveRun, pause_stops_and_step_steps_once) {
  LiveRun run;
  run.send(Kind::pause);
  ASSERT_TRUE(run.becomes([](const Figures& f) { return f.state == State::paused; }));
  const auto step = run.stage.figures().step;
  std::this_thread::sleep_for(150ms);
  EXPECT_EQ(run.stage.figures().step, step);
  run.send(Kind::step);
  ASSERT_TRUE(run.becomes([&](const Figures& f) { return f.step > step; }));
  std::this_thread::sleep_for(150ms);
  EXPECT_EQ(run.stage.figures().step, step + 1);
}

TEST(LiveRun, speed_is_kept) {
  LiveRun run;
  run.send(Kind::speed, 2);  // 0.5 units of time in 20 s
  ASSERT_TRUE(run.becomes([](const Figures& f) { return f.step >= 1; }));
  const auto begun = std::chrono::steady_clock::now();
  const auto first = run.stage.figures().step;
  std::this_thread::sleep_for(2s);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  const double rate = static_cast<double>(run.stage.figures().step - first) / seconds;
  // 2.5 steps a second; one step more or less, and a machine that is busy may be slower
  EXPECT_LT(rate, 2.5 + 1.2 / seconds);
}

TEST(LiveRun, restart_and_examples_begin_new_scenes) {
  LiveRun run;
  ASSERT_TRUE(run.becomes([](const Figures& f) { return f.state == State::running; }));
  const auto first = run.stage.scene().number;
  run.send(Kind::restart);
  ASSERT_TRUE(run.becomes([&](const Figures&) { return run.stage.scene().number == first + 1; }));
  run.send(Kind::example, 0, "kepler");
  ASSERT_TRUE(run.becomes([&](const Figures&) { return run.stage.scene().bodies == 2; }));
  EXPECT_EQ(run.stage.scene().example, "kepler");
  run.send(Kind::example, 0, "no-such-example");  // starts the same again
  EXPECT_TRUE(run.becomes([&](const Figures&) { return run.stage.scene().number == first + 3; }));
  EXPECT_EQ(run.stage.scene().bodies, 2U);
}

TEST(LiveRun, frames_come_when_they_are_wanted_and_only_then) {
  LiveRun run;
  ASSERT_TRUE(run.becomes([](const Figures& f) { return f.state == State::running; }));
  std::this_thread::sleep_for(100ms);
  EXPECT_FALSE(run.stage.newest());
  run.stage.want_frame(60);
  std::optional<Points> points;
  for (int i = 0; i < 400 && !points; ++i) {
    std::this_thread::sleep_for(5ms);
    points = run.stage.newest();
  }
  ASSERT_TRUE(points);
  EXPECT_EQ(points->size(), 60U);
  EXPECT_EQ(points->bodies, 100U);
}

// The same steps with a director that is asked for frames all the time, and without.
TEST(Director, does_not_change_a_bit_of_the_result) {
  const auto end_state = [](bool watched) {
    RunSpec spec = small_spec();
    PreparedRun run = prepare_run(spec);
    const SimulationPlan plan = plan_of(run.spec, run.start_time);
    Stage stage;
    stage.begin({});
    Director director(stage, {}, [] { return false; });
    std::vector<Observer> observers;
    if (watched) observers.push_back(director.observer());
    std::size_t frames = 0;
    simulate(*run.engine, run.integrator, plan, observers, [&](const Frame& frame) {
      if (!watched) return LoopControl::go_on();
      if (stage.newest()) ++frames;
      stage.want_frame(100);
      return director.look(frame);
    });
    EXPECT_EQ(frames > 0, watched);
    return run.engine->save_state();
  };
  EXPECT_EQ(end_state(true), end_state(false));
}

TEST(Director, a_pause_holds_the_run_and_single_steps_and_play_let_it_go_on) {
  RunSpec spec = small_spec();
  PreparedRun run = prepare_run(spec);
  Stage stage;
  stage.begin({});
  Director director(stage, {}, [] { return false; });
  const Frame frame(*run.engine, 3, 0.03);
  const auto goes_on = [&] { return director.look(frame).kind == LoopControl::Kind::go_on; };
  EXPECT_TRUE(goes_on());
  stage.send({Kind::pause, 0, {}});
  EXPECT_EQ(director.look(frame), LoopControl::hold());
  EXPECT_EQ(director.look(frame), LoopControl::hold());
  stage.send({Kind::step, 0, {}});
  EXPECT_EQ(director.look(frame), LoopControl::go_on(1));
  EXPECT_EQ(director.look(frame), LoopControl::hold());
  stage.send({Kind::play, 0, {}});
  EXPECT_TRUE(goes_on());
}

TEST(Director, pauses_at_the_planned_end_once) {
  RunSpec spec = small_spec();
  PreparedRun run = prepare_run(spec);
  Stage stage;
  stage.begin({});
  Pace pace;
  pace.pause_at = 3;
  Director director(stage, pace, [] { return false; });
  const Frame frame(*run.engine, 3, 0.03);
  EXPECT_EQ(director.look(frame), LoopControl::hold());
  EXPECT_EQ(stage.figures().state, State::finished);
  stage.send({Kind::play, 0, {}});
  EXPECT_EQ(director.look(frame).kind, LoopControl::Kind::go_on);
  EXPECT_EQ(director.look(frame).kind, LoopControl::Kind::go_on);
}

TEST(Stage, commands_beyond_what_a_person_means_are_dropped) {
  Stage stage;
  for (int i = 0; i < 1000; ++i) stage.send({Kind::pause, 0, {}});
  EXPECT_LE(stage.commands(0ms).size(), 64U);
  EXPECT_TRUE(stage.commands(0ms).empty());
}

TEST(Stage, chart_points_are_given_once_and_anew_for_a_new_scene) {
  Stage stage;
  stage.begin({});
  for (int i = 0; i < 5; ++i) stage.chart({static_cast<double>(i), 0, 0, 0});
  const auto first = stage.chart_since(0);
  EXPECT_EQ(first.points.size(), 5U);
  EXPECT_TRUE(stage.chart_since(first.next).points.empty());
  stage.begin({});
  stage.chart({7, 0, 0, 0});
  const auto next = stage.chart_since(first.next);
  ASSERT_EQ(next.points.size(), 1U);
  EXPECT_EQ(next.points[0].time, 7);
}

}  // namespace
}  // namespace apsis::viewer

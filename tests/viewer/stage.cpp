// SPDX-License-Identifier: MIT
#include <apsis/run/prepare.hpp>
#include <apsis/viewer/director.hpp>
#include <apsis/viewer/limits.hpp>
#include <apsis/viewer/show.hpp>
#include <apsis/viewer/stage.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <atomic>
#include <cmath>
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

RunSpec merging_spec() {
  RunSpec spec = small_spec();
  spec.initial.model = "planetesimals";
  spec.initial.options["filling"] = {0.1, ""};
  spec.time.until = 0.2;
  return spec;
}

TEST(LiveRun, contacts_are_counted_and_flash_and_bodies_become_fewer) {
  LiveRun run(merging_spec());
  run.send(Kind::speed, 0);
  ASSERT_TRUE(run.becomes([](const Figures& f) { return f.state == State::finished; }));
  const Figures end = run.stage.figures();
  ASSERT_TRUE(end.events);
  EXPECT_GT(end.events->merged, 5U);
  EXPECT_EQ(run.stage.flashes_since(0).places.size(),
            std::min<std::size_t>(end.events->merged, most_flashes));
  std::optional<Points> points;
  for (int i = 0; i < 400 && !points; ++i) {
    run.stage.want_frame(100);
    std::this_thread::sleep_for(5ms);
    points = run.stage.newest();
  }
  ASSERT_TRUE(points);
  EXPECT_EQ(points->bodies, 100 - end.events->merged);
}

TEST(LiveRun, without_contacts_says_nothing_of_them) {
  LiveRun run;
  ASSERT_TRUE(run.becomes([](const Figures& f) { return f.state == State::running; }));
  EXPECT_FALSE(run.stage.figures().events);
}

TEST(LiveRun, that_a_contact_stops_says_which_and_waits) {
  RunSpec spec = merging_spec();
  spec.contacts.on = OnContact::stop;
  LiveRun run(spec);
  ASSERT_TRUE(run.becomes([](const Figures& f) { return f.state == State::finished; }));
  EXPECT_NE(run.stage.figures().message.find("touch at t = "), std::string::npos);
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(run.stage.scene().number, 1U);
}

TEST(Stage, flashes_are_given_once_and_the_newest_of_many) {
  Stage stage;
  stage.begin({});
  stage.flash(std::vector<Vec3>(3, Vec3{1, 2, 3}));
  const auto first = stage.flashes_since(0);
  EXPECT_EQ(first.places.size(), 3U);
  EXPECT_TRUE(stage.flashes_since(first.next).places.empty());
  stage.flash(std::vector<Vec3>(5000));
  EXPECT_EQ(stage.flashes_since(first.next).places.size(), most_flashes);
  stage.begin({});
  EXPECT_TRUE(stage.flashes_since(0).places.empty());
}

TEST(Stage, points_stay_with_their_bodies_while_some_are_gone) {
  Stage stage;
  stage.begin({});
  Bodies bodies = test::random_bodies(50);
  const auto shown = [&] {
    stage.want_frame(1000);
    stage.show(bodies, 0, 0);
    return *stage.newest();
  };
  const Points before = shown();
  const Bodies all = bodies;
  bodies.remove(std::vector<std::size_t>{7, 20, 49});
  const Points after = shown();
  EXPECT_EQ(after.bodies, 47U);
  ASSERT_EQ(after.size(), before.size());
  int gone = 0;
  for (std::size_t k = 0; k < before.size(); ++k) {
    if (std::isnan(after.x[k])) {
      ++gone;
      EXPECT_TRUE(before.id[k] == 7 || before.id[k] == 20 || before.id[k] == 49);
    } else {
      EXPECT_EQ(after.id[k], before.id[k]);
      EXPECT_EQ(after.x[k], before.x[k]);
    }
  }
  EXPECT_EQ(gone, 3);
  bodies = all;  // a recording that is played backwards
  EXPECT_EQ(shown().id, before.id);
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

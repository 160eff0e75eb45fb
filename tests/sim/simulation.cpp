// SPDX-License-Identifier: MIT
#include <apsis/engines/engine_factory.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/sim/simulation.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <cmath>
#include <vector>

namespace apsis {
namespace {

using Steps = std::vector<std::uint64_t>;

Steps due_steps(const Cadence& cadence, std::uint64_t last) {
  Steps steps;
  for (std::uint64_t step = 0; step <= last; ++step) {
    if (cadence.due(step)) steps.push_back(step);
  }
  return steps;
}

TEST(Cadence, multiples_of_the_interval_and_both_ends_are_due) {
  EXPECT_EQ(due_steps(Cadence(0.5, 0.1, 12), 12), (Steps{0, 5, 10, 12}));
  EXPECT_EQ(due_steps(Cadence(0, 0.1, 3), 3), (Steps{0, 3}));
  EXPECT_EQ(due_steps(Cadence(0.1, 0.1, 3), 3), (Steps{0, 1, 2, 3}));
  EXPECT_EQ(due_steps(Cadence(0.01, 0.1, 3), 3), (Steps{0, 1, 2, 3}));
}

TEST(Cadence, an_interval_between_steps_is_due_with_the_step_behind_it) {
  EXPECT_EQ(due_steps(Cadence(0.25, 0.1, 10), 10), (Steps{0, 3, 5, 8, 10}));
}

TEST(Cadence, rounding_of_times_never_shifts_a_step) {
  // 0.7/0.1 and the like are not whole in binary
  for (const double step : {0.1, 0.01, 0.001, 1.0 / 3}) {
    const Cadence cadence(7 * step, step, 7000);
    for (std::uint64_t k = 1; k < 1000; ++k) {
      EXPECT_EQ(cadence.next_after(7 * k - 1), 7 * k) << step;
      EXPECT_EQ(cadence.next_after(7 * k), std::min<std::uint64_t>(7000, 7 * (k + 1))) << step;
    }
  }
}

TEST(Cadence, nothing_is_due_after_the_last_step) {
  EXPECT_EQ(Cadence(0.5, 0.1, 12).next_after(12), Cadence::never);
}

TEST(Steps, until_is_reached_and_not_overshot_by_rounding) {
  EXPECT_EQ(steps_until(10, 0.01), 1000U);
  EXPECT_EQ(steps_until(0.3, 0.1), 3U);
  EXPECT_EQ(steps_until(0.31, 0.1), 4U);
  EXPECT_EQ(steps_until(0, 0.1), 0U);
}

struct SmallRun {
  std::unique_ptr<Engine> engine =
      make_engine({.force = {.softening = 0.1}, .device = {.precision = Precision::f64}});
  const Integrator& integrator = integrator_named("leapfrog");
  SmallRun() { engine->load(test::random_bodies(20)); }
};

TEST(Simulation, observers_see_their_steps_and_the_burst_changes_nothing) {
  Bodies reference;
  for (const std::uint64_t burst : {1, 7, 20, 1000}) {
    SmallRun run;
    Steps seen, looks;
    const SimulationPlan plan{.step = 0.01, .last_step = 50, .burst = burst};
    const auto end = simulate(*run.engine, run.integrator, plan,
                              {{"test", Cadence(0.2, 0.01, 50),
                                [&](const Frame& frame) { seen.push_back(frame.step()); }}},
                              [&](const Frame& frame) {
                                looks.push_back(frame.step());
                                return LoopControl::go_on();
                              });
    EXPECT_EQ(end.reason, SimulationEnd::Reason::finished);
    EXPECT_EQ(seen, (Steps{0, 20, 40, 50}));
    EXPECT_EQ(looks.back(), 50U);
    Bodies after;
    run.engine->store(after);
    if (burst == 1) reference = after;
    EXPECT_EQ(after, reference);
  }
}

TEST(Simulation, stops_where_the_look_says_so_and_goes_on_from_there) {
  SmallRun unbroken, broken;
  const auto go_on = [](const Frame&) { return LoopControl::go_on(); };
  const SimulationPlan plan{.step = 0.01, .last_step = 30, .burst = 4};
  simulate(*unbroken.engine, unbroken.integrator, plan, {}, go_on);
  const auto end = simulate(*broken.engine, broken.integrator, plan, {}, [](const Frame& frame) {
    return frame.step() >= 12 ? LoopControl::stop() : LoopControl::go_on();
  });
  EXPECT_EQ(end.reason, SimulationEnd::Reason::stopped);
  EXPECT_EQ(end.step, 12U);
  SmallRun resumed;
  resumed.engine->restore_state(broken.engine->save_state());
  SimulationPlan rest = plan;
  rest.first_step = 12;
  rest.resumed = true;
  simulate(*resumed.engine, resumed.integrator, rest, {}, go_on);
  EXPECT_EQ(resumed.engine->save_state(), unbroken.engine->save_state());
}

TEST(Simulation, resumed_at_step_0_does_not_show_the_start_again) {
  SmallRun run;
  std::vector<std::uint64_t> seen;
  simulate(
      *run.engine, run.integrator, {.step = 0.01, .first_step = 0, .resumed = true, .last_step = 2},
      {{"test", Cadence(0.01, 0.01, 2), [&](const Frame& frame) { seen.push_back(frame.step()); }}},
      [](const Frame&) { return LoopControl::go_on(); });
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{1, 2}));
}

TEST(Simulation, no_steps_at_all_still_show_the_start) {
  SmallRun run;
  int seen = 0;
  simulate(*run.engine, run.integrator, {.last_step = 0},
           {{"test", Cadence(0, 0.01, 0), [&](const Frame&) { ++seen; }}},
           [](const Frame&) { return LoopControl::go_on(); });
  EXPECT_EQ(seen, 1);
}

TEST(Simulation, numbers_that_go_bad_end_it_within_a_burst) {
  SmallRun run;
  Bodies bodies = test::random_bodies(20);
  bodies.vx()[3] = 1e308;  // overflows with the second step
  run.engine->load(bodies);
  const auto end =
      simulate(*run.engine, run.integrator, {.step = 10, .last_step = 1000, .burst = 5}, {},
               [](const Frame&) { return LoopControl::go_on(); });
  EXPECT_EQ(end.reason, SimulationEnd::Reason::not_finite);
  EXPECT_LE(end.step, 5U);
}

TEST(Simulation, a_look_says_how_many_steps_pass_before_the_next) {
  SmallRun run;
  Steps looks;
  simulate(*run.engine, run.integrator, {.step = 0.01, .last_step = 25, .burst = 4}, {},
           [&](const Frame& frame) {
             looks.push_back(frame.step());
             if (frame.step() == 4) return LoopControl::go_on(7);
             return frame.step() == 18 ? LoopControl::go_on(1) : LoopControl::go_on();
           });
  EXPECT_EQ(looks, (Steps{0, 4, 11, 18, 19, 20, 21, 22, 23, 24, 25}));
}

TEST(Simulation, those_who_observe_every_look_may_ask_for_more_of_them) {
  SmallRun run;
  Steps seen, looks;
  simulate(
      *run.engine, run.integrator, {.step = 0.01, .last_step = 25, .burst = 1000},
      {{"test", EveryLook{.steps = 10}, [&](const Frame& frame) { seen.push_back(frame.step()); }}},
      [&](const Frame& frame) {
        looks.push_back(frame.step());
        return LoopControl::go_on();
      });
  EXPECT_EQ(looks, (Steps{0, 10, 20, 25}));
  EXPECT_EQ(seen, looks);
}

TEST(Simulation, a_run_that_is_held_computes_nothing_and_shows_every_look_the_same_frame) {
  SmallRun run;
  Steps seen, due;
  int held = 0;
  simulate(
      *run.engine, run.integrator, {.step = 0.01, .last_step = 3, .burst = 1},
      {{"looks", EveryLook{}, [&](const Frame& frame) { seen.push_back(frame.step()); }},
       {"steps", Cadence(0.01, 0.01, 3), [&](const Frame& frame) { due.push_back(frame.step()); }}},
      [&](const Frame& frame) {
        return frame.step() == 2 && ++held < 4 ? LoopControl::hold() : LoopControl::go_on();
      });
  EXPECT_EQ(seen, (Steps{0, 1, 2, 2, 2, 2, 3}));
  EXPECT_EQ(due, (Steps{0, 1, 2, 3}));
}

TEST(Simulation, the_end_is_observed_once_and_also_where_a_resumed_run_has_no_step_left) {
  const auto ends_seen = [](std::uint64_t first, std::uint64_t stop) {
    SmallRun run;
    Steps seen;
    simulate(*run.engine, run.integrator,
             {.step = 0.01, .first_step = first, .resumed = first > 0, .last_step = 5},
             {{"end", AtEnd{}, [&](const Frame& frame) { seen.push_back(frame.step()); }}},
             [&](const Frame& frame) {
               return frame.step() >= stop ? LoopControl::stop() : LoopControl::go_on(1);
             });
    return seen;
  };
  EXPECT_EQ(ends_seen(0, 99), (Steps{5}));
  EXPECT_EQ(ends_seen(5, 99), (Steps{5}));
  EXPECT_EQ(ends_seen(0, 5), (Steps{5}));  // a wish that came with the last step
  EXPECT_EQ(ends_seen(0, 3), Steps{});
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
// Actions: what may change the state between steps, and how that is seen.
#include <apsis/engines/engine_factory.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/sim/simulation.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/devices.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace apsis {
namespace {

constexpr double step_length = 0.01;
constexpr std::uint64_t last = 20;
const Cadence every_step(step_length, step_length, last);

LoopControl going_on(const Frame& /*frame*/) { return LoopControl::go_on(); }

struct Setting {
  std::string integrator = "leapfrog", device = "cpu";
  Precision precision = Precision::f64;
};

struct SteppedRun {
  std::unique_ptr<Engine> engine;
  const Integrator& integrator;

  explicit SteppedRun(const Setting& setting = {}, const Bodies& bodies = test::random_bodies(20))
      : integrator(integrator_named(setting.integrator)) {
    const EngineSettings settings{
        .force = {.softening = 0.1},
        .device = {.name = setting.device, .precision = setting.precision},
        .needs_jerk = integrator.needs_jerk};
    engine = make_engine(settings);
    engine->load(bodies);
  }

  void simulate(const std::vector<Action>& actions, const std::vector<Observer>& observers = {},
                SimulationPlan plan = {.step = step_length, .last_step = last, .burst = 7}) {
    apsis::simulate(*engine, integrator, plan, observers, going_on, actions);
  }
  void step(std::uint64_t steps) {
    for (std::uint64_t i = 0; i < steps; ++i) {
      engine->apply(integrator.step(static_cast<double>(i) * step_length, step_length));
    }
  }
  Bodies bodies() {
    Bodies now;
    engine->store(now);
    return now;
  }
};

std::optional<std::string> stop_body_3(Bodies& bodies) {
  bodies.vx()[3] = bodies.vy()[3] = bodies.vz()[3] = 0;
  return "body 3 stands still";
}

std::optional<std::string> remove_body_5(Bodies& bodies) {
  bodies.remove(std::vector<std::size_t>{5});
  return "body 5 is gone";
}

// Does `change` at that step and nothing at others.
Action at_step(std::uint64_t wanted, std::optional<std::string> (*change)(Bodies&)) {
  return {"test", every_step, [=](Bodies& bodies, std::uint64_t step, double) {
            return step == wanted ? change(bodies) : std::nullopt;
          }};
}

// The same by hand: steps, a changed set of bodies in a new engine, and the steps that are left.
Bodies by_hand(const Setting& setting, std::uint64_t wanted,
               std::optional<std::string> (*change)(Bodies&)) {
  SteppedRun before(setting);
  before.step(wanted);
  Bodies bodies = before.bodies();
  change(bodies);
  SteppedRun after(setting, bodies);
  after.step(last - wanted);
  return after.bodies();
}

class EveryEngine : public testing::TestWithParam<Setting> {};

TEST_P(EveryEngine, goes_on_with_changed_velocities_as_one_that_was_given_them) {
  const Setting& setting = GetParam();
  if (setting.device != "cpu") APSIS_NEED_DEVICE();
  SteppedRun run(setting);
  run.simulate({at_step(9, stop_body_3)});
  EXPECT_EQ(run.bodies(), by_hand(setting, 9, stop_body_3));
}

TEST_P(EveryEngine, goes_on_with_fewer_bodies_as_one_that_was_given_them) {
  const Setting& setting = GetParam();
  if (setting.device != "cpu") APSIS_NEED_DEVICE();
  SteppedRun run(setting);
  run.simulate({at_step(9, remove_body_5)});
  EXPECT_EQ(run.bodies().size(), 19U);
  EXPECT_EQ(run.bodies(), by_hand(setting, 9, remove_body_5));
}

INSTANTIATE_TEST_SUITE_P(Actions, EveryEngine,
                         testing::Values(Setting{"leapfrog", "cpu", Precision::f64},
                                         Setting{"rk4", "cpu", Precision::mixed},
                                         Setting{"hermite4", "cpu", Precision::f64},
                                         Setting{"leapfrog", "opencl", Precision::f32},
                                         Setting{"hermite4", "opencl", Precision::f64},
                                         Setting{"leapfrog", "opencl:0/2", Precision::f64}),
                         [](const auto& tested) {
                           const bool halves = tested.param.device.ends_with("/2");
                           return tested.param.integrator + "_" +
                                  (halves ? "halves" : tested.param.device);
                         });

TEST(Actions, observers_see_what_was_left_and_what_was_done) {
  SteppedRun run;
  std::vector<Event> events;
  double speed_of_3 = 1;
  std::size_t bodies_seen = 0;
  run.simulate({at_step(9, stop_body_3)},
               {{"log", AtEvents{},
                 [&](const Frame& frame) {
                   events.insert(events.end(), frame.events().begin(), frame.events().end());
                   speed_of_3 = frame.bodies().vx()[3];
                 }},
                {"counts", Cadence(0, step_length, last),
                 [&](const Frame& frame) { bodies_seen = frame.bodies().size(); }}});
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0], (Event{"test", 9, 9 * step_length, "body 3 stands still"}));
  EXPECT_EQ(speed_of_3, 0);
  EXPECT_EQ(bodies_seen, 20U);
}

TEST(Actions, energies_are_those_of_the_bodies_that_are_left) {
  SteppedRun run;
  Energies seen;
  run.simulate({at_step(10, remove_body_5)},
               {{"energies", Cadence(10 * step_length, step_length, last),
                 [&](const Frame& frame) {
                   if (frame.step() == 10) seen = frame.energies();
                 },
                 true}});
  SteppedRun before;
  before.step(10);
  Bodies bodies = before.bodies();
  remove_body_5(bodies);
  SteppedRun after({}, bodies);
  EXPECT_EQ(seen.potential, after.engine->energies(0).potential);
  EXPECT_EQ(seen.kinetic, after.engine->energies(0).kinetic);
}

TEST(Actions, act_in_their_order_and_each_on_what_the_one_before_left) {
  SteppedRun run;
  std::vector<std::string> seen;
  const Cadence at_the_end(0, step_length, last);
  const auto removing = [](const char* name, const Cadence& cadence) {
    return Action{name, cadence, [](Bodies& bodies, std::uint64_t, double) {
                    const std::string was = std::to_string(bodies.size());
                    bodies.remove(std::vector<std::size_t>{0});
                    return std::optional("of " + was);
                  }};
  };
  run.simulate({removing("first", at_the_end), removing("second", at_the_end)},
               {{"log", AtEvents{}, [&](const Frame& frame) {
                   for (const Event& event : frame.events()) {
                     seen.push_back(event.action + " " + event.what);
                   }
                 }}});
  EXPECT_EQ(seen, (std::vector<std::string>{"first of 20", "second of 19"}));
  EXPECT_EQ(run.bodies().size(), 18U);
}

TEST(Actions, keep_their_cadence_whatever_the_burst_and_never_act_before_the_first_step) {
  for (const std::uint64_t burst : {1, 3, 1000}) {
    SteppedRun run;
    std::vector<std::uint64_t> acted;
    run.simulate({{"test", Cadence(6 * step_length, step_length, last),
                   [&](Bodies&, std::uint64_t step, double time) {
                     EXPECT_EQ(time, static_cast<double>(step) * step_length);
                     acted.push_back(step);
                     return std::optional<std::string>{};
                   }}},
                 {}, {.step = step_length, .last_step = last, .burst = burst});
    EXPECT_EQ(acted, (std::vector<std::uint64_t>{6, 12, 18, 20}));
  }
}

TEST(Actions, one_that_does_nothing_moves_no_bit_and_is_no_event) {
  SteppedRun with, without;
  with.simulate({at_step(last + 1, stop_body_3)},
                {{"log", AtEvents{}, [](const Frame&) { FAIL(); }}});
  without.simulate({});
  EXPECT_EQ(with.engine->save_state(), without.engine->save_state());
}

TEST(Actions, are_not_repeated_by_a_run_that_goes_on_after_them) {
  const auto count = [](Bodies& bodies) {
    bodies.vx()[0] += 1;  // twice would show
    return std::optional<std::string>("faster");
  };
  SteppedRun whole, cut, rest;
  whole.simulate({at_step(9, count)});
  cut.simulate({at_step(9, count)}, {}, {.step = step_length, .last_step = 9});
  rest.engine->restore_state(cut.engine->save_state());
  rest.simulate({at_step(9, count)}, {},
                {.step = step_length, .first_step = 9, .resumed = true, .last_step = last});
  EXPECT_EQ(rest.bodies(), whole.bodies());
}

TEST(Actions, numbers_that_went_bad_are_not_acted_on) {
  Bodies bodies = test::random_bodies(20);
  bodies.vx()[3] = 1e308;  // overflows with the second step
  SteppedRun run({}, bodies);
  const SimulationEnd end = simulate(
      *run.engine, run.integrator, {.step = 10, .last_step = 100, .burst = 5}, {}, going_on,
      std::vector<Action>{{"test", Cadence(10, 10, 100), [](Bodies& now, std::uint64_t, double) {
                             EXPECT_TRUE(std::isfinite(now.x()[3]));
                             return std::optional<Deed>{};
                           }}});
  EXPECT_EQ(end.reason, SimulationEnd::Reason::not_finite);
}

}  // namespace
}  // namespace apsis

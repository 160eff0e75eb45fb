// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/freshness.hpp>
#include <apsis/integrators/integrator.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <algorithm>

namespace apsis {
namespace {

// One body falling towards a heavy one: small enough to work out steps by hand.
struct OneStep {
  double a;  // acceleration of the light body at the start
  Bodies after;
};

OneStep one_step(const std::string& name, double dt) {
  Bodies bodies(2);
  bodies.mass = {1, 0};
  test::assign(bodies.x(), {0, 2});
  test::assign(bodies.vx(), {0, 0.25});
  const auto engine = make_engine({.device = {.precision = Precision::f64, .threads = 1}});
  engine->load(bodies);
  engine->apply(integrator_named(name).step(0, dt));
  OneStep out{-0.25, {}};
  engine->store(out.after);
  return out;
}

TEST(Integrators, euler_moves_with_the_old_velocity) {
  const auto [a, after] = one_step("euler", 0.5);
  EXPECT_DOUBLE_EQ(after.x()[1], 2 + 0.25 * 0.5);
  EXPECT_DOUBLE_EQ(after.vx()[1], 0.25 + a * 0.5);
}

TEST(Integrators, symplectic_euler_moves_with_the_new_velocity) {
  const auto [a, after] = one_step("symplectic-euler", 0.5);
  EXPECT_DOUBLE_EQ(after.vx()[1], 0.25 + a * 0.5);
  EXPECT_DOUBLE_EQ(after.x()[1], 2 + (0.25 + a * 0.5) * 0.5);
}

TEST(Integrators, taylor2_is_x_plus_v_dt_plus_half_a_dt_squared) {
  const auto [a, after] = one_step("taylor2", 0.5);
  EXPECT_DOUBLE_EQ(after.x()[1], 2 + 0.25 * 0.5 + 0.5 * a * 0.25);
  EXPECT_DOUBLE_EQ(after.vx()[1], 0.25 + a * 0.5);
}

TEST(Integrators, an_unknown_name_finds_its_neighbour) {
  try {
    integrator_named("leapfog");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean 'leapfrog'?"));
  }
}

TEST(Integrators, every_name_finds_one_with_a_summary) {
  for (const auto& name : integrator_names()) {
    EXPECT_EQ(integrator_named(name).name, name);
    EXPECT_FALSE(integrator_named(name).summary.empty());
  }
}

// The promised number of force evaluations, counted at the engine's seam.
TEST(Integrators, evaluate_forces_as_often_as_they_say) {
  for (const Integrator& integrator : integrator_table()) {
    Freshness freshness;
    int evaluations = 0;
    for (int i = 0; i < 4; ++i) {
      if (i == 1) evaluations = 0;  // the first step has to begin with one
      for (const Operation& operation : integrator.step(i, 1)) {
        const bool accelerate = operation.kind == Operation::Kind::accelerate;
        if (accelerate && freshness.serves(operation)) continue;
        if (accelerate) ++evaluations;
        freshness.after(operation);
      }
    }
    EXPECT_EQ(evaluations, 3 * integrator.force_evaluations) << integrator.name;
  }
}

TEST(Integrators, ask_for_jerks_where_they_say_so_and_nowhere_else) {
  for (const Integrator& integrator : integrator_table()) {
    const auto operations = integrator.step(0, 1);
    EXPECT_EQ(std::ranges::any_of(operations, &Operation::with_jerk), integrator.needs_jerk)
        << integrator.name;
  }
}

// The time that a body of velocity 1 has come to, which starts where and when the step does.
TEST(Integrators, want_forces_at_the_time_that_the_positions_are_of) {
  const double start = 3, dt = 0.25;
  for (const Integrator& integrator : integrator_table()) {
    double now = start;
    for (const Operation& operation : integrator.step(start, dt)) {
      using Kind = Operation::Kind;
      if (operation.kind == Kind::drift) now += operation.dt;
      if (operation.kind == Kind::predict || operation.kind == Kind::correct) now = start + dt;
      if (operation.kind == Kind::combine) {
        now = start;
        for (const SlotTerm& term : operation.terms()) now += term.coefficient;
      }
      // a sum of fractions of the step, to some roundings
      if (operation.kind != Kind::accelerate) continue;
      EXPECT_NEAR(operation.time, now, 1e-14) << integrator.name;
    }
    EXPECT_NEAR(now, start + dt, 1e-14) << integrator.name;
  }
}

}  // namespace
}  // namespace apsis

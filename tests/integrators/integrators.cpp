// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/integrators/integrator.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <cmath>

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
  const auto integrator = make_integrator(name);
  integrator->step(*engine, dt);
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
    make_integrator("leapfog");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean 'leapfrog'?"));
  }
}

TEST(Integrators, every_name_makes_one_with_a_summary) {
  for (const auto& name : integrator_names()) {
    EXPECT_EQ(make_integrator(name)->name(), name);
    EXPECT_FALSE(integrator_summary(name).empty());
  }
}

// The promised number of force evaluations, counted at the engine's seam.
class CountingEngine final : public Engine {
 public:
  int evaluations = 0;
  void load(const Bodies&) override {}
  void store(Bodies&) override {}
  void drift(double) override { fresh_ = false; }
  void kick(double) override {}
  void accelerate(Wants) override {
    if (!fresh_) ++evaluations;
    fresh_ = true;
  }
  void save(int) override {}
  void combine(int, std::span<const SlotTerm>) override { fresh_ = false; }
  void predict(double) override { fresh_ = false; }
  void correct(double) override { fresh_ = false; }
  void accept() override { fresh_ = true; }
  Energies energies() override { return {}; }
  Accelerations accelerations() override { return {}; }
  bool finite() override { return true; }
  bool gives_jerk() const override { return true; }
  Resolution describe() const override { return {}; }
  EngineState save_state() override { return {}; }
  void restore_state(const EngineState&) override {}

 private:
  bool fresh_ = false;
};

TEST(Integrators, evaluate_forces_as_often_as_they_say) {
  for (const auto& name : integrator_names()) {
    CountingEngine engine;
    const auto integrator = make_integrator(name);
    integrator->step(engine, 1);
    engine.evaluations = 0;
    for (int i = 0; i < 3; ++i) integrator->step(engine, 1);
    EXPECT_EQ(engine.evaluations, 3 * integrator->force_evaluations()) << name;
  }
}

}  // namespace
}  // namespace apsis

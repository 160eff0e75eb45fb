// SPDX-License-Identifier: MIT
// An engine that takes its steps by a kernel of the user's own.
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/step_engine.hpp>
#include <apsis/files/file.hpp>
#include <apsis/integrators/own_steps.hpp>

#include <files/scratch_folder.hpp>
#include <gtest/gtest.h>
#include <support/devices.hpp>

#include <cmath>

namespace apsis {
namespace {

Bodies some_bodies(std::size_t n) {
  Bodies bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto t = static_cast<double>(i);
    bodies.set_position(i, {std::sin(t), std::cos(2 * t), std::sin(3 * t + 1)});
    bodies.set_velocity(i, {0.1 * std::cos(t), 0.1 * std::sin(t), 0});
    bodies.mass[i] = 1.0 / static_cast<double>(n);
  }
  return bodies;
}

EngineSettings softened() {
  EngineSettings settings;
  settings.force = forces({Law::gravity, 1, 0.1}, "direct");
  return settings;
}

class StepEngineTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { APSIS_NEED_DEVICE(); }
};

// Ten steps in float: each body is pulled by a hundred others, so that a few units in the last
// place (6e-8) of velocities near 1 add up to less than 1e-5.
TEST_P(StepEngineTest, goes_the_way_of_the_native_engine_with_the_same_scheme) {
  const Bodies bodies = some_bodies(101);
  auto own = StepEngine(test::discovery().devices.front(), softened(),
                        {.file = "apsis:" + GetParam(), .kernel = ""});
  own.load(bodies);
  EngineSettings settings = softened();
  settings.device.name = "cpu", settings.device.precision = Precision::f64;
  const auto native = make_engine(settings);
  native->load(bodies);
  const bool taylor = GetParam() == "step_tiled.cl";
  const Integrator& scheme = integrator_named(taylor ? "taylor2" : "symplectic-euler");
  const Integrator steps = own_steps("own");
  for (int step = 0; step < 10; ++step) {
    own.apply(steps.step(0, 0.01));
    native->apply(scheme.step(0, 0.01));
  }
  Bodies found, wanted;
  own.store(found), native->store(wanted);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_LT(norm(found.position(i) - wanted.position(i)), 1e-5) << i;
    EXPECT_LT(norm(found.velocity(i) - wanted.velocity(i)), 1e-5) << i;
  }
  EXPECT_TRUE(own.finite());
  EXPECT_EQ(own.describe().bodies, 101U);
  EXPECT_NEAR(own.energies(0).total(), native->energies(0).total(), 1e-5);
}

TEST_P(StepEngineTest, goes_on_with_the_same_bits_from_a_state_that_was_saved) {
  auto own = StepEngine(test::discovery().devices.front(), softened(),
                        {.file = "apsis:" + GetParam(), .kernel = ""});
  own.load(some_bodies(65));
  own.apply({Operation::advance(0.01)});
  const EngineState saved = own.save_state();
  own.apply({Operation::advance(0.01)});
  const EngineState after = own.save_state();
  own.restore_state(saved);
  own.apply({Operation::advance(0.01)});
  EXPECT_EQ(own.save_state(), after);
}

INSTANTIATE_TEST_SUITE_P(Starters, StepEngineTest,
                         testing::Values("step_float4.cl", "step_packed.cl", "step_tiled.cl"),
                         [](const auto& test) {
                           return test.param.substr(0, test.param.find('.'));
                         });

TEST(StepEngine, takes_no_parts_of_a_step_and_others_take_no_whole_one) {
  APSIS_NEED_DEVICE();
  StepEngine own(test::discovery().devices.front(), softened(),
                 {.file = "apsis:step_float4.cl", .kernel = ""});
  own.load(some_bodies(3));
  EXPECT_THROW(own.apply({Operation::drift(0.1)}), Error);
  EngineSettings settings = softened();
  settings.device.name = "cpu";
  const auto native = make_engine(settings);
  native->load(some_bodies(3));
  EXPECT_THROW(native->apply({Operation::advance(0.1)}), Error);
}

TEST(StepEngine, refuses_masses_that_the_kernel_would_not_see) {
  APSIS_NEED_DEVICE();
  const ScratchFolder folder;
  write_text(folder / "own.cl",
             "kernel void own(global float* p, global float* q, global float* v, float dt) {"
             " const int i = get_global_id(0);"
             " for (int k = 0; k < 3; ++k) q[3 * i + k] = p[3 * i + k] + dt * v[3 * i + k]; }\n");
  StepEngine own(test::discovery().devices.front(), softened(),
                 {.file = folder / "own.cl", .kernel = ""});
  EXPECT_THROW(own.load(some_bodies(3)), Error);
  Bodies bodies = some_bodies(3);
  bodies.mass = {1, 1, 1};
  own.load(bodies);
  own.apply({Operation::advance(0.5)});
  Bodies found;
  own.store(found);
  EXPECT_NEAR(found.position(1).x, bodies.position(1).x + 0.5 * bodies.velocity(1).x, 1e-6);
}

TEST(StepEngine, refuses_more_than_gravity_between_points) {
  APSIS_NEED_DEVICE();
  EngineSettings settings = softened();
  settings.force.law = Law::coulomb;
  EXPECT_THROW(StepEngine(test::discovery().devices.front(), settings,
                          {.file = "apsis:step_float4.cl", .kernel = ""}),
               Error);
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
// The engine on a device against the engine on the host.
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/opencl_engine.hpp>
#include <apsis/engines/state_arrays.hpp>
#include <apsis/integrators/integrator.hpp>

#include <engines/borrowed_solver.hpp>
#include <engines/far_away.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/devices.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace apsis {
namespace {

// Charges of order 1 on masses of order 1/n: the constant keeps their accelerations of order 1.
PairLaw law_for(bool charged, std::size_t n = 100) {
  const auto count = static_cast<double>(std::max<std::size_t>(n, 1));
  return {.law = charged ? Law::coulomb : Law::gravity,
          .constant = charged ? 1 / (count * count) : 1.0,
          .softening = 0.05};
}

std::unique_ptr<Engine> device_engine(Precision precision, PairLaw law = law_for(false)) {
  return std::make_unique<OpenclEngine>(
      test::discovery().devices.front(),
      EngineSettings{.force = forces(law, "direct"), .device = {.precision = precision}});
}
std::unique_ptr<Engine> borrowing_engine(Precision precision, PairLaw law = law_for(false)) {
  return std::make_unique<OpenclEngine>(
      test::discovery().devices.front(),
      EngineSettings{.force = forces(law, "direct"), .device = {.precision = precision}},
      test::borrowed_solver);
}
std::unique_ptr<Engine> host_engine(Precision precision, PairLaw law = law_for(false)) {
  return make_engine(
      {.force = forces(law), .device = {.name = "cpu", .precision = precision, .threads = 1}});
}

void run_steps(Engine& engine, const std::string& integrator, int steps) {
  const auto operations = integrator_named(integrator).step(0, 0.01);
  for (int i = 0; i < steps; ++i) engine.apply(operations);
}

Bodies stored(Engine& engine) {
  Bodies bodies;
  engine.store(bodies);
  return bodies;
}

// "" for equal states, else the first array that differs: readable, unlike the bytes.
std::string difference(const EngineState& a, const EngineState& b) {
  if (a.bodies != b.bodies || a.arrays.size() != b.arrays.size()) return "another set of arrays";
  for (std::size_t i = 0; i < a.arrays.size(); ++i) {
    if (!(a.arrays[i] == b.arrays[i])) return a.arrays[i].name + " differs";
  }
  return {};
}

double largest_difference(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(
        {largest, norm(a.position(i) - b.position(i)), norm(a.velocity(i) - b.velocity(i))});
  }
  return largest;
}

class OpenclEngineTest : public testing::TestWithParam<Precision> {
 protected:
  void SetUp() override {
    APSIS_NEED_DEVICE();
    if (GetParam() != Precision::f32 && !test::discovery().devices.front().has_double) {
      GTEST_SKIP() << test::discovery().devices.front().name << " has no double precision";
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Precisions, OpenclEngineTest,
                         testing::Values(Precision::f32, Precision::mixed, Precision::f64),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

TEST_P(OpenclEngineTest, every_integrator_has_the_bits_of_the_host_where_forces_have) {
  for (const bool charged : {false, true}) {
    const Bodies bodies = test::random_bodies(65, 3, charged);
    for (const auto& name : integrator_names()) {
      const auto host = host_engine(GetParam(), law_for(charged));
      const auto device = borrowing_engine(GetParam(), law_for(charged));
      host->load(bodies), device->load(bodies);
      run_steps(*host, name, 4), run_steps(*device, name, 4);
      EXPECT_EQ(difference(device->save_state(), host->save_state()), "") << name << charged;
    }
  }
}

TEST_P(OpenclEngineTest, every_integrator_agrees_with_the_host_at_every_size) {
  // ten steps of 0.01 with forces good to 1e-6 (float pairs) or 1e-15
  const double tolerance = GetParam() == Precision::f64 ? 1e-13 : 2e-6;
  for (const std::size_t n : {0, 1, 2, 3, 65, 1000}) {
    for (const bool charged : {false, true}) {
      const Bodies bodies = test::random_bodies(n, 5, charged);
      for (const auto& name : integrator_names()) {
        if (n == 1000 && name != "leapfrog" && name != "hermite4") continue;  // time
        const auto host = host_engine(GetParam(), law_for(charged, n));
        const auto device = device_engine(GetParam(), law_for(charged, n));
        host->load(bodies), device->load(bodies);
        run_steps(*host, name, 10), run_steps(*device, name, 10);
        EXPECT_LT(largest_difference(stored(*host), stored(*device)), tolerance)
            << name << " " << n << (charged ? " charges" : "");
      }
    }
  }
}

TEST_P(OpenclEngineTest, gives_back_what_was_loaded_to_its_precision) {
  const Bodies bodies = test::random_bodies(100, 3, true);
  const auto engine = device_engine(GetParam());
  engine->load(bodies);
  const Bodies back = stored(*engine);
  EXPECT_EQ(back.id, bodies.id);
  EXPECT_EQ(back.mass, bodies.mass);
  EXPECT_EQ(back.charge, bodies.charge);
  // float keeps 24 bits; powers of two in between lose none
  EXPECT_LE(largest_difference(back, bodies), GetParam() == Precision::f32 ? 2e-7 : 0);
}

TEST_P(OpenclEngineTest, looks_and_the_length_of_the_queue_change_nothing) {
  const Bodies bodies = test::random_bodies(300, 8);
  for (const auto& name : integrator_names()) {
    const auto watched = device_engine(GetParam()), left_alone = device_engine(GetParam());
    watched->load(bodies), left_alone->load(bodies);
    for (int i = 0; i < 6; ++i) {
      run_steps(*watched, name, 1);
      watched->energies(0);
      watched->accelerations(0);
      EXPECT_TRUE(watched->finite());
      watched->finish();
      stored(*watched);
    }
    run_steps(*left_alone, name, 6);
    EXPECT_EQ(difference(watched->save_state(), left_alone->save_state()), "") << name;
  }
}

TEST_P(OpenclEngineTest, state_saved_in_the_middle_goes_on_with_the_same_bits) {
  for (const bool charged : {false, true}) {
    const Bodies bodies = test::random_bodies(200, 2, charged);
    for (const auto& name : integrator_names()) {
      const auto unbroken = device_engine(GetParam(), law_for(charged));
      const auto resumed = device_engine(GetParam(), law_for(charged));
      unbroken->load(bodies);
      run_steps(*unbroken, name, 3);
      resumed->restore_state(unbroken->save_state());
      run_steps(*unbroken, name, 3), run_steps(*resumed, name, 3);
      EXPECT_EQ(difference(resumed->save_state(), unbroken->save_state()), "") << name << charged;
    }
  }
}

TEST_P(OpenclEngineTest, ten_repeats_give_the_same_bits) {
  const Bodies bodies = test::random_bodies(1000, 4);
  EngineState first;
  for (int repeat = 0; repeat < 10; ++repeat) {
    const auto engine = device_engine(GetParam());
    engine->load(bodies);
    run_steps(*engine, "leapfrog", 5);
    if (repeat == 0) first = engine->save_state();
    EXPECT_EQ(difference(engine->save_state(), first), "") << repeat;
  }
}

TEST_P(OpenclEngineTest, energies_agree_with_the_host) {
  for (const bool charged : {false, true}) {
    for (const std::size_t n : {0, 1, 2, 700, 9'000}) {
      if (n == 9'000 && charged) continue;
      const Bodies bodies = test::random_bodies(n, 9, charged);
      const auto host = host_engine(GetParam(), law_for(charged, n));
      const auto device = device_engine(GetParam(), law_for(charged, n));
      host->load(bodies), device->load(bodies);
      const Energies a = host->energies(0), b = device->energies(0);
      // masses rounded to float, and potentials summed in float
      const double tolerance = GetParam() == Precision::f64 ? 1e-12 : 2e-6;
      EXPECT_NEAR(a.kinetic, b.kinetic, tolerance);
      EXPECT_NEAR(a.potential, b.potential, tolerance);
      EXPECT_LT(norm(a.momentum - b.momentum), tolerance);
      EXPECT_LT(norm(a.angular_momentum - b.angular_momentum), tolerance);
      EXPECT_LT(norm(a.center_of_mass - b.center_of_mass), tolerance);
    }
  }
}

TEST_P(OpenclEngineTest, lengths_and_masses_of_any_size_keep_their_accuracy) {
  const Bodies unit = test::random_bodies(200, 6);
  for (const double length : {1e-15, 1e15}) {
    for (const double mass : {1e-30, 2e30}) {
      Bodies bodies = unit;
      for (double& value : bodies.positions.values()) value *= length;
      for (double& value : bodies.mass) value *= mass;
      const PairLaw law{.constant = 6.6743e-11, .softening = 0.05 * length};
      const auto host = host_engine(GetParam(), law), device = device_engine(GetParam(), law);
      host->load(bodies), device->load(bodies);
      const Energies a = host->energies(0), b = device->energies(0);
      EXPECT_NEAR(b.potential / a.potential, 1, 1e-5);
      EXPECT_NEAR(b.kinetic / a.kinetic, 1, 1e-5);
      const Accelerations x = host->accelerations(0), y = device->accelerations(0);
      EXPECT_NEAR(norm(y.at(7)) / norm(x.at(7)), 1, 1e-5);
    }
  }
}

TEST_P(OpenclEngineTest, a_body_far_away_takes_no_accuracy_from_the_others) {
  for (const double away : {1e7, 1e11, 1e15}) {
    SCOPED_TRACE(away);
    const Bodies bodies = test::with_one_away(test::random_bodies(300, 6), away);
    const PairLaw law{.constant = 1, .softening = 0.01};
    const auto engine = device_engine(GetParam(), law);
    engine->load(bodies);
    EXPECT_LT(test::largest_error(bodies, law, engine->accelerations(0)), 2e-5);
  }
}

TEST_P(OpenclEngineTest, a_body_beyond_the_range_of_float_is_refused_with_the_remedy) {
  const auto engine = device_engine(GetParam());
  const Bodies bodies = test::with_one_away(test::random_bodies(300, 6), 1e30);
  EXPECT_THAT(test::complaint_of([&] { engine->load(bodies); }),
              testing::AllOf(testing::HasSubstr("body 77 (id 77) is 1.0e+30 away"),
                             testing::HasSubstr("device cpu with precision f64")));
}

TEST_P(OpenclEngineTest, a_velocity_or_place_that_is_not_finite_is_seen) {
  Bodies bodies = test::random_bodies(10'000);
  const auto engine = device_engine(GetParam());
  engine->load(bodies);
  EXPECT_TRUE(engine->finite());
  bodies.vz()[9'999] = std::nan("");
  engine->load(bodies);
  EXPECT_FALSE(engine->finite());
  bodies.vz()[9'999] = 0, bodies.x()[0] = std::numeric_limits<double>::infinity();
  engine->load(bodies);
  EXPECT_FALSE(engine->finite());
}

TEST_P(OpenclEngineTest, the_host_goes_on_with_a_state_of_the_device_and_back) {
  const Bodies bodies = test::random_bodies(50, 2);
  for (const char* name : {"leapfrog", "hermite4"}) {
    const auto device = device_engine(GetParam());
    const auto host = host_engine(GetParam()), unbroken = host_engine(GetParam());
    device->load(bodies), unbroken->load(bodies);
    run_steps(*device, name, 3), run_steps(*unbroken, name, 9);
    host->restore_state(device->save_state());
    run_steps(*host, name, 3);
    device->restore_state(host->save_state());
    run_steps(*device, name, 3);
    EXPECT_LT(largest_difference(stored(*device), stored(*unbroken)),
              GetParam() == Precision::f64 ? 1e-13 : 2e-6);
  }
}

TEST_P(OpenclEngineTest, says_what_it_is) {
  const auto engine = device_engine(GetParam());
  engine->load(test::random_bodies(100));
  const Resolution d = engine->describe();
  EXPECT_EQ(d.device(), test::discovery().devices.front().name);
  EXPECT_EQ(d.driver(), test::discovery().devices.front().driver);
  EXPECT_EQ(d.solver, "direct");
  EXPECT_FALSE(d.variant().empty());
  EXPECT_EQ(d.precision, GetParam());
  EXPECT_EQ(d.threads, 0);
  EXPECT_EQ(d.bodies, 100U);
}

TEST(OpenclEngine, reproducible_doubles_have_the_bits_of_the_host) {
  APSIS_NEED_DEVICE();
  if (!test::discovery().devices.front().has_double) GTEST_SKIP() << "no double precision";
  for (const bool charged : {false, true}) {
    const Bodies bodies = test::random_bodies(1000, 7, charged);
    for (const char* name : {"leapfrog", "rk4"}) {
      EngineSettings settings{
          .force = forces(law_for(charged, 1000)),
          .device = {.name = "cpu", .precision = Precision::f64, .reproducible = true}};
      const auto host = make_engine(settings);
      settings.device.name = "opencl";
      const auto device = make_engine(settings);
      host->load(bodies), device->load(bodies);
      run_steps(*host, name, 5), run_steps(*device, name, 5);
      EXPECT_EQ(difference(device->save_state(), host->save_state()), "") << name << charged;
    }
  }
}

// A second at most; a pass over all bodies for each of them would take a quarter of an hour.
TEST(OpenclEngine, a_million_charges_are_loaded_in_passes_not_in_pairs) {
  APSIS_NEED_DEVICE();
  Bodies bodies(1'000'000, true);
  std::iota(bodies.x().begin(), bodies.x().end(), 0.0);
  std::fill(bodies.mass.begin(), bodies.mass.end(), 3.0);
  std::fill(bodies.charge.begin(), bodies.charge.end(), -1.0);
  const auto engine = make_engine({.force = {.law = Law::coulomb, .solver = "fmm"},
                                   .device = {.name = "opencl", .precision = Precision::f32}});
  engine->load(bodies);
  EXPECT_EQ(stored(*engine).positions, bodies.positions);
}

TEST(OpenclEngine, padding_stays_where_it_is) {
  APSIS_NEED_DEVICE();
  const Bodies bodies = test::random_bodies(65);
  DeviceState state;
  device::Context context(test::discovery().devices.front());
  allocate(state, context, bodies.size());
  write_coupling(state, context, {1.0});
  write_places(state, bodies.positions, bodies.mass);
  write_columns(state, state.velocity, bodies.velocities, bodies.mass);
  DeviceMotion motion(context, Precision::f32);
  const std::vector<Operation> operations(7, Operation::drift(0.5));
  motion.move(state, nullptr, operations);
  std::vector<float> places(4 * state.padded);
  state.place.read(std::span(places));
  EXPECT_NE(places[0], static_cast<float>(bodies.x()[0]));
  for (std::size_t i = bodies.size(); i < state.padded; ++i) {
    ASSERT_EQ(places[4 * i], static_cast<float>(padding_place(Precision::f32)));
    ASSERT_EQ(places[4 * i + 3], 0);
  }
}

TEST(OpenclEngine, state_of_another_precision_is_refused) {
  APSIS_NEED_DEVICE();
  const auto device = device_engine(Precision::f32);
  device->load(test::random_bodies(5));
  EXPECT_THROW(host_engine(Precision::f64)->restore_state(device->save_state()), Error);
  EngineState state = device->save_state();
  state.arrays.back().bytes.pop_back();
  EXPECT_THROW(device->restore_state(state), Error);
}

TEST(OpenclEngine, more_bodies_than_the_device_holds_are_refused_with_the_number_that_fits) {
  DeviceInfo small;
  small.name = "small", small.memory = 64 << 20, small.largest_buffer = 16 << 20;
  try {
    require_device_memory(small, Precision::f32, 10'000'000, entries_at_least);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    EXPECT_THAT(error.remedy(), testing::HasSubstr("at most"));
  }
  require_device_memory(small, Precision::f32, 100'000, entries_at_least);
}

TEST(OpenclEngine, double_precision_on_a_device_without_it_is_unavailable) {
  APSIS_NEED_DEVICE();
  DeviceInfo single = test::discovery().devices.front();
  single.has_double = false;
  try {
    const OpenclEngine engine(
        single, {.force = {.solver = "direct"}, .device = {.precision = Precision::f64}});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unavailable);
  }
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
// External fields in engines: on top of the forces of the pairs, at the time that an operation
// names, natively and on devices, for all bodies and for some.
#include "files/expect_error.hpp"
#include <apsis/engines/engine_factory.hpp>
#include <apsis/integrators/integrator.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/devices.hpp>
#include <support/external_fields.hpp>

#include <cmath>
#include <numbers>

namespace apsis {
namespace {

using std::numbers::pi;

// Lengths and times of a galaxy in metres and seconds: engines compute in others.
constexpr double length = 3e20, duration = 3e15, sun = 2e30;

Bodies galaxy(std::size_t n) {
  Bodies bodies = test::random_bodies(n, 5);
  for (double& value : bodies.positions.values()) value *= length;
  for (double& value : bodies.velocities.values()) value *= length / duration;
  for (double& value : bodies.mass) value *= 1e11 * sun;
  return bodies;
}

// All fields with sizes that matter there.
ExternalFields fields_of_a_galaxy() {
  ExternalFields fields;
  const double acceleration = length / duration / duration;
  std::get<external::Uniform>(fields.table) = {
      .x = acceleration, .y = {}, .z = 0.3 * acceleration, .period = 3 * duration};
  std::get<external::Harmonic>(fields.table) = {
      .x = 1 / duration / duration, .y = -0.3 / duration / duration, .z = {}};
  std::get<external::Plummer>(fields.table) = {.mass = 1e11 * sun, .radius = 0.2 * length};
  std::get<external::Logarithmic>(fields.table) = {
      .speed = length / duration, .core = 0.1 * length, .flattening = 0.8};
  return fields;
}

EngineSettings settings_on(const std::string& device, Precision precision) {
  return {.force = forces({Law::gravity, 6.7e-11, 0.05 * length}, "direct"),
          .external = fields_of_a_galaxy(),
          .device = {.name = device, .precision = precision}};
}

std::unique_ptr<Engine> loaded(const EngineSettings& settings, const Bodies& bodies) {
  auto engine = make_engine(settings);
  engine->load(bodies);
  return engine;
}

constexpr double now = 0.8 * duration;

// What a kick of one unit of time makes of the velocities is the acceleration that the engine
// holds.
Accelerations felt(Engine& engine, bool with_jerk, const ActiveBodies& active = {}) {
  Bodies before, after;
  engine.store(before);
  engine.apply({with_jerk ? Operation::accelerate_with_jerk(now, active)
                          : Operation::accelerate(now, active),
                Operation::kick(duration)});
  engine.store(after);
  Accelerations out(before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    out.set(i, (after.velocity(i) - before.velocity(i)) / duration);
  }
  return out;
}

Accelerations expected_of(const EngineSettings& settings, const Bodies& bodies) {
  EngineSettings exact = settings;
  exact.device = {.name = "cpu", .precision = Precision::f64};
  exact.external = {};
  Accelerations out = loaded(exact, bodies)->pair_accelerations();
  add_external(settings.external, bodies, now, law_of(settings.force).constant, 1, out);
  return out;
}

double largest_error(const Accelerations& got, const Accelerations& expected) {
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    worst = std::max(worst, norm(got.at(i) - expected.at(i)) / norm(expected.at(i)));
  }
  return worst;
}

struct Where {
  std::string device;
  Precision precision;
  double tolerance;  // positions rounded to float lose two digits of near pairs
};

class ExternalEngineTest : public testing::TestWithParam<Where> {
 protected:
  void SetUp() override {
    if (GetParam().device != "cpu") APSIS_NEED_DEVICE();
  }
  EngineSettings settings() const { return settings_on(GetParam().device, GetParam().precision); }
};

INSTANTIATE_TEST_SUITE_P(Places, ExternalEngineTest,
                         testing::Values(Where{"cpu", Precision::f32, 1e-4},
                                         Where{"cpu", Precision::f64, 1e-11},
                                         Where{"opencl", Precision::f32, 1e-4},
                                         Where{"opencl", Precision::mixed, 1e-4},
                                         Where{"opencl", Precision::f64, 1e-11},
                                         Where{"opencl:0/2", Precision::f64, 1e-11}),
                         [](const auto& tested) {
                           std::string name = tested.param.device;
                           for (char& c : name) c = std::isalnum(c) != 0 ? c : '_';
                           return name + "_" + std::string(name_of(tested.param.precision));
                         });

TEST_P(ExternalEngineTest, add_to_the_forces_of_pairs_at_the_time_of_the_operation) {
  for (const std::size_t n : {1, 3, 100}) {
    const Bodies bodies = galaxy(n);
    const auto engine = loaded(settings(), bodies);
    EXPECT_LT(largest_error(felt(*engine, false), expected_of(settings(), bodies)),
              GetParam().tolerance)
        << n;
    EXPECT_LT(largest_error(engine->accelerations(now), expected_of(settings(), bodies)),
              GetParam().tolerance)
        << n;
  }
}

TEST_P(ExternalEngineTest, looking_at_energies_and_forces_changes_no_bit) {
  const Bodies bodies = galaxy(50);
  const auto watched = loaded(settings(), bodies), alone = loaded(settings(), bodies);
  const Integrator leapfrog = integrator_named("leapfrog");
  for (int k = 0; k < 5; ++k) {
    watched->energies(k * 0.01 * duration), watched->accelerations(k * 0.01 * duration);
    for (Engine* engine : {watched.get(), alone.get()}) {
      engine->apply(leapfrog.step(k * 0.01 * duration, 0.01 * duration));
    }
  }
  Bodies a, b;
  watched->store(a), alone->store(b);
  EXPECT_EQ(a, b);
}

// Hermite's fourth order needs the jerks of the fields: halving the step divides the error by 16,
// until rounding of the state hides it.
TEST_P(ExternalEngineTest, hermite_keeps_its_order) {
  EngineSettings asked = settings();
  std::get<external::Uniform>(asked.external.table) = {};  // whose energy is not kept
  asked.needs_jerk = true;
  const Bodies bodies = galaxy(20);
  const auto error_with = [&](int steps) {
    const auto engine = loaded(asked, bodies);
    const Energies start = engine->energies(0);
    const double dt = 0.5 * duration / steps;
    for (int k = 0; k < steps; ++k) engine->apply(integrator_named("hermite4").step(k * dt, dt));
    return energy_error(engine->energies(0.5 * duration), start);
  };
  const double coarse = error_with(128), fine = error_with(256);
  if (asked.precision() == Precision::f32) {
    EXPECT_LT(fine, 1e-6) << "128 steps of rounding by 6e-8 each";
  } else {
    EXPECT_GT(coarse / fine, 10);
  }
}

TEST_P(ExternalEngineTest, a_saved_state_goes_on_with_the_same_bits) {
  const Bodies bodies = galaxy(60);
  const auto whole = loaded(settings(), bodies), first = loaded(settings(), bodies);
  const auto second = loaded(settings(), bodies);
  const double dt = 0.01 * duration;
  const auto step = [&](Engine& engine, int k) {
    engine.apply(integrator_named("leapfrog").step(k * dt, dt));
  };
  for (int k = 0; k < 8; ++k) step(*whole, k);
  for (int k = 0; k < 5; ++k) step(*first, k);
  second->restore_state(first->save_state());
  for (int k = 5; k < 8; ++k) step(*second, k);
  Bodies a, b;
  whole->store(a), second->store(b);
  EXPECT_EQ(a, b);
}

TEST(ExternalEngine, acts_on_some_bodies_alone) {
  const EngineSettings settings = settings_on("cpu", Precision::f64);
  const Bodies bodies = galaxy(100);
  const auto engine = loaded(settings, bodies);
  const Accelerations got = felt(*engine, true, ActiveBodies::only({7, 50}));
  const Accelerations expected = expected_of(settings, bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i == 7 || i == 50) {
      EXPECT_LE(norm(got.at(i) - expected.at(i)), 1e-11 * norm(expected.at(i)));
    } else {
      EXPECT_EQ(got.at(i), Vec3{}) << i;
    }
  }
}

TEST(ExternalEngine, in_f64_has_the_same_bits_natively_and_on_devices) {
  APSIS_NEED_DEVICE();
  EngineSettings native = settings_on("cpu", Precision::f64);
  native.device.reproducible = true;
  EngineSettings device = native;
  device.device.name = "opencl";
  const Bodies bodies = galaxy(100);
  const auto a = loaded(native, bodies), b = loaded(device, bodies);
  EXPECT_EQ(felt(*a, false), felt(*b, false));
}

class EveryExternalField : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Table, EveryExternalField, testing::ValuesIn(test::external_names()),
                         [](const auto& tested) { return tested.param; });

// A wrong force would show as dt² = 1e-4 after a step, a wrong jerk as dt³ = 1e-6; rounding of
// values around 1 leaves 1e-15.
TEST_P(EveryExternalField, moves_bodies_on_devices_as_natively_by_its_force_and_its_jerk) {
  APSIS_NEED_DEVICE();
  Bodies start = test::random_bodies(100, 5);
  for (double& mass : start.mass) mass *= 1e-9;  // so that the fields are all that acts
  const auto moved_on = [&](const std::string& device) {
    const auto engine = loaded({.force = forces({.softening = 0.1}, "direct"),
                                .external = test::external_field(GetParam()),
                                .device = {.name = device, .precision = Precision::f64},
                                .needs_jerk = true},
                               start);
    for (int k = 0; k < 3; ++k) engine->apply(integrator_named("hermite4").step(k * 0.01, 0.01));
    Bodies bodies;
    engine->store(bodies);
    return bodies;
  };
  const Bodies native = moved_on("cpu"), device = moved_on("opencl");
  for (std::size_t i = 0; i < start.size(); ++i) {
    EXPECT_LT(norm(device.position(i) - native.position(i)), 1e-12);
    EXPECT_LT(norm(device.velocity(i) - native.velocity(i)), 1e-12);
    EXPECT_GT(norm(native.velocity(i) - start.velocity(i)), 1e-6);
  }
}

// One body, no pairs: the fields alone.
std::unique_ptr<Engine> one_body(const ExternalFields& fields, Vec3 place, Vec3 velocity) {
  Bodies bodies(1);
  bodies.mass[0] = 1;
  bodies.set_position(0, place), bodies.set_velocity(0, velocity);
  return loaded({.force = forces({}, "direct"),
                 .external = fields,
                 .device = {.name = "cpu", .precision = Precision::f64}},
                bodies);
}

Vec3 place_after(Engine& engine, const std::string& integrator, double time, int steps) {
  const double dt = time / steps;
  for (int k = 0; k < steps; ++k) engine.apply(integrator_named(integrator).step(k * dt, dt));
  Bodies bodies;
  engine.store(bodies);
  return bodies.position(0);
}

// 4th and 6th order with 1000 steps a period leave 1e-11.
TEST(ExternalEngine, a_trap_has_the_period_of_its_stiffness_along_each_axis) {
  ExternalFields trap;
  std::get<external::Harmonic>(trap.table) = {.x = 1, .y = 4, .z = 9};
  const Vec3 start{1, 0.5, -2}, velocity{0.2, 0.1, 0};
  for (const char* integrator : {"rk4", "yoshida6", "hermite4"}) {
    const auto engine = one_body(trap, start, velocity);
    EXPECT_LT(norm(place_after(*engine, integrator, 2 * pi, 1000) - start), 1e-7) << integrator;
  }
}

TEST(ExternalEngine, an_orbit_in_a_flat_halo_closes_at_its_speed) {
  ExternalFields halo;
  std::get<external::Logarithmic>(halo.table) = {.speed = 2, .core = 0.5, .flattening = 0.7};
  const double radius = 3, speed = 2 * radius / std::hypot(radius, 0.5);
  const auto engine = one_body(halo, {radius, 0, 0}, {0, speed, 0});
  EXPECT_LT(norm(place_after(*engine, "rk4", 2 * pi * radius / speed, 2000) - Vec3{radius, 0, 0}),
            1e-9);
}

// x = g/ω² (1 - cos ωt): the field at the middle of steps counts, not that of their ends.
TEST(ExternalEngine, a_swinging_field_moves_a_body_as_its_time_says) {
  ExternalFields swing;
  std::get<external::Uniform>(swing.table) = {.x = 3, .y = {}, .z = {}, .period = 2};
  const double expected = 3 / (pi * pi) * (1 - std::cos(pi * 0.7));
  for (const auto& [integrator, tolerance] :
       {std::pair{"rk4", 1e-9}, {"hermite4", 1e-9}, {"yoshida6", 1e-9}, {"leapfrog", 1e-4}}) {
    const auto engine = one_body(swing, {}, {});
    EXPECT_NEAR(place_after(*engine, integrator, 0.7, 200).x, expected, tolerance) << integrator;
  }
}

TEST(ExternalEngine, is_refused_before_it_is_made_where_a_key_is_missing) {
  EngineSettings settings;
  std::get<external::Plummer>(settings.external.table).radius = 1;
  EXPECT_THAT(error_text(ExitCode::bad_data, [&] { make_engine(settings); }),
              testing::HasSubstr("external.plummer without external.plummer.mass"));
}

}  // namespace
}  // namespace apsis

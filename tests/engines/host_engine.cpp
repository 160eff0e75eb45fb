// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/host_engine.hpp>
#include <apsis/engines/scale.hpp>
#include <apsis/solvers/reference.hpp>

#include <engines/far_away.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace apsis {
namespace {

std::unique_ptr<Engine> engine_of(Precision precision, PairLaw law = {.softening = 0.05},
                                  int threads = 1) {
  return make_engine(
      {.force = forces(law), .device = {.precision = precision, .threads = threads}});
}

class HostEngineTest : public testing::TestWithParam<Precision> {};

INSTANTIATE_TEST_SUITE_P(Precisions, HostEngineTest,
                         testing::Values(Precision::f32, Precision::mixed, Precision::f64),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

TEST_P(HostEngineTest, gives_back_what_was_loaded_to_its_precision) {
  const Bodies bodies = test::random_bodies(100, 3);
  const auto engine = engine_of(GetParam());
  engine->load(bodies);
  Bodies back;
  engine->store(back);
  EXPECT_EQ(back.id, bodies.id);
  EXPECT_EQ(back.mass, bodies.mass);
  // float keeps 24 bits; powers of two in between lose none
  const double tolerance = GetParam() == Precision::f32 ? 6e-8 : 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_NEAR(back.x()[i], bodies.x()[i], tolerance);
    EXPECT_NEAR(back.vz()[i], bodies.vz()[i], tolerance);
  }
}

TEST_P(HostEngineTest, drift_and_kick_are_what_they_say) {
  Bodies bodies(2);
  bodies.mass = {1, 1};
  test::assign(bodies.x(), {-0.5, 0.5});
  test::assign(bodies.vy(), {0.25, -0.5});
  const auto engine = engine_of(GetParam(), {.constant = 1, .softening = 0});
  engine->load(bodies);
  engine->apply({Operation::accelerate(0), Operation::kick(0.5), Operation::drift(2)});
  Bodies after;
  engine->store(after);
  // exact in binary but for the reciprocal root, which float gets to 2.2e-7
  const double tolerance = GetParam() == Precision::f64 ? 1e-15 : 2e-6;
  EXPECT_NEAR(after.vx()[0], 0.5, tolerance);
  EXPECT_NEAR(after.x()[0], -0.5 + 0.5 * 2, tolerance);
  EXPECT_NEAR(after.y()[1], -1, tolerance);
}

TEST_P(HostEngineTest, energies_agree_with_the_reference) {
  const Bodies bodies = test::random_bodies(700, 9);
  const PairLaw law{.constant = 2, .softening = 0.03};
  const auto engine = engine_of(GetParam(), law, 2);
  engine->load(bodies);
  const double tolerance = GetParam() == Precision::f64 ? 1e-13 : 1e-6;
  const Energies e = engine->energies(0);
  EXPECT_NEAR(e.potential / reference_potential_energy(bodies, law), 1, tolerance);
  EXPECT_NEAR(e.kinetic / motion(bodies).kinetic, 1, tolerance);
}

TEST_P(HostEngineTest, coulomb_accelerations_and_energies_agree_with_the_reference) {
  const Bodies bodies = test::random_bodies(300, 4, true);
  const PairLaw law{.law = Law::coulomb, .constant = 3, .softening = 0.1};
  const auto engine = engine_of(GetParam(), law);
  engine->load(bodies);
  std::vector<std::size_t> all(bodies.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Accelerations expected = reference_accelerations(bodies, law, all);
  const Accelerations got = engine->accelerations(0);
  double largest = 0;
  for (const std::size_t i : all) largest = std::max(largest, norm(expected.at(i)));
  // rounded inputs of 6e-8 over softening 0.1, and sums that cancel
  const double tolerance = GetParam() == Precision::f64 ? 1e-13 : 3e-6;
  for (const std::size_t i : all) {
    EXPECT_LT(norm(got.at(i) - expected.at(i)), tolerance * largest);
  }
  EXPECT_NEAR(engine->energies(0).potential, reference_potential_energy(bodies, law),
              tolerance * 3e5);  // 45,000 pairs of order 3 that cancel
}

TEST_P(HostEngineTest, lengths_and_masses_of_any_size_keep_their_accuracy) {
  const Bodies unit = test::random_bodies(200, 6);
  for (const double length : {1e-15, 1e15, 1.496e11}) {
    for (const double mass : {1e-30, 2e30}) {
      Bodies bodies = unit;
      for (double& value : bodies.positions.values()) value *= length;
      for (double& value : bodies.mass) value *= mass;
      const PairLaw law{.constant = 6.6743e-11, .softening = 0.05 * length};
      const auto engine = engine_of(GetParam(), law);
      engine->load(bodies);
      const std::vector<std::size_t> some{0, 50, 199};
      const Accelerations expected = reference_accelerations(bodies, law, some);
      const Accelerations got = engine->accelerations(0);
      for (std::size_t k = 0; k < some.size(); ++k) {
        EXPECT_LT(norm(got.at(some[k]) - expected.at(k)) / norm(expected.at(k)), 1e-5)
            << length << " " << mass;
      }
      EXPECT_NEAR(engine->energies(0).potential / reference_potential_energy(bodies, law), 1, 1e-5);
    }
  }
}

TEST_P(HostEngineTest, a_body_far_away_takes_no_accuracy_from_the_others) {
  for (const double away : {1e7, 1e11, 1e15}) {
    for (const double softening : {0.0, 0.01}) {
      SCOPED_TRACE(fmt::format("{} away, softening {}", away, softening));
      const Bodies bodies = test::with_one_away(test::random_bodies(300, 6), away);
      const PairLaw law{.constant = 1, .softening = softening};
      const auto engine = engine_of(GetParam(), law);
      engine->load(bodies);
      EXPECT_LT(test::largest_error(bodies, law, engine->accelerations(0)), 2e-5);
    }
  }
}

TEST_P(HostEngineTest, a_body_beyond_the_range_of_float_is_refused_with_the_remedy) {
  const Bodies bodies = test::with_one_away(test::random_bodies(300, 6), 1e30);
  const PairLaw law{.constant = 1, .softening = 0.01};
  const auto engine = engine_of(GetParam(), law);
  if (GetParam() == Precision::f64) {
    engine->load(bodies);
    EXPECT_LT(test::largest_error(bodies, law, engine->accelerations(0)), 1e-12);
    return;
  }
  const std::string told = test::complaint_of([&] { engine->load(bodies); });
  EXPECT_THAT(told, testing::HasSubstr("body 77 (id 77) is 1.0e+30 away"));
  EXPECT_THAT(told, testing::HasSubstr("precision f64"));
}

TEST_P(HostEngineTest, two_bodies_may_be_as_far_apart_as_they_like) {
  Bodies bodies(2);
  bodies.mass = {1, 2}, test::assign(bodies.x(), {0, 1e30});
  const auto engine = engine_of(GetParam(), {.constant = 1, .softening = 0});
  engine->load(bodies);
  EXPECT_NEAR(engine->accelerations(0).x()[0] / 2e-60, 1, 2e-6);
}

TEST_P(HostEngineTest, same_bits_for_any_number_of_threads) {
  const Bodies bodies = test::random_bodies(20'000, 12);  // more than one thread's worth
  const auto result = [&](int threads) {
    const auto engine = engine_of(GetParam(), {.softening = 0.05}, threads);
    engine->load(bodies);
    engine->apply({Operation::drift(0.01)});
    Bodies after;
    engine->store(after);
    return std::pair{after, motion(after, threads).kinetic};
  };
  const auto one = result(1);
  for (const int threads : {2, 3}) EXPECT_EQ(result(threads), one);
}

TEST_P(HostEngineTest, restored_state_goes_on_with_the_same_bits) {
  const Bodies bodies = test::random_bodies(50, 2, true);
  const PairLaw law{.law = Law::coulomb, .constant = 0.1, .softening = 0.1};
  const auto step = [](Engine& engine) {
    engine.apply({Operation::accelerate_with_jerk(0), Operation::predict(0.01),
                  Operation::accelerate_with_jerk(0), Operation::correct(0.01),
                  Operation::accept()});
  };
  const auto unbroken = engine_of(GetParam(), law), resumed = engine_of(GetParam(), law);
  unbroken->load(bodies);
  for (int i = 0; i < 5; ++i) step(*unbroken);
  resumed->restore_state(unbroken->save_state());
  for (int i = 0; i < 5; ++i) step(*unbroken), step(*resumed);
  EXPECT_EQ(resumed->save_state(), unbroken->save_state());
}

TEST_P(HostEngineTest, looking_at_it_changes_nothing) {
  const Bodies bodies = test::random_bodies(64, 2);
  const auto watched = engine_of(GetParam()), left_alone = engine_of(GetParam());
  for (Engine* engine : {watched.get(), left_alone.get()}) {
    engine->load(bodies);
    engine->apply({Operation::accelerate_with_jerk(0), Operation::predict(0.01),
                   Operation::accelerate_with_jerk(0), Operation::correct(0.01),
                   Operation::accept()});
  }
  watched->energies(0);
  watched->accelerations(0);
  EXPECT_TRUE(watched->finite());
  EXPECT_EQ(watched->save_state(), left_alone->save_state());
}

TEST_P(HostEngineTest, no_bodies_and_one_body_work) {
  for (const std::size_t n : {0, 1}) {
    const auto engine = engine_of(GetParam());
    engine->load(Bodies(n));
    engine->apply({Operation::accelerate_with_jerk(0), Operation::predict(0.1),
                   Operation::correct(0.1), Operation::kick(1), Operation::drift(1)});
    EXPECT_TRUE(engine->finite());
    EXPECT_EQ(engine->energies(0).potential, 0);
    const auto again = engine_of(GetParam());
    again->restore_state(engine->save_state());
    EXPECT_EQ(again->describe().bodies, n);
  }
}

TEST_P(HostEngineTest, a_velocity_that_is_not_finite_is_seen) {
  Bodies bodies = test::random_bodies(10);
  const auto engine = engine_of(GetParam());
  engine->load(bodies);
  EXPECT_TRUE(engine->finite());
  bodies.vz()[7] = std::nan("");
  engine->load(bodies);
  EXPECT_FALSE(engine->finite());
}

// The reference, counting what it is asked for.
class CountingSolver final : public Solver<Host<double>> {
 public:
  CountingSolver(double softening, int& passes) : reference_(softening), passes_(passes) {}
  void add_field(const Bodies& sources, const Bodies& targets, const FieldOf& field) override {
    ++passes_, reference_.add_field(sources, targets, field);
  }
  void add_self_field(const Bodies& bodies, const FieldOf& field) override {
    ++passes_, reference_.add_self_field(bodies, field);
  }
  bool potential_keeps_field() const override { return true; }
  std::string name() const override { return "counting"; }
  std::string variant() const override { return "reference"; }

 private:
  ReferenceSolver reference_;
  int& passes_;
};

TEST(HostEngine, energies_take_no_pass_of_their_own_where_the_forces_can_bring_the_potential) {
  int passes = 0;
  HostEngine<double> engine({.force = {.softening = 0.05}, .device = {.precision = Precision::f64}},
                            [&](const SolverSettings& wanted) {
                              return std::make_unique<CountingSolver>(wanted.softening(), passes);
                            });
  engine.load(test::random_bodies(20, 6));
  const Energies start = engine.energies(0);
  engine.apply({Operation::accelerate(0)});
  EXPECT_EQ(passes, 1) << "both at the start";
  EXPECT_EQ(engine.energies(0).potential, start.potential);
  EXPECT_EQ(passes, 1) << "nothing has moved";

  engine.apply({Operation::drift(0.01), Operation::keep_potential(true), Operation::accelerate(0),
                Operation::kick(0.01)});
  const double kept = engine.energies(0).potential;
  EXPECT_EQ(passes, 2);

  engine.apply({Operation::keep_potential(false), Operation::drift(0.01), Operation::accelerate(0),
                Operation::drift(-0.01), Operation::accelerate(0)});
  EXPECT_EQ(passes, 4);
  // back where it was to a rounding or two, by a pass of its own
  EXPECT_NEAR(engine.energies(0).potential, kept, 1e-12 * std::abs(kept));
  EXPECT_EQ(passes, 5);
}

TEST(HostEngine, state_of_another_precision_is_refused) {
  const auto single = engine_of(Precision::f32), full = engine_of(Precision::f64);
  single->load(test::random_bodies(5));
  EXPECT_THROW(full->restore_state(single->save_state()), Error);
}

TEST(HostEngine, state_with_an_array_missing_or_short_is_refused) {
  const auto engine = engine_of(Precision::f64);
  engine->load(test::random_bodies(5));
  EngineState state = engine->save_state();
  state.arrays[4].bytes.pop_back();
  EXPECT_THROW(engine->restore_state(state), Error);
  state.arrays.clear();
  EXPECT_THROW(engine->restore_state(state), Error);
}

TEST(EngineFactory, names_what_is_not_there_and_what_is) {
  const auto complaint = [](EngineSettings settings) {
    try {
      make_engine(settings);
    } catch (const Error& error) {
      return std::pair{error.code(), std::string(error.what()) + "; " + error.remedy()};
    }
    return std::pair{ExitCode::done, std::string()};
  };
  EXPECT_EQ(complaint({.device = {.name = "opencl:7", .precision = Precision::f64}}).first,
            ExitCode::unavailable);
  const auto unknown =
      complaint({.force = {.solver = "dirct"}, .device = {.precision = Precision::f64}});
  EXPECT_EQ(unknown.first, ExitCode::bad_data);
  EXPECT_THAT(unknown.second, testing::HasSubstr("did you mean 'direct'?"));
  EXPECT_EQ(complaint({.device = {.precision = Precision::f64, .variant = "magic"}}).first,
            ExitCode::bad_data);
  EXPECT_EQ(
      complaint({.force = {.solver = "reference"}, .device = {.precision = Precision::f32}}).first,
      ExitCode::bad_data);
}

TEST(Scale, is_made_of_powers_of_two_that_bring_everything_near_one) {
  Bodies bodies = test::random_bodies(10);
  for (double& x : bodies.x()) x *= 1e12;
  for (double& m : bodies.mass) m *= 1e25;
  const PairLaw law{.constant = 6.7e-11};
  const Scale scale = scale_for(bodies, law);
  int exponent = 0;
  EXPECT_EQ(std::frexp(scale.length, &exponent), 0.5);
  EXPECT_EQ(std::frexp(scale.time, &exponent), 0.5);
  const double constant = scale.internal_constant(law.constant);
  EXPECT_TRUE(constant > 0.4 && constant < 2.1) << constant;
  EXPECT_EQ(scale_for(Bodies(0), {}), Scale{});
}

TEST(Scale, is_that_of_the_largest_coordinate_up_to_a_million_times_the_usual_distance) {
  const Bodies near = test::random_bodies(300);
  EXPECT_EQ(scale_for(near, {}).length, 1);
  EXPECT_EQ(scale_for(test::with_one_away(near, 3e4), {}).length, 0x1p15);
  const double length = scale_for(test::with_one_away(near, 1e12), {}).length;
  EXPECT_TRUE(length == 0x1p19 || length == 0x1p20) << length;
  EXPECT_EQ(scale_for(test::with_one_away(near, 1e20), {}).length, length);
  // softening is a length between bodies, too; all but one in a place leave one distance
  EXPECT_EQ(scale_for(test::with_one_away(near, 1e12), {.softening = 1e9}).length, 0x1p40);
  Bodies place(300);
  place.x()[5] = 1e12;
  EXPECT_EQ(scale_for(place, {}).length, 0x1p40);
}

}  // namespace
}  // namespace apsis

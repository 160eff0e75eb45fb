// SPDX-License-Identifier: MIT
// Operations as values, what they leave fresh, and those that are meant for some bodies alone.
#include "files/expect_error.hpp"
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/freshness.hpp>
#include <apsis/engines/operation.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/reference.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/devices.hpp>

#include <algorithm>

namespace apsis {
namespace {

constexpr std::size_t count = 300;

const ActiveBodies& some() {
  static const ActiveBodies bodies = ActiveBodies::only({17, 3, 64, 65, 299, 3});
  return bodies;
}
bool is_one_of(const ActiveBodies& active, std::size_t body) {
  return std::ranges::find(active.numbers(), body) != active.numbers().end();
}

EngineSettings settings_of(Precision precision, const std::string& solver = "direct",
                           const std::string& variant = "") {
  return {.force = forces({.softening = 0.05}, solver),
          .device = {.precision = precision, .threads = 2, .variant = variant}};
}

std::unique_ptr<Engine> engine_with(const EngineSettings& settings, const Bodies& bodies) {
  auto engine = make_engine(settings);
  engine->load(bodies);
  return engine;
}

Bodies stored(Engine& engine) {
  Bodies bodies;
  engine.store(bodies);
  return bodies;
}

TEST(ActiveBodies, are_all_or_a_set_without_order_or_repetition) {
  EXPECT_TRUE(ActiveBodies{}.all());
  EXPECT_TRUE(ActiveBodies{}.numbers().empty());
  EXPECT_THAT(some().numbers(), testing::ElementsAre(3, 17, 64, 65, 299));
  EXPECT_EQ(some(), ActiveBodies::only({299, 65, 64, 17, 3}));
  EXPECT_NE(some(), ActiveBodies{});
  EXPECT_FALSE(ActiveBodies::only({}).all()) << "none is not all";
  EXPECT_NE(ActiveBodies::only({}), ActiveBodies{});
}

TEST(Freshness, knows_which_accelerations_are_free) {
  const auto forces = Operation::accelerate(0), with_jerk = Operation::accelerate_with_jerk(0);
  Freshness freshness;
  EXPECT_FALSE(freshness.serves(forces));
  freshness.after(forces);
  EXPECT_TRUE(freshness.serves(forces) && freshness.exact());
  EXPECT_FALSE(freshness.serves(with_jerk));
  freshness.after(with_jerk);
  EXPECT_TRUE(freshness.serves(with_jerk));
  freshness.after(Operation::kick(1));
  EXPECT_TRUE(freshness.serves(forces)) << "positions are the same";
  EXPECT_FALSE(freshness.serves(with_jerk)) << "velocities are not";
  for (const Operation& moves : {Operation::drift(1), Operation::combine(0, {{0, 1}}),
                                 Operation::predict(1), Operation::correct(1)}) {
    Freshness moved;
    moved.after(with_jerk), moved.found_potential(), moved.after(moves);
    EXPECT_FALSE(moved.serves(forces)) << name_of(moves.kind);
    EXPECT_FALSE(moved.potential()) << name_of(moves.kind);
  }
  freshness.after(Operation::correct(1)), freshness.after(Operation::accept());
  EXPECT_TRUE(freshness.serves(with_jerk) && freshness.accepted());
  EXPECT_FALSE(freshness.exact()) << "the corrector has moved the bodies since";
}

TEST(Freshness, accelerations_of_some_bodies_serve_nobody_else_and_are_not_replaced) {
  Freshness freshness;
  freshness.after(Operation::accelerate(0, some()));
  EXPECT_FALSE(freshness.serves(Operation::accelerate(0)));
  EXPECT_FALSE(freshness.stale()) << "energies must leave them";
  freshness.after(Operation::accelerate(0));
  EXPECT_TRUE(freshness.serves(Operation::accelerate(0, some())));
}

class SomeBodies : public testing::TestWithParam<Precision> {};

INSTANTIATE_TEST_SUITE_P(Precisions, SomeBodies,
                         testing::Values(Precision::f32, Precision::mixed, Precision::f64),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

// Those that are meant as if all were, the others as if none.
TEST_P(SomeBodies, are_moved_as_all_would_be_and_the_others_keep_their_bits) {
  const auto all_kinds = [](const ActiveBodies& active) {
    return std::vector<std::vector<Operation>>{
        {Operation::drift(0.1, active)},
        {Operation::kick(0.1, active)},
        {Operation::save(1, active), Operation::drift(0.1, active),
         Operation::combine(1, {{1, 0.2}}, active)},
        {Operation::predict(0.1, active)},
        {Operation::predict(0.1, active), Operation::correct(0.1, active)}};
  };
  const Bodies bodies = test::random_bodies(count, 8);
  const auto moved_by = [&](const std::vector<Operation>& operations) {
    const auto engine = engine_with(settings_of(GetParam()), bodies);
    engine->apply({Operation::accelerate_with_jerk(0)});
    const Bodies before = stored(*engine);
    engine->apply(operations);
    return std::pair{before, stored(*engine)};
  };
  const auto of_all = all_kinds({}), of_some = all_kinds(some());
  for (std::size_t k = 0; k < of_all.size(); ++k) {
    const auto [before, all] = moved_by(of_all[k]);
    const auto [same, part] = moved_by(of_some[k]);
    for (std::size_t i = 0; i < count; ++i) {
      const Bodies& expected = is_one_of(some(), i) ? all : before;
      EXPECT_EQ(part.position(i), expected.position(i)) << k << ", body " << i;
      EXPECT_EQ(part.velocity(i), expected.velocity(i)) << k << ", body " << i;
    }
    EXPECT_NE(all, before) << k;
  }
}

// Accelerations of some bodies, read off what a kick of length 1 does to bodies at rest.
Vectors felt(const EngineSettings& settings, Bodies bodies, const ActiveBodies& active, bool jerk) {
  std::ranges::fill(bodies.velocities.values(), 0.0);
  const auto engine = engine_with(settings, bodies);
  engine->apply(
      {jerk ? Operation::accelerate_with_jerk(0, active) : Operation::accelerate(0, active),
       Operation::kick(1, active)});
  return stored(*engine).velocities;
}

// The largest difference from the reference, of the force at that body.
double worst_error(const Bodies& bodies, const Vectors& got) {
  const std::vector<std::size_t> numbers(some().numbers().begin(), some().numbers().end());
  const Accelerations exact = reference_accelerations(bodies, {.softening = 0.05}, numbers);
  double worst = 0;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    worst = std::max(worst, norm(got.at(numbers[k]) - exact.at(k)) / norm(exact.at(k)));
  }
  return worst;
}

TEST_P(SomeBodies, have_the_accelerations_that_they_have_among_all) {
  const Bodies bodies = test::random_bodies(count, 8);
  for (const std::string& variant : direct_host_variants(GetParam())) {
    for (const bool jerk : {false, true}) {
      const auto settings = settings_of(GetParam(), "direct", variant);
      const Vectors all = felt(settings, bodies, {}, jerk);
      const Vectors part = felt(settings, bodies, some(), jerk);
      // where pairs are met once, forces are other sums of the same terms; jerks never are
      const bool same_sums = variant != "simd-symmetric" || jerk;
      for (std::size_t i = 0; i < count; ++i) {
        const bool is_active = is_one_of(some(), i);
        if (is_active && !same_sums) continue;
        EXPECT_EQ(part.at(i), is_active ? all.at(i) : Vec3{}) << variant << ", body " << i;
      }
      // DESIGN's bounds of an evaluation in float and in double
      EXPECT_LE(worst_error(bodies, part), GetParam() == Precision::f64 ? 1e-13 : 5e-6) << variant;
    }
  }
}

// Also as the first thing that they are asked for, when nothing has settled for an order yet.
TEST_P(SomeBodies, have_accelerations_of_the_accuracy_that_was_asked_for) {
  const Bodies bodies = test::random_bodies(count, 8);
  for (const std::string solver : {"tree", "fmm"}) {
    auto settings = settings_of(GetParam(), solver);
    settings.force.far_field.accuracy = 1e-3;
    // 99 % are within; the worst of a few lies within some times that
    EXPECT_LE(worst_error(bodies, felt(settings, bodies, some(), false)), 5e-3) << solver;
  }
  auto settings = settings_of(GetParam(), "bins");
  const Vectors all = felt(settings, bodies, {}, false);
  const Vectors part = felt(settings, bodies, some(), false);
  for (const std::uint32_t i : some().numbers()) {
    // the same bins and centres, summed in another order
    EXPECT_LE(norm(part.at(i) - all.at(i)),
              (GetParam() == Precision::f64 ? 1e-13 : 5e-6) * norm(all.at(i)));
  }
}

TEST_P(SomeBodies, of_charges_have_couplings_of_their_own) {
  const Bodies bodies = test::random_bodies(count, 4, true);
  auto settings = settings_of(GetParam(), "direct", "soa");
  settings.force.law = Law::coulomb;
  const Vectors all = felt(settings, bodies, {}, false);
  const Vectors part = felt(settings, bodies, some(), false);
  for (const std::uint32_t i : some().numbers()) EXPECT_EQ(part.at(i), all.at(i)) << i;
}

// As steps of their own need it: bodies that are not due are predicted for the sake of the others,
// again and again, and start from where they were accepted every time.
TEST_P(SomeBodies, that_were_not_accepted_are_predicted_from_their_last_accepted_state) {
  const Bodies bodies = test::random_bodies(count, 8);
  const auto whole = [&](const std::vector<Operation>& operations) {
    const auto engine = engine_with(settings_of(GetParam(), "direct", "soa"), bodies);
    engine->apply({Operation::accelerate_with_jerk(0)});
    engine->apply(operations);
    return stored(*engine);
  };
  const Bodies direct = whole({Operation::predict(0.2)});
  const Bodies by_half = whole({Operation::predict(0.1), Operation::predict(0.2)});
  EXPECT_EQ(by_half, direct);
  const Bodies mixed = whole({Operation::predict(0.1), Operation::accelerate_with_jerk(0.1, some()),
                              Operation::correct(0.1, some()), Operation::accept(some()),
                              Operation::predict(0.1, some()), Operation::predict(0.2)});
  for (std::size_t i = 0; i < count; ++i) {
    // those that were accepted at 0.1 have gone 0.2 on from there
    EXPECT_EQ(mixed.position(i) == direct.position(i), !is_one_of(some(), i)) << i;
  }
}

TEST_P(SomeBodies, keep_their_accelerations_when_somebody_looks_at_the_energies) {
  const Bodies bodies = test::random_bodies(count, 8);
  const auto watched = engine_with(settings_of(GetParam()), bodies);
  const auto left_alone = engine_with(settings_of(GetParam()), bodies);
  for (Engine* engine : {watched.get(), left_alone.get()}) {
    engine->apply(
        {Operation::accelerate(0), Operation::drift(0.01), Operation::accelerate(0.01, some())});
  }
  watched->energies(0), watched->accelerations(0);
  for (Engine* engine : {watched.get(), left_alone.get()}) engine->apply({Operation::kick(0.01)});
  EXPECT_EQ(watched->save_state(), left_alone->save_state());
}

TEST(HostEngine, a_body_that_is_not_there_is_refused_before_anything_moves) {
  const Bodies bodies = test::random_bodies(5);
  const auto engine = engine_with(settings_of(Precision::f64), bodies);
  expect_error(ExitCode::bad_data, "kick of body 5: there are 5 bodies", [&] {
    engine->apply({Operation::drift(1), Operation::kick(1, ActiveBodies::only({2, 5}))});
  });
  EXPECT_EQ(stored(*engine), bodies);
}

TEST(OpenclEngine, refuses_operations_of_some_bodies_and_names_who_takes_them) {
  APSIS_NEED_DEVICE();
  for (const std::string device : {"opencl:0", "opencl:0/2"}) {
    auto settings = settings_of(Precision::f32);
    settings.device.name = device;
    std::unique_ptr<Engine> engine;
    try {
      engine = make_loaded_engine(settings, test::random_bodies(100)).engine;
    } catch (const Error& error) {
      ASSERT_EQ(device, "opencl:0/2") << error.what();  // where devices have no halves
      continue;
    }
    const Bodies before = stored(*engine);
    expect_error(ExitCode::unavailable, "drift of 2 bodies alone", [&] {
      engine->apply({Operation::drift(1), Operation::drift(1, ActiveBodies::only({1, 2}))});
    });
    EXPECT_EQ(stored(*engine), before) << device;
  }
}

TEST(OpenclEngine, refuses_a_prediction_before_the_last_one_was_accepted) {
  APSIS_NEED_DEVICE();
  auto settings = settings_of(Precision::f32);
  settings.device.name = "opencl:0";
  const auto engine = make_loaded_engine(settings, test::random_bodies(100)).engine;
  engine->apply({Operation::accelerate_with_jerk(0), Operation::predict(0.1)});
  expect_error(ExitCode::unavailable, "before the last one was accepted",
               [&] { engine->apply({Operation::predict(0.2)}); });
}

}  // namespace
}  // namespace apsis

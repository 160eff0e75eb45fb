// SPDX-License-Identifier: MIT
// What engines, their saved states and orders of bodies make of the columns of bodies.
#include "files/expect_error.hpp"
#include <apsis/core/columns.hpp>
#include <apsis/engines/body_order.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/opencl_engine.hpp>
#include <apsis/engines/state_arrays.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/columns.hpp>
#include <support/devices.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace apsis {
namespace {

std::unique_ptr<Engine> engine_of(Precision precision, Law law = Law::gravity) {
  return make_engine(
      {.force = {.law = law, .softening = 0.05}, .device = {.precision = precision, .threads = 1}});
}

Bodies stored(Engine& engine) {
  Bodies bodies;
  engine.store(bodies);
  return bodies;
}

std::vector<std::string> names_in(const EngineState& state) {
  std::vector<std::string> names;
  for (const StateArray& array : state.arrays) names.push_back(array.name);
  return names;
}

TEST(EngineColumns, all_of_them_come_back_from_an_engine_and_from_its_saved_state) {
  for (const Precision precision : {Precision::f32, Precision::mixed, Precision::f64}) {
    for (const Law law : {Law::gravity, Law::coulomb}) {
      const Bodies bodies = test::bodies_with_everything(50);
      const auto engine = engine_of(precision, law);
      engine->load(bodies);
      EXPECT_EQ(stored(*engine), bodies) << name_of(precision);  // quarters are exact in float
      const auto resumed = engine_of(precision, law);
      resumed->restore_state(engine->save_state());
      EXPECT_EQ(stored(*resumed), bodies) << name_of(precision);
    }
  }
}

TEST(EngineColumns, other_bodies_leave_nothing_of_the_first) {
  const auto engine = engine_of(Precision::f64), other = engine_of(Precision::f64);
  const Bodies plain = test::random_bodies(3);
  other->load(plain);
  engine->load(test::bodies_with_everything(3));
  engine->load(plain);
  EXPECT_EQ(stored(*engine), plain);
  engine->load(test::bodies_with_everything(3));
  engine->restore_state(other->save_state());
  EXPECT_EQ(stored(*engine), plain);
}

TEST(EngineColumns, types_do_not_touch_forces) {
  Bodies bodies = test::random_bodies(200);
  const auto plain = engine_of(Precision::f64), typed = engine_of(Precision::f64);
  plain->load(bodies);
  bodies.type.assign(200, 4);
  typed->load(bodies);
  EXPECT_EQ(typed->accelerations(0), plain->accelerations(0));
  EXPECT_EQ(typed->energies(0).total(), plain->energies(0).total());
}

// As 0.1 wrote them: charges also where there are none, nothing that came later; and all constant
// columns before those of the state where bodies have everything.
TEST(SavedState, arrays_of_ordinary_bodies_are_those_of_0_1) {
  const auto engine = engine_of(Precision::f64);
  engine->load(test::random_bodies(3));
  EXPECT_THAT(
      names_in(engine->save_state()),
      testing::ElementsAre("scale", "mass", "charge", "id", "x", "y", "z", "vx", "vy", "vz"));
  engine->load(test::bodies_with_everything(3));
  std::vector<std::string> all{"scale"};
  for (const ColumnRole role : {ColumnRole::constant, ColumnRole::state}) {
    for_each_column(Bodies{}, [&](const auto& column, const auto& /*values*/) {
      if (column.role != role) return;
      all.insert(all.end(), column.components.begin(), column.components.end());
    });
  }
  EXPECT_EQ(names_in(engine->save_state()), all);
}

TEST(SavedState, types_that_there_are_not_and_too_few_of_them_are_refused) {
  const auto engine = engine_of(Precision::f64);
  engine->load(test::bodies_with_everything(3));
  const EngineState good = engine->save_state();
  const auto with = [&](std::vector<std::byte> types) {
    EngineState state = good;
    std::ranges::find(state.arrays, "type", &StateArray::name)->bytes = std::move(types);
    return state;
  };
  const auto refuses = [&](const EngineState& state, const std::string& reason) {
    expect_error(ExitCode::bad_data, reason, [&] { engine->restore_state(state); });
  };
  refuses(with({std::byte{1}, std::byte{16}, std::byte{1}}), "array 'type' has a type");
  refuses(with({std::byte{1}, std::byte{1}}), "array 'type' has 2 bytes");
  EXPECT_NO_THROW(engine->restore_state(good));
}

TEST(BodyOrder, carries_every_column_there_and_back) {
  Bodies bodies = test::bodies_with_everything(100);
  const Bodies random = test::random_bodies(100);
  bodies.positions = random.positions;  // so that the curve leads elsewhere
  const BodyOrder order = BodyOrder::along_curve(bodies.positions);
  const Bodies ordered = order.applied(bodies);
  ASSERT_NE(ordered.id, bodies.id);
  const auto numbers = order.numbers();
  const test::Marks before = test::marks_of(bodies), after = test::marks_of(ordered);
  for (const auto& [name, values] : before) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(after.at(name)[static_cast<std::size_t>(numbers[i])], values[i]) << name;
    }
  }
  Bodies back = ordered;
  order.undo(back);
  EXPECT_EQ(back, bodies);
}

TEST(BodyOrder, carries_saved_states_like_bodies) {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    Bodies bodies = test::bodies_with_everything(64);
    bodies.positions = test::random_bodies(64).positions;
    const auto engine = engine_of(precision);
    engine->load(bodies);
    bodies = stored(*engine);
    const EngineState state = engine->save_state();
    const BodyOrder order = BodyOrder::along_curve(state);
    engine->restore_state(order.applied(state));
    EXPECT_EQ(stored(*engine), order.applied(bodies));
    EngineState back = order.applied(state);
    order.undo(back);
    EXPECT_EQ(back, state);
  }
}

TEST(EngineColumnsOpencl, all_of_them_come_back_from_a_device_and_its_saved_state) {
  APSIS_NEED_DEVICE();
  const DeviceInfo& device = test::discovery().devices.front();
  const Bodies bodies = test::bodies_with_everything(300);
  for (const Law law : {Law::gravity, Law::coulomb}) {
    const EngineSettings settings{.force = {.law = law, .softening = 0.05, .solver = "direct"}};
    OpenclEngine one(device, settings), resumed(device, settings);
    one.load(bodies);
    EXPECT_EQ(stored(one), bodies);
    resumed.restore_state(one.save_state());
    EXPECT_EQ(stored(resumed), bodies);
  }
}

}  // namespace
}  // namespace apsis

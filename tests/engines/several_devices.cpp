// SPDX-License-Identifier: MIT
// Several devices against one: the same bits in `reproducible` mode, whatever the split, and the
// same forces to rounding otherwise. Two halves of the first device stand for two devices; with
// APSIS_TEST_DEVICES = "opencl:0,opencl:1" in the environment it is those.
#include <apsis/core/error.hpp>
#include <apsis/engines/several_devices.hpp>
#include <apsis/engines/split.hpp>
#include <apsis/integrators/integrator.hpp>

#include <engines/far_away.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/columns.hpp>
#include <support/devices.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace apsis {
namespace {

std::vector<DeviceInfo> devices_under_test() {
  const char* named = std::getenv("APSIS_TEST_DEVICES");
  return chosen_devices(named == nullptr ? "opencl:0/2" : named);
}

// Why there are no two devices here; empty where there are.
std::string why_not() {
  try {
    devices_under_test();
  } catch (const Error& error) {
    return std::string("two devices are not there: ") + error.what();
  }
  return {};
}

struct Task {
  Precision precision = Precision::f32;
  bool reproducible = false, charged = false;
  std::string solver = "direct", variant;
  SolverChoice choice;
};

EngineSettings settings_for(const Task& task, std::size_t n) {
  const auto count = static_cast<double>(std::max<std::size_t>(n, 1));
  return {.force = {.law = task.charged ? Law::coulomb : Law::gravity,
                    .constant = task.charged ? 1 / (count * count) : 1.0,
                    .softening = 0.05,
                    .solver = task.solver},
          .device = {.precision = task.precision,
                     .reproducible = task.reproducible,
                     .variant = task.variant},
          .choice = task.choice};
}

std::unique_ptr<Engine> one_device(const Task& task, std::size_t n) {
  return std::make_unique<OpenclEngine>(devices_under_test().front(), settings_for(task, n));
}

std::unique_ptr<SeveralDevicesEngine> several(const Task& task, std::size_t n, Shares shares = {}) {
  std::vector<PlannedDevice> devices;
  for (const DeviceInfo& device : devices_under_test()) {
    devices.push_back({device, settings_for(task, n)});
  }
  return std::make_unique<SeveralDevicesEngine>(devices, std::move(shares));
}

void run_steps(Engine& engine, const std::string& integrator, int steps) {
  const auto operations = integrator_named(integrator).step(0, 0.01);
  for (int i = 0; i < steps; ++i) engine.apply(operations);
}

// "" for equal states, else the first array that differs.
std::string difference(const EngineState& a, const EngineState& b) {
  if (a.bodies != b.bodies || a.arrays.size() != b.arrays.size()) return "another set of arrays";
  for (std::size_t i = 0; i < a.arrays.size(); ++i) {
    if (!(a.arrays[i] == b.arrays[i])) return a.arrays[i].name + " differs";
  }
  return {};
}

double largest_error(const Accelerations& got, const Accelerations& wanted) {
  double largest = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    largest = std::max(largest, norm(wanted.at(i) - got.at(i)) / norm(wanted.at(i)));
  }
  return largest;
}

// All to one, all to the other, uneven ones.
std::vector<Shares> splits_of(std::size_t n) {
  std::vector<Shares> splits{{}};
  for (const std::size_t first : {std::size_t{0}, n, n / 3, n - n / 7}) {
    splits.push_back({first, n - first});
  }
  return splits;
}

class SeveralDevicesTest : public testing::TestWithParam<Precision> {
 protected:
  void SetUp() override {
    if (const std::string why = why_not(); !why.empty()) GTEST_SKIP() << why;
    if (GetParam() != Precision::f32 && !devices_under_test().front().has_double) {
      GTEST_SKIP() << devices_under_test().front().name << " has no double precision";
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Precisions, SeveralDevicesTest,
                         testing::Values(Precision::f32, Precision::mixed, Precision::f64),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

TEST_P(SeveralDevicesTest, every_integrator_has_the_bits_of_one_device_where_that_is_asked_for) {
  for (const std::size_t n : {0, 1, 5, 300}) {
    for (const bool charged : {false, true}) {
      const Task task{.precision = GetParam(), .reproducible = true, .charged = charged};
      const Bodies bodies = test::random_bodies(n, 3, charged);
      for (const auto& name : integrator_names()) {
        const auto one = one_device(task, n);
        const auto two = several(task, n);
        one->load(bodies), two->load(bodies);
        run_steps(*one, name, 3), run_steps(*two, name, 3);
        EXPECT_EQ(difference(two->save_state(), one->save_state()), "") << name << " " << n;
      }
    }
  }
}

TEST_P(SeveralDevicesTest, no_split_changes_a_bit_of_a_reproducible_run) {
  for (const std::size_t n : {1, 5, 1000, 4097}) {
    const Task task{.precision = GetParam(), .reproducible = true};
    const Bodies bodies = test::random_bodies(n, 7);
    const auto one = one_device(task, n);
    one->load(bodies);
    run_steps(*one, "leapfrog", 3);
    const Energies energies = one->energies(0);
    for (const Shares& split : splits_of(n)) {
      const auto two = several(task, n, split);
      two->load(bodies);
      run_steps(*two, "leapfrog", 3);
      EXPECT_EQ(difference(two->save_state(), one->save_state()), "")
          << n << " " << to_string(split);
      EXPECT_EQ(two->energies(0).potential, energies.potential) << n << " " << to_string(split);
      EXPECT_EQ(two->energies(0).kinetic, energies.kinetic) << n << " " << to_string(split);
    }
  }
}

TEST_P(SeveralDevicesTest, forces_agree_with_those_of_one_device_to_rounding) {
  // float pairs and sums of a few thousand bodies: DESIGN's bound for f32 is 5e-6
  const double tolerance = GetParam() == Precision::f64 ? 1e-13 : 5e-6;
  for (const std::size_t n : {2, 5, 1000, 4097}) {
    const Task task{.precision = GetParam()};
    const Bodies bodies = test::random_bodies(n, 11);
    const auto one = one_device(task, n);
    one->load(bodies);
    for (const Shares& split : splits_of(n)) {
      const auto two = several(task, n, split);
      two->load(bodies);
      EXPECT_LT(largest_error(two->accelerations(0), one->accelerations(0)), tolerance)
          << n << " " << to_string(split);
    }
  }
}

TEST_P(SeveralDevicesTest, looks_change_nothing) {
  const Task task{.precision = GetParam()};
  const Bodies bodies = test::random_bodies(300, 8);
  for (const auto& name : integrator_names()) {
    const auto watched = several(task, 300), left_alone = several(task, 300);
    watched->load(bodies), left_alone->load(bodies);
    for (int i = 0; i < 4; ++i) {
      run_steps(*watched, name, 1);
      watched->energies(0);
      watched->accelerations(0);
      EXPECT_TRUE(watched->finite());
      watched->finish();
    }
    run_steps(*left_alone, name, 4);
    EXPECT_EQ(difference(watched->save_state(), left_alone->save_state()), "") << name;
  }
}

TEST_P(SeveralDevicesTest, a_saved_state_goes_on_with_the_same_bits_on_one_device_or_several) {
  const Bodies bodies = test::random_bodies(500, 5, true);
  const Task task{.precision = GetParam(), .reproducible = true, .charged = true};
  for (const char* name : {"leapfrog", "hermite4"}) {
    const auto first = several(task, 500, {100, 400});
    first->load(bodies);
    run_steps(*first, name, 3);
    const EngineState saved = first->save_state();
    run_steps(*first, name, 3);
    const auto second = several(task, 500, {100, 400}), other = several(task, 500, {300, 200});
    const auto alone = one_device(task, 500);
    for (Engine* engine : std::initializer_list<Engine*>{second.get(), other.get(), alone.get()}) {
      engine->restore_state(saved);
      run_steps(*engine, name, 3);
      EXPECT_EQ(difference(engine->save_state(), first->save_state()), "") << name;
    }
  }
}

TEST_P(SeveralDevicesTest, bins_have_the_bits_of_one_device) {
  for (const std::size_t n : {1, 5, 1000, 4097}) {
    for (const bool charged : {false, true}) {
      const Task task{.precision = GetParam(), .charged = charged, .solver = "bins"};
      const Bodies bodies = test::random_bodies(n, 13, charged);
      const auto one = one_device(task, n);
      const auto two = several(task, n, {n / 3, n - n / 3});
      one->load(bodies), two->load(bodies);
      run_steps(*one, "leapfrog", 3), run_steps(*two, "leapfrog", 3);
      EXPECT_EQ(difference(two->save_state(), one->save_state()), "") << n << charged;
      EXPECT_EQ(two->energies(0).potential, one->energies(0).potential) << n << charged;
    }
  }
}

// Devices have the bodies along a curve, and sum in the user's order all the same.
TEST_P(SeveralDevicesTest, trees_have_the_bits_of_one_device) {
  if (GetParam() == Precision::f64) GTEST_SKIP() << "tree and fmm work in f32 and mixed on devices";
  for (const char* solver : {"tree", "fmm"}) {
    for (const bool reproducible : {false, true}) {
      for (const std::size_t n : {1, 2, 5, 1000, 4097}) {
        const Task task{.precision = GetParam(), .reproducible = reproducible, .solver = solver};
        const Bodies bodies = test::random_bodies(n, 29);
        const auto one = one_device(task, n);
        const auto two = several(task, n, {n / 3, n - n / 3});
        one->load(bodies), two->load(bodies);
        run_steps(*one, "leapfrog", 3), run_steps(*two, "leapfrog", 3);
        EXPECT_EQ(difference(two->save_state(), one->save_state()), "") << solver << " " << n;
        EXPECT_EQ(two->accelerations(0), one->accelerations(0)) << solver << " " << n;
        EXPECT_EQ(two->energies(0).kinetic, one->energies(0).kinetic) << solver << " " << n;
        EXPECT_EQ(two->energies(0).potential, one->energies(0).potential) << solver << " " << n;
      }
    }
  }
}

TEST_P(SeveralDevicesTest, trees_have_the_bits_of_one_device_with_a_body_far_away) {
  if (GetParam() == Precision::f64) GTEST_SKIP() << "tree and fmm work in f32 and mixed on devices";
  for (const char* solver : {"tree", "fmm"}) {
    const std::size_t n = 1000;
    const Task task{.precision = GetParam(), .solver = solver};
    const Bodies bodies = test::with_one_away(test::random_bodies(n, 29), 1e12);
    const auto one = one_device(task, n);
    const auto two = several(task, n, {n / 3, n - n / 3});
    one->load(bodies), two->load(bodies);
    run_steps(*one, "leapfrog", 3), run_steps(*two, "leapfrog", 3);
    EXPECT_EQ(difference(two->save_state(), one->save_state()), "") << solver;
  }
}

// Another split and, since bodies have moved, another curve.
TEST_P(SeveralDevicesTest, trees_go_on_with_the_same_bits) {
  if (GetParam() == Precision::f64) GTEST_SKIP() << "tree and fmm work in f32 and mixed on devices";
  for (const char* solver : {"tree", "fmm"}) {
    const std::size_t n = 1000;
    Task task{.precision = GetParam(), .solver = solver};
    const Bodies bodies = test::random_bodies(n, 31);
    const auto two = several(task, n, {n / 3, n - n / 3});
    two->load(bodies);
    run_steps(*two, "leapfrog", 2);
    Bodies back;
    two->store(back);
    EXPECT_EQ(back.id, bodies.id) << solver;
    task.choice = two->describe().devices.front().choice;
    const auto again = several(task, n, {n / 2, n - n / 2});
    again->restore_state(two->save_state());
    EXPECT_EQ(difference(again->save_state(), two->save_state()), "") << solver;
    run_steps(*two, "leapfrog", 2), run_steps(*again, "leapfrog", 2);
    EXPECT_EQ(difference(again->save_state(), two->save_state()), "") << solver;
  }
}

TEST_P(SeveralDevicesTest, every_column_comes_back) {
  for (const char* solver : {"direct", "fmm"}) {  // in the order of the bodies, along a curve
    if (solver == std::string_view("fmm") && GetParam() == Precision::f64) continue;
    const Task task{.precision = GetParam(), .solver = solver};
    Bodies bodies = test::bodies_with_everything(300), got;
    const auto engine = several(task, 300), resumed = several(task, 300);
    engine->load(bodies);
    engine->store(got);
    EXPECT_EQ(got, bodies) << solver;  // quarters are exact in float
    resumed->restore_state(engine->save_state());
    resumed->store(got);
    EXPECT_EQ(got, bodies) << solver;
  }
}

TEST_P(SeveralDevicesTest, gives_back_what_was_loaded_to_its_precision) {
  const Bodies bodies = test::random_bodies(100, 3, true);
  const auto engine = several({.precision = GetParam()}, 100);
  engine->load(bodies);
  Bodies back;
  engine->store(back);
  EXPECT_EQ(back.id, bodies.id);
  EXPECT_EQ(back.mass, bodies.mass);
  EXPECT_EQ(back.charge, bodies.charge);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    // float keeps 24 bits; powers of two in between lose none
    EXPECT_NEAR(back.x()[i], bodies.x()[i], GetParam() == Precision::f32 ? 1e-7 : 0);
  }
}

// A solver that takes a device several times as long: it does everything so often.
class SlowSolver final : public Solver<Device> {
 public:
  SlowSolver(std::unique_ptr<Solver<Device>> solver, int times)
      : solver_(std::move(solver)), times_(times) {}

  void add_field(const Bodies& sources, const Bodies& targets, const FieldOf& field) override {
    const int used = field.field->used;
    for (int i = 0; i < times_; ++i) {
      field.field->used = used;  // over what was there before
      solver_->add_field(sources, targets, field);
    }
  }
  void add_self_field(const Bodies& bodies, const FieldOf& field) override {
    solver_->add_self_field(bodies, field);
  }
  bool sums_by_parts() const override { return solver_->sums_by_parts(); }
  std::string name() const override { return solver_->name(); }
  std::string variant() const override { return solver_->variant(); }
  SolverChoice chosen() const override { return solver_->chosen(); }

 private:
  std::unique_ptr<Solver<Device>> solver_;
  int times_;
};

class SeveralDevicesMeasured : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_not(); !why.empty()) GTEST_SKIP() << why;
  }
};

// Four times as slow. Other programs disturb the clock, so only the direction is a claim.
TEST_F(SeveralDevicesMeasured, a_slow_device_gets_the_smaller_share_and_the_forces_stay) {
  const std::size_t n = 8192;
  const Task task{.precision = Precision::f32, .reproducible = true};
  std::vector<PlannedDevice> devices;
  for (const DeviceInfo& device : devices_under_test()) {
    devices.push_back({device, settings_for(task, n)});
  }
  int made = 0;
  SeveralDevicesEngine engine(devices, {}, [&](device::Context& context, const auto& settings) {
    auto solver = solver_named("direct").make_on_device(context, settings);
    return std::make_unique<SlowSolver>(std::move(solver), made++ == 0 ? 4 : 1);
  });
  const Bodies bodies = test::random_bodies(n, 17);
  engine.load(bodies);
  const Shares shares = measured_shares(engine);
  EXPECT_LT(shares[0], shares[1] / 2) << to_string(shares);
  EXPECT_GT(shares[0], 0U) << to_string(shares);
  EXPECT_EQ(engine.describe().split(), to_string(shares));
  const auto one = one_device(task, n);
  one->load(bodies);
  run_steps(engine, "leapfrog", 2), run_steps(*one, "leapfrog", 2);
  EXPECT_EQ(difference(engine.save_state(), one->save_state()), "");
}

TEST_F(SeveralDevicesMeasured, what_was_resolved_is_taken_up_again_with_its_split) {
  const Bodies bodies = test::random_bodies(600, 19);
  const EngineSettings settings{.force = {.softening = 0.05, .solver = "direct"},
                                .device = {.precision = Precision::f32}};
  const auto first = several({}, 600, {200, 400});
  first->load(bodies);
  run_steps(*first, "leapfrog", 2);
  const Resolution before = first->describe();
  const auto plan = plan_from(settings, before);
  ASSERT_TRUE(plan);
  const auto again = build(*plan);
  again->restore_state(first->save_state());
  EXPECT_EQ(again->describe().split(), "200 400");
  EXPECT_EQ(again->describe(), before);
  run_steps(*first, "leapfrog", 2), run_steps(*again, "leapfrog", 2);
  EXPECT_EQ(difference(again->save_state(), first->save_state()), "");
}

TEST_F(SeveralDevicesMeasured, devices_that_are_gone_leave_the_others) {
  const std::string there = devices_under_test().front().name;
  Resolution recorded{
      .solver = "direct",
      .bodies = 7,
      .devices = {{.device = there, .driver = devices_under_test().front().driver, .bodies = 3},
                  {.device = "Voodoo 2", .driver = "1.0", .bodies = 4}}};
  EXPECT_FALSE(plan_from({.device = {.precision = Precision::f64}}, recorded));
  ASSERT_EQ(devices_left(recorded).size(), 1U);
  EXPECT_EQ(word_for(devices_left(recorded).front()), word_for(devices_under_test().front()));
  recorded.devices.erase(recorded.devices.begin());
  EXPECT_TRUE(devices_left(recorded).empty());
}

class DeepSeveralDevices : public SeveralDevicesMeasured {};

TEST_F(DeepSeveralDevices, have_the_bits_of_one_at_65537_bodies) {
  const std::size_t n = 65537;
  const Bodies bodies = test::random_bodies(n, 23);
  for (const char* solver : {"direct", "tree", "fmm"}) {
    for (const bool reproducible : {true, false}) {
      const Task task{.reproducible = reproducible, .solver = solver};
      const auto one = one_device(task, n);
      const auto two = several(task, n, {40001, 25536});
      one->load(bodies), two->load(bodies);
      // one after the other: to PoCL they are two users of the first device, see ADR 13
      run_steps(*one, "leapfrog", 1), one->finish();
      run_steps(*two, "leapfrog", 1);
      if (reproducible || task.solver != "direct") {
        EXPECT_EQ(difference(two->save_state(), one->save_state()), "") << solver;
      } else {  // sources are cut into other parts
        EXPECT_LT(largest_error(two->accelerations(0), one->accelerations(0)), 5e-6);
      }
    }
  }
}

}  // namespace
}  // namespace apsis

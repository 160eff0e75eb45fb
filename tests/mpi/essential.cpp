// SPDX-License-Identifier: MIT
// tree and fmm over ranks that import cells from each other. What they import is tested in
// solvers/tree_shared.cpp, with threads in place of ranks.
#include "files/expect_error.hpp"
#include "on_ranks.hpp"
#include <apsis/core/error.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace apsis {
namespace {

using test::all_ranks, test::alone, test::spread, test::take_steps;

EngineSettings far_settings(const std::string& solver, Precision precision, double softening,
                            Law law = Law::gravity) {
  EngineSettings settings = test::settings_of(precision, softening, law);
  settings.force.solver = solver;
  return settings;
}

// The 99 % error, over at least a typical force: bodies in a cube have forces that cancel.
double error_of(const Accelerations& got, const Accelerations& expected) {
  std::vector<double> errors;
  double square = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    square += norm(expected.at(i)) * norm(expected.at(i));
  }
  const double rms = std::sqrt(square / std::max<double>(1, static_cast<double>(expected.size())));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double size = std::max(rms, norm(expected.at(i)));
    errors.push_back(size > 0 ? norm(got.at(i) - expected.at(i)) / size : 0);
  }
  if (errors.empty()) return 0;
  std::sort(errors.begin(), errors.end());
  return errors[(errors.size() * 99 + 99) / 100 - 1];
}

class EssentialCells : public testing::TestWithParam<const char*> {};
class DeepEssentialCells : public EssentialCells {};

TEST_P(EssentialCells, forces_are_those_of_all_bodies_to_the_accuracy) {
  for (const std::size_t n : {0, 1, 2, 5, 1000, 4097}) {
    for (const Precision precision : {Precision::f32, Precision::mixed}) {
      for (const Law law : {Law::gravity, Law::coulomb}) {
        auto settings = far_settings(GetParam(), precision, 0.02, law);
        const Bodies bodies = test::random_bodies(n, 3, law == Law::coulomb);
        const Accelerations got = spread(settings, bodies)->accelerations(0);
        ASSERT_EQ(got.size(), n);
        settings.force.solver = "direct";
        EXPECT_LE(error_of(got, alone(settings, bodies)->accelerations(0)), 1e-3) << n << " bodies";
      }
    }
  }
}

TEST_P(EssentialCells, a_wished_accuracy_is_kept) {
  const Bodies bodies = test::random_bodies(20000);
  auto settings = far_settings(GetParam(), Precision::f32, 0.02);
  settings.force.solver = "direct";
  const Accelerations expected = alone(settings, bodies)->accelerations(0);
  settings.force.solver = GetParam();
  for (const double accuracy : {1e-2, 1e-4}) {
    settings.force.far_field.accuracy = accuracy;
    EXPECT_LE(error_of(spread(settings, bodies)->accelerations(0), expected), accuracy);
  }
}

TEST_P(EssentialCells, energies_are_those_of_all_bodies) {
  const Bodies bodies = test::random_bodies(3000);
  for (const double softening : {0.0, 0.02}) {
    auto settings = far_settings(GetParam(), Precision::mixed, softening);
    const auto many = spread(settings, bodies);
    settings.force.solver = "direct";
    const auto one = alone(settings, bodies);
    EXPECT_NEAR(many->energies(0).potential, one->energies(0).potential,
                1e-3 * std::abs(one->energies(0).potential));
    const double before = many->energies(0).total();
    take_steps(*many, "leapfrog", 20), take_steps(*one, "leapfrog", 20);
    EXPECT_NEAR(many->energies(0).total(), one->energies(0).total(), 1e-3 * std::abs(before));
  }
}

TEST_P(EssentialCells, the_same_ranks_give_the_same_bits_whenever_energies_are_asked_for) {
  const auto settings = far_settings(GetParam(), Precision::f32, 0.02);
  const Bodies bodies = test::random_bodies(3001);
  std::vector<Bodies> ends(3);
  for (std::size_t run = 0; run < ends.size(); ++run) {
    const auto many = spread(settings, bodies);
    for (int i = 0; i < 4; ++i) {
      take_steps(*many, i % 2 == 0 ? "leapfrog" : "euler", 2);
      if (run == 1) many->energies(0);
    }
    many->store(ends[run]);
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST_P(EssentialCells, a_restored_state_goes_on_with_the_same_bits) {
  const Bodies bodies = test::random_bodies(3001);
  for (const char* integrator : {"leapfrog", "euler", "rk4"}) {
    auto settings = far_settings(GetParam(), Precision::f32, 0.02);
    const auto many = spread(settings, bodies);
    take_steps(*many, integrator, 3);
    const EngineState middle = many->save_state();
    take_steps(*many, integrator, 3);
    const EngineState end = many->save_state();
    settings.choice = many->describe().devices.front().choice;
    mpi::RankEngine again(all_ranks(), mpi::settings_on_ranks(settings));
    again.restore_state(middle);
    EXPECT_TRUE(again.save_state() == middle);
    take_steps(again, integrator, 3);
    EXPECT_TRUE(again.save_state() == end) << integrator;
    // one engine can go on with it as well
    const auto one = make_engine(settings);
    one->restore_state(middle);
    EXPECT_TRUE(one->finite());
  }
}

TEST_P(EssentialCells, an_accuracy_out_of_reach_is_said_once_and_the_ranks_go_on) {
  Bodies bodies = test::random_bodies(500);
  for (std::size_t i = 0; i < 400; ++i) {  // at one place but for their last digits
    bodies.x()[i] = 0.5 + 1e-9 * static_cast<double>(i), bodies.y()[i] = bodies.z()[i] = 0.25;
  }
  const auto settings = far_settings(GetParam(), Precision::f32, 0.5);
  try {
    spread(settings, bodies)->accelerations(0);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
  }
  EXPECT_TRUE(spread(settings, test::random_bodies(100))->finite());
}

INSTANTIATE_TEST_SUITE_P(Solvers, EssentialCells, testing::Values("tree", "fmm"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(DeepEssentialCells, a_thousand_steps_keep_the_energy_of_one_engine) {
  const auto settings = far_settings(GetParam(), Precision::f32, 0.05);
  const Bodies bodies = test::random_bodies(2000);
  const auto one = alone(settings, bodies);
  const auto many = spread(settings, bodies);
  take_steps(*one, "leapfrog", 1000), take_steps(*many, "leapfrog", 1000);
  const double expected = one->energies(0).total();
  EXPECT_NEAR(many->energies(0).total(), expected, 1e-3 * std::abs(expected));
}
INSTANTIATE_TEST_SUITE_P(DeepSolvers, DeepEssentialCells, testing::Values("tree", "fmm"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace apsis

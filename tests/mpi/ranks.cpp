// SPDX-License-Identifier: MIT
// An engine whose bodies are spread over ranks against one that has them all. Started by mpirun
// with 1, 2, 3 and 4 ranks: rank 0 runs the tests, the others follow it.
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include "on_ranks.hpp"
#include <apsis/core/error.hpp>
#include <apsis/mpi/curve_shares.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/columns.hpp>
#include <support/external_fields.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace apsis {
namespace {

using test::all_ranks, test::alone, test::settings_of, test::spread, test::take_steps,
    test::worst_difference;

mpi::Communicator* joined = nullptr;

EngineSettings reproducible(EngineSettings settings) {
  settings.device.reproducible = true;
  return mpi::settings_on_ranks(settings);
}

const std::vector<std::size_t> sizes{0, 1, 3, 5, 1000, 4097};

class Ranks : public testing::TestWithParam<Precision> {
 protected:
  // Sums in another order differ by a few roundings of the largest terms; see solvers/direct_host.
  double rounding() const { return GetParam() == Precision::f64 ? 2e-14 : 2e-6; }
};

TEST_P(Ranks, forces_are_those_of_one_engine) {
  for (const std::size_t n : sizes) {
    for (const double softening : {0.0, 0.02}) {
      for (const Law law : {Law::gravity, Law::coulomb}) {
        const auto settings = settings_of(GetParam(), softening, law);
        const Bodies bodies = test::random_bodies(n, 3, law == Law::coulomb);
        const Accelerations got = spread(settings, bodies)->accelerations(0);
        ASSERT_EQ(got.size(), n);
        EXPECT_LE(worst_difference(got, alone(settings, bodies)->accelerations(0)), rounding())
            << n << " bodies, softening " << softening;
      }
    }
  }
}

TEST_P(Ranks, reproducible_forces_have_the_bits_of_one_engine) {
  for (const std::size_t n : sizes) {
    for (const double softening : {0.0, 0.02}) {
      const auto settings = reproducible(settings_of(GetParam(), softening));
      const Bodies bodies = test::random_bodies(n);
      const Accelerations got = spread(settings, bodies)->accelerations(0);
      const Accelerations expected = alone(settings, bodies)->accelerations(0);
      EXPECT_EQ(got, expected) << n << " bodies";
    }
  }
}

TEST_P(Ranks, every_integrator_ends_with_the_bits_of_one_engine) {
  const auto settings = reproducible(settings_of(GetParam(), 0.02));
  const Bodies bodies = test::random_bodies(211);
  for (const std::string& integrator : integrator_names()) {
    // jerks come from sums that the compiler orders, for each target alike
    const auto one = alone(settings, bodies);
    const auto many = spread(settings, bodies);
    take_steps(*one, integrator, 3), take_steps(*many, integrator, 3);
    Bodies expected, got;
    one->store(expected), many->store(got);
    EXPECT_EQ(got, expected) << integrator;
    EXPECT_TRUE(many->finite());
  }
}

TEST_P(Ranks, external_fields_act_on_the_bodies_of_all_ranks) {
  auto settings = reproducible(settings_of(GetParam(), 0.02));
  settings.external = test::external_field("");
  const Bodies bodies = test::random_bodies(211);
  for (const char* integrator : {"leapfrog", "rk4", "hermite4"}) {
    const auto one = alone(settings, bodies);
    const auto many = spread(settings, bodies);
    take_steps(*one, integrator, 3), take_steps(*many, integrator, 3);
    Bodies expected, got;
    one->store(expected), many->store(got);
    EXPECT_EQ(got, expected) << integrator;
    EXPECT_EQ(many->energies(0.3).potential, one->energies(0.3).potential) << integrator;
    EXPECT_EQ(many->accelerations(0.3), one->accelerations(0.3)) << integrator;
  }
}

TEST_P(Ranks, energies_have_the_bits_of_one_engine) {
  for (const std::size_t n : sizes) {
    for (const double softening : {0.0, 1e-5}) {
      const auto settings = reproducible(settings_of(GetParam(), softening));
      const Bodies bodies = test::random_bodies(n);
      const Energies got = spread(settings, bodies)->energies(0);
      const Energies expected = alone(settings, bodies)->energies(0);
      EXPECT_EQ(got.kinetic, expected.kinetic);
      EXPECT_EQ(got.potential, expected.potential) << n << " bodies, softening " << softening;
      EXPECT_EQ(got.momentum, expected.momentum);
      EXPECT_EQ(got.angular_momentum, expected.angular_momentum);
      EXPECT_EQ(got.center_of_mass, expected.center_of_mass);
    }
  }
}

TEST_P(Ranks, energies_come_with_the_forces_where_they_are_asked_for_in_time) {
  const auto settings = settings_of(GetParam(), 0.05);
  const Bodies bodies = test::random_bodies(1500);
  const auto one = alone(settings, bodies);
  const auto many = spread(settings, bodies);
  for (Engine* engine : {one.get(), static_cast<Engine*>(many.get())}) {
    engine->apply({Operation::keep_potential(true)});
    take_steps(*engine, "leapfrog", 3);
  }
  const Energies got = many->energies(0), expected = one->energies(0);
  EXPECT_NEAR(got.total(), expected.total(), 10 * rounding() * std::abs(expected.potential));
}

TEST_P(Ranks, states_go_from_ranks_to_one_engine_and_back) {
  const auto settings = settings_of(GetParam(), 0.02);
  for (const std::size_t n : {0, 2, 97}) {
    const Bodies bodies = test::random_bodies(n);
    const auto many = spread(settings, bodies);
    take_steps(*many, "hermite4", 3);  // keeps derivatives
    const EngineState state = many->save_state();
    EXPECT_EQ(state.bodies, n);
    const auto one = make_engine(settings);
    one->restore_state(state);
    EXPECT_EQ(one->save_state(), state);
    mpi::RankEngine again(all_ranks(), settings);
    again.restore_state(one->save_state());
    EXPECT_EQ(again.save_state(), state);
    Bodies from_one, from_ranks;
    one->store(from_one), again.store(from_ranks);
    EXPECT_EQ(from_ranks, from_one);
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, Ranks,
                         testing::Values(Precision::f32, Precision::mixed, Precision::f64),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

TEST(RankEngine,
     reproducible_tree_fmm_and_bins_have_the_bits_of_one_engine_while_their_pieces_move) {
  for (const char* solver : {"tree", "fmm", "bins"}) {
    for (const std::size_t n : {0, 1, 5, 1000, 4097}) {
      auto settings = settings_of(n % 2 == 0 ? Precision::f32 : Precision::mixed, 0.02);
      settings.force.solver = solver, settings.device.reproducible = true;
      const Bodies bodies = test::random_bodies(n);
      const auto one = alone(settings, bodies);
      const auto many = spread(settings, bodies);
      take_steps(*one, "leapfrog", 3), take_steps(*many, "leapfrog", 3);
      Bodies expected, got;
      one->store(expected), many->store(got);
      EXPECT_EQ(got, expected) << solver << ", " << n << " bodies";
      EXPECT_EQ(many->energies(0).potential, one->energies(0).potential);
      EXPECT_EQ(many->describe().sizes(), one->describe().sizes());
    }
  }
}

// Also where some ranks have no bodies, and so no optional columns.
TEST(RankEngine, every_column_comes_back_from_the_ranks_and_from_their_saved_state) {
  for (const char* solver : {"direct", "fmm"}) {
    for (const std::size_t n : {1, 2, 5, 100}) {
      auto settings = settings_of(Precision::f64, 0.02);
      settings.force.solver = solver;
      const Bodies bodies = test::bodies_with_everything(n);
      const auto many = spread(settings, bodies);
      Bodies got;
      many->store(got);
      EXPECT_EQ(got, bodies) << solver << ", " << n << " bodies";
      const EngineState state = many->save_state();
      many->restore_state(state);
      EXPECT_EQ(many->save_state(), state) << solver << ", " << n << " bodies";
      many->store(got);
      EXPECT_EQ(got, bodies) << solver << ", " << n << " bodies";
      many->energies(0);  // which gathers them too
      many->load(test::random_bodies(n));
      many->store(got);
      EXPECT_EQ(got, test::random_bodies(n)) << solver << ", " << n << " bodies";
    }
  }
}

TEST(RankEngine, types_are_in_the_parts_of_a_checkpoint) {
  const ScratchFolder folder;
  for (const std::size_t n : {2, 50}) {
    const auto engine = spread(settings_of(Precision::f64, 0.02), test::bodies_with_everything(n));
    Checkpoint checkpoint;
    checkpoint.step = n;
    checkpoint.state = {"host f64", n, {}};
    checkpoint.parts = engine->write_parts(folder.path(), n);
    const auto file = write_checkpoint(folder.path(), checkpoint);
    EXPECT_EQ(read_checkpoint(file).state, engine->save_state());
  }
}

TEST(CurveShares, follow_the_clock_and_stay_in_order) {
  using Cuts = std::vector<std::size_t>;
  EXPECT_EQ(mpi::balanced_cuts(100, Cuts{50, 100}, std::vector<double>{1, 1}), (Cuts{50, 100}));
  // the first took three times as long: a third of its bodies too many, half of the way
  EXPECT_EQ(mpi::balanced_cuts(120, Cuts{60, 120}, std::vector<double>{3, 1}), (Cuts{50, 120}));
  EXPECT_EQ(mpi::balanced_cuts(0, Cuts{0, 0}, std::vector<double>{0, 0}), (Cuts{0, 0}));
  Cuts cuts{25, 50, 75, 100};
  for (int i = 0; i < 40; ++i) {  // a body costs as much as its number
    std::vector<double> seconds;
    std::size_t begin = 0;
    for (const std::size_t end : cuts) {
      seconds.push_back(static_cast<double>(end * end - begin * begin));
      begin = end;
    }
    cuts = mpi::balanced_cuts(100, cuts, seconds);
    EXPECT_TRUE(std::is_sorted(cuts.begin(), cuts.end()));
    EXPECT_EQ(cuts.back(), 100U);
  }
  EXPECT_NEAR(static_cast<double>(cuts[0]), 50, 3);  // a quarter of n² by its half
  EXPECT_NEAR(static_cast<double>(cuts[1]), 71, 3);
  EXPECT_NEAR(static_cast<double>(cuts[2]), 87, 3);
}

TEST(RankEngine, the_same_ranks_give_the_same_bits_twice) {
  const auto settings = settings_of(Precision::f32, 0.01);
  const Bodies bodies = test::random_bodies(3001);
  std::vector<EngineState> ends;
  for (int i = 0; i < 2; ++i) {
    const auto many = spread(settings, bodies);
    take_steps(*many, "leapfrog", 5);
    ends.push_back(many->save_state());
  }
  EXPECT_EQ(ends[0], ends[1]);
}

TEST(RankEngine, a_body_that_goes_astray_at_any_rank_is_seen) {
  for (const std::size_t lost : {0, 1, 2, 3}) {
    Bodies bodies = test::random_bodies(4);
    bodies.vx()[lost] = 1e300;
    const auto many = spread(settings_of(Precision::f64, 0.1), bodies);
    EXPECT_TRUE(many->finite());
    many->apply({Operation::drift(1e300)});
    EXPECT_FALSE(many->finite()) << lost;
  }
}

TEST(RankEngine, operations_of_some_bodies_are_refused_before_anybody_is_told) {
  const Bodies bodies = test::random_bodies(10);
  const auto many = spread(settings_of(Precision::f64, 0.1), bodies);
  const EngineState before = many->save_state();
  expect_error(ExitCode::unavailable, "ranks advance all bodies together", [&] {
    many->apply({Operation::drift(1), Operation::drift(1, ActiveBodies::only({1, 2}))});
  });
  EXPECT_EQ(many->save_state(), before);
}

// One message holds nearly all that is said; a batch that is longer needs a second one.
TEST(RankEngine, batches_of_any_length_arrive) {
  const auto settings = reproducible(settings_of(Precision::f64, 0.1));
  const Bodies bodies = test::random_bodies(30);
  const auto one = alone(settings, bodies);
  const auto many = spread(settings, bodies);
  std::vector<Operation> long_ones{Operation::accelerate(0)};
  for (const int slot : {0, 1, 2, 3}) long_ones.push_back(Operation::save(slot));
  for (int i = 0; i < 60; ++i) {  // of 31 bytes, and 48 for their terms
    long_ones.push_back(Operation::combine(0, {{0, 0.01}, {1, 0.02}, {2, 0.01 * i}, {3, 0.01}}));
  }
  for (Engine* engine : {one.get(), static_cast<Engine*>(many.get())}) engine->apply(long_ones);
  EXPECT_EQ(many->save_state(), one->save_state());
}

TEST(RankEngine, what_a_solver_refuses_is_said_once_and_the_ranks_go_on) {
  const Bodies bodies = test::random_bodies(500);
  auto settings = settings_of(Precision::f32, 0.01);
  settings.device.variant = "no-such-one";
  expect_error(ExitCode::bad_data, "no-such-one", [&] {
    mpi::RankEngine engine(all_ranks(), settings);
    engine.restore_state(alone(settings_of(Precision::f32, 0.01), bodies)->save_state());
  });
  EXPECT_TRUE(spread(settings_of(Precision::f32, 0.01), bodies)->finite());
}

TEST(RankEngine, a_state_whose_arrays_do_not_fit_is_refused) {
  const auto settings = settings_of(Precision::f64, 0.01);
  EngineState state = alone(settings, test::random_bodies(10))->save_state();
  for (StateArray& array : state.arrays) {
    if (array.name == "x") array.bytes.pop_back();
  }
  mpi::RankEngine engine(all_ranks(), settings);
  expect_error(ExitCode::bad_data, "array 'x'", [&] { engine.restore_state(state); });
}

TEST(RankEngine, writes_a_checkpoint_in_parts) {
  const ScratchFolder folder;
  const auto settings = settings_of(Precision::f32, 0.01);
  const auto many = spread(settings, test::random_bodies(10));
  Checkpoint checkpoint{.step = 7};
  checkpoint.state.bodies = 10;
  checkpoint.parts = many->write_parts(folder.path(), 7);
  EXPECT_EQ(checkpoint.parts.size(), static_cast<std::size_t>(all_ranks().size()));
  write_checkpoint(folder.path(), checkpoint);
  EXPECT_EQ(read_newest_checkpoint(folder.path()).checkpoint.state, many->save_state());
  expect_error(ExitCode::file_error, "none", [&] { many->write_parts(folder / "none", 8); });
}

TEST(DeepRanks, forces_of_65537_bodies_are_those_of_one_engine) {
  const Bodies bodies = test::random_bodies(65537);
  auto settings = settings_of(Precision::f32, 0.01);
  const Accelerations expected = alone(settings, bodies)->accelerations(0);
  EXPECT_LE(worst_difference(spread(settings, bodies)->accelerations(0), expected), 2e-6);
  settings.force.solver = "fmm", settings.device.reproducible = true;
  const Accelerations by_fmm = alone(settings, bodies)->accelerations(0);
  EXPECT_EQ(spread(settings, bodies)->accelerations(0), by_fmm);
}

// Sums in another order differ by roundings, which 1000 steps of 300 bodies that meet each other
// make larger; the energy is that of the same system all the same.
TEST(DeepRanks, a_thousand_steps_keep_the_energy_of_one_engine) {
  const auto settings = settings_of(Precision::f64, 0.05);
  const Bodies bodies = test::random_bodies(300);
  const auto one = alone(settings, bodies);
  const auto many = spread(settings, bodies);
  take_steps(*one, "leapfrog", 1000), take_steps(*many, "leapfrog", 1000);
  const double expected = one->energies(0).total();
  EXPECT_NEAR(many->energies(0).total(), expected, 1e-11 * std::abs(expected));
}

}  // namespace

mpi::Communicator& test::all_ranks() { return *joined; }

}  // namespace apsis

int main(int argc, char** argv) {
  apsis::mpi::Communicator ranks;
  if (ranks.rank() != 0) {
    try {
      apsis::mpi::follow(ranks);
    } catch (const apsis::Error& error) {
      fmt::print(stderr, "rank {}: {}\n", ranks.rank(), error.what());
      ranks.end_all_with(1);
    }
    return 0;
  }
  const apsis::mpi::Leader leader(ranks);
  apsis::joined = &ranks;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

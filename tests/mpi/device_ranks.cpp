// SPDX-License-Identifier: MIT
// Ranks that drive OpenCL devices against one device that has all bodies. The ranks share the first
// device, or what APSIS_TEST_DEVICES names.
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include "on_ranks.hpp"
#include <apsis/engines/split.hpp>
#include <apsis/mpi/device_choice.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/columns.hpp>
#include <support/devices.hpp>

#include <cstdlib>
#include <vector>

namespace apsis {
namespace {

using test::all_ranks, test::alone, test::take_steps, test::worst_difference;

std::string devices_under_test() {
  const char* named = std::getenv("APSIS_TEST_DEVICES");
  return named == nullptr ? "opencl:0" : named;
}

struct Task {
  const char* solver = "direct";
  Precision precision = Precision::f32;
  bool reproducible = true, charged = false;
};

EngineSettings settings_of(const Task& task) {
  return {.force = forces({task.charged ? Law::coulomb : Law::gravity, 1.0, 0.05}, task.solver),
          .device = {.name = devices_under_test(),
                     .precision = task.precision,
                     .reproducible = task.reproducible}};
}

EngineSettings on_one_device(EngineSettings settings) {
  settings.device.name = word_for(mpi::devices_to_share(settings.device.name).front());
  return settings;
}

std::unique_ptr<mpi::RankEngine> spread(const EngineSettings& settings, const Bodies& bodies,
                                        const std::vector<DeviceResolution>& recorded = {}) {
  auto engine = std::make_unique<mpi::RankEngine>(all_ranks(), settings, recorded);
  engine->load(bodies);
  return engine;
}

// All to the last rank, nothing to those between the first and the last, and uneven shares.
std::vector<Shares> splits_of(std::size_t n) {
  const auto ranks = static_cast<std::size_t>(all_ranks().size());
  Shares last(ranks, 0), outer(ranks, 0), uneven(ranks, n / (2 * ranks));
  last.back() = n;
  outer.front() = n / 2, outer.back() += n - n / 2;
  uneven.back() = n - (ranks - 1) * (n / (2 * ranks));
  return {{}, last, outer, uneven};
}

void expect_bits_of_one_device(const Task& task, std::size_t n, const char* integrator,
                               const Shares& split) {
  const EngineSettings settings = settings_of(task);
  const Bodies bodies = test::random_bodies(n, 7, task.charged);
  const auto one = alone(on_one_device(settings), bodies);
  std::vector<DeviceResolution> recorded;
  for (const std::size_t share : split) recorded.push_back({.bodies = share});
  const auto many = spread(settings, bodies, recorded);
  take_steps(*one, integrator, 3), take_steps(*many, integrator, 3);
  const std::string what = std::string(task.solver) + " " + std::string(name_of(task.precision)) +
                           ", " + integrator + ", " + std::to_string(n) + " as " + to_string(split);
  EXPECT_EQ(many->save_state(), one->save_state()) << what;
  const Energies got = many->energies(0), expected = one->energies(0);
  EXPECT_EQ(got.potential, expected.potential) << what;
  EXPECT_EQ(got.kinetic, expected.kinetic) << what;
  EXPECT_EQ(got.angular_momentum, expected.angular_momentum) << what;
  EXPECT_EQ(many->accelerations(0), one->accelerations(0)) << what;
  Bodies end, end_of_one;
  many->store(end), one->store(end_of_one);
  EXPECT_EQ(end, end_of_one) << what;
}

TEST(RankDevices, direct_sums_and_bins_have_the_bits_of_one_device_whatever_the_split) {
  APSIS_NEED_DEVICE();
  for (const char* solver : {"direct", "bins"}) {
    for (const std::size_t n : {1, 5, 1000}) {
      for (const Shares& split : splits_of(n)) {
        expect_bits_of_one_device({.solver = solver}, n, "leapfrog", split);
      }
    }
  }
  expect_bits_of_one_device({}, 0, "leapfrog", {});
  expect_bits_of_one_device({}, 4097, "leapfrog", {});
  expect_bits_of_one_device({.charged = true}, 100, "rk4", {});
  expect_bits_of_one_device({}, 100, "hermite4", {});
}

TEST(RankDevices, shares_follow_measured_speed_and_add_up) {
  APSIS_NEED_DEVICE();
  const Bodies bodies = test::random_bodies(3000);
  const auto settings = settings_of({.reproducible = false});
  const auto many = spread(settings, bodies);
  many->share_out();
  const Resolution engine = many->describe();
  EXPECT_GE(engine.devices.size(), static_cast<std::size_t>(all_ranks().size()));
  const Shares shares = shares_of(engine);
  EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), std::size_t{0}), 3000U) << engine.split();
  EXPECT_EQ(engine.ranks, all_ranks().size());
  for (const DeviceResolution& at : engine.devices) EXPECT_FALSE(at.variant.empty());
  const Accelerations expected = alone(on_one_device(settings), bodies)->accelerations(0);
  EXPECT_LE(worst_difference(many->accelerations(0), expected), 5e-6);  // DESIGN's bound for f32
  EXPECT_TRUE(many->finite());
  const auto kernel_seconds = many->instruments().kernel_seconds;
  kernel_seconds();  // counts from here on
  take_steps(*many, "leapfrog", 2);
  EXPECT_GT(kernel_seconds(), 0);
}

// Bodies lie along a curve there, but nothing that comes back shows it.
void expect_tree_of_one_device(const char* solver, Precision precision, std::size_t n) {
  auto settings = settings_of({.solver = solver, .precision = precision, .reproducible = false});
  const Bodies bodies = test::random_bodies(n, 31);
  const auto one = alone(on_one_device(settings), bodies);
  const Accelerations expected = one->accelerations(0);
  settings.choice = one->describe().devices.front().choice;
  const auto many = spread(settings, bodies);
  EXPECT_EQ(worst_difference(many->accelerations(0), expected), 0) << solver << " " << n;
  Bodies back;
  many->store(back);
  EXPECT_EQ(back.id, bodies.id) << solver << " " << n;
  EXPECT_EQ(many->save_state(), one->save_state()) << solver << " " << n;
  take_steps(*one, "leapfrog", 2), take_steps(*many, "leapfrog", 2);
  EXPECT_EQ(many->save_state(), one->save_state()) << solver << " " << n;
  EXPECT_EQ(many->energies(0).kinetic, one->energies(0).kinetic) << solver << " " << n;
  EXPECT_EQ(many->energies(0).potential, one->energies(0).potential) << solver << " " << n;
  const ScratchFolder folder;  // parts of a checkpoint are in the user's order again
  Checkpoint checkpoint{.step = 2};
  checkpoint.state.bodies = n;
  checkpoint.parts = many->write_parts(folder.path(), 2);
  write_checkpoint(folder.path(), checkpoint);
  EXPECT_EQ(read_newest_checkpoint(folder.path()).checkpoint.state, many->save_state());
}

TEST(RankDevices, fmm_has_the_bits_of_one_device_and_the_order_of_bodies) {
  APSIS_NEED_DEVICE();
  expect_tree_of_one_device("fmm", Precision::f32, 1000);
}

TEST(RankDevices, every_column_comes_back_from_the_devices_of_all_ranks) {
  APSIS_NEED_DEVICE();
  for (const char* solver : {"direct", "fmm"}) {
    const Bodies bodies = test::bodies_with_everything(300);
    const auto many = spread(settings_of({.solver = solver, .reproducible = false}), bodies);
    Bodies got;
    many->store(got);
    EXPECT_EQ(got, bodies) << solver;
    const EngineState state = many->save_state();
    many->restore_state(state);
    many->store(got);
    EXPECT_EQ(got, bodies) << solver;
  }
}

TEST(RankDevices, what_a_device_refuses_is_said_once_and_the_ranks_go_on) {
  APSIS_NEED_DEVICE();
  const Bodies bodies = test::random_bodies(100);
  EngineSettings settings = settings_of({});
  settings.device.name = "opencl:99";
  expect_error(ExitCode::unavailable, "opencl:99", [&] { spread(settings, bodies); });
  settings = settings_of({});
  settings.device.variant = "symmetric";
  expect_error(ExitCode::bad_data, "symmetric", [&] { spread(settings, bodies); });
  EXPECT_TRUE(spread(settings_of({}), bodies)->finite());
}

TEST(DevicesOfRanks, are_shared_by_many_ranks_and_dealt_out_to_few) {
  std::vector<DeviceInfo> five(5);
  for (int d = 0; d < 5; ++d) five[static_cast<std::size_t>(d)].index = d;
  const auto of = [&](int rank, int ranks) {
    std::vector<int> indices;
    for (const DeviceInfo& device : mpi::devices_of_rank(five, rank, ranks)) {
      indices.push_back(device.index);
    }
    return indices;
  };
  using Indices = std::vector<int>;
  EXPECT_EQ(of(0, 1), (Indices{0, 1, 2, 3, 4}));
  EXPECT_EQ(of(0, 2), (Indices{0, 1, 2}));
  EXPECT_EQ(of(1, 2), (Indices{3, 4}));
  EXPECT_EQ(of(4, 5), (Indices{4}));
  EXPECT_EQ(of(5, 7), (Indices{0}));
  EXPECT_EQ(of(6, 7), (Indices{1}));
}

TEST(DevicesOfRanks, a_word_without_a_number_means_all_of_its_kind) {
  APSIS_NEED_DEVICE();
  const DeviceInfo first = test::discovery().devices.front();
  for (const std::string& word : {std::string("opencl"), first.name}) {
    const auto devices = mpi::devices_to_share(word);
    EXPECT_EQ(devices.front().index, first.index);
    for (const DeviceInfo& device : devices) EXPECT_EQ(device.name, first.name);
  }
  EXPECT_EQ(mpi::devices_to_share("opencl:0").size(), 1U);
}

TEST(DeepRankDevices, every_integrator_and_solver_has_the_bits_of_one_device) {
  APSIS_NEED_DEVICE();
  for (const Precision precision : {Precision::f32, Precision::mixed, Precision::f64}) {
    for (const std::string& integrator : integrator_names()) {
      for (const bool charged : {false, true}) {
        const Task task{.precision = precision, .charged = charged};
        expect_bits_of_one_device(task, 300, integrator.c_str(), splits_of(300).back());
      }
    }
    for (const char* solver : {"bins", "tree", "fmm"}) {
      if (precision == Precision::f64 && std::string(solver) != "bins") continue;
      for (const std::size_t n : {1, 5, 1000, 4097}) {
        expect_bits_of_one_device({.solver = solver, .precision = precision}, n, "leapfrog",
                                  splits_of(n).back());
      }
    }
  }
}

TEST(DeepRankDevices, trees_have_the_bits_of_one_device_and_the_order_of_bodies) {
  APSIS_NEED_DEVICE();
  for (const Precision precision : {Precision::f32, Precision::mixed}) {
    for (const char* solver : {"tree", "fmm"}) {
      for (const std::size_t n : {2, 5, 1000, 4097}) {
        expect_tree_of_one_device(solver, precision, n);
      }
    }
  }
}

TEST(DeepRankDevices, forces_of_65537_bodies_have_the_bits_of_one_device) {
  APSIS_NEED_DEVICE();
  const Bodies bodies = test::random_bodies(65537);
  const EngineSettings settings = settings_of({});
  const auto many = spread(settings, bodies);
  many->share_out();
  EXPECT_EQ(many->accelerations(0), alone(on_one_device(settings), bodies)->accelerations(0));
}

}  // namespace
}  // namespace apsis

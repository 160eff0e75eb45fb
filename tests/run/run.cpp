// SPDX-License-Identifier: MIT
// Runs from start to end in a folder of their own: what is written, what is refused, and that a
// stopped run goes on to the same bits.
#include "run_test.hpp"
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/energy_log.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/run/run.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <run/run_folder_test.hpp>
#include <support/devices.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

namespace apsis {
namespace {

using testing::HasSubstr;

TEST_F(RunTest, writes_all_that_a_run_promises) {
  const auto begun = std::chrono::steady_clock::now();
  const RunResult result = start_run(spec("a"), false, {});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  EXPECT_EQ(result.summary.exit_code, ExitCode::done);
  EXPECT_EQ(result.summary.steps, 40U);
  EXPECT_EQ(list_files(top_ / "a", "snapshot_").size(), 5U);  // 0, 0.1, 0.2, 0.3, 0.4
  EXPECT_EQ(read_energy_log(top_ / "a/energy.csv").size(), 9U);
  EXPECT_EQ(checkpoint_files(top_ / "a").size(), 2U);
  const auto json = nlohmann::json::parse(read_text(top_ / "a/summary.json"));
  for (const char* key : {"status", "exit_code", "steps", "time", "bodies", "seconds",
                          "steps_per_second", "interactions_per_second", "energy_error_max",
                          "energy_error_end", "momentum", "angular_momentum", "center_of_mass",
                          "force_error", "resolved", "bit_identical", "files"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  // leapfrog: all pairs once a step
  EXPECT_NEAR(result.summary.interactions_per_second / result.summary.steps_per_second, 64 * 64,
              1e-6);
  EXPECT_GT(result.summary.seconds, 0);
  EXPECT_LE(result.summary.seconds, taken.count());
  EXPECT_EQ(result.summary.bodies, 64U);
  EXPECT_TRUE(result.summary.force_error);
  EXPECT_EQ(std::ranges::count(result.summary.files, "summary.json"), 1);
  EXPECT_EQ(json["bit_identical"], true);
  EXPECT_EQ(json["resolved"]["device"], "cpu");
  for (const auto& name : json["files"]) {
    EXPECT_TRUE(file_exists(top_ / "a" / name.get<std::string>())) << name;
  }
}

TEST_F(RunTest, written_spec_repeats_the_run_bit_for_bit) {
  start_run(spec("a"), false, {});
  RunSpec again = parse_run_spec(read_text(top_ / "a/spec.toml"), "spec.toml");
  again.output.directory = (top_ / "b").string();
  start_run(again, false, {});
  EXPECT_EQ(final_state(top_ / "b"), final_state(top_ / "a"));
  EXPECT_EQ(read_file(top_ / "b/energy.csv"), read_file(top_ / "a/energy.csv"));
}

TEST_F(RunTest, approximate_solvers_are_looked_at_with_every_snapshot) {
  const RunResult result =
      start_run(spec("a", {"force.solver=bins", "force.bins=6", "initial.bodies=300"}), false, {});
  EXPECT_EQ(result.summary.resolved.at("solver"), "bins");
  EXPECT_EQ(result.summary.resolved.at("sizes"), "bins=6");
  EXPECT_EQ(result.summary.interactions_per_second, 0);
  double worst = 0;
  std::set<std::string> seen;
  for (const auto& file : list_files(top_ / "a", "snapshot_")) {
    for (const auto& [name, value] : read_snapshot(file).provenance) {
      if (name == "force_error_p99") worst = std::max(worst, std::stod(value)), seen.insert(value);
    }
  }
  EXPECT_GT(seen.size(), 1U);  // not one figure for all
  EXPECT_GT(worst, 1e-4);
  EXPECT_NEAR(result.summary.force_error->p99, worst, 1e-3 * worst);
}

TEST_F(RunTest, a_stopped_run_of_an_approximate_solver_goes_on_to_the_same_bits) {
  const std::vector<std::string> keys{"force.solver=bins", "force.bins=5", "time.burst=1",
                                      "force.box=[-2, 2, -2, 2, -2, 2]"};
  start_run(spec("whole", keys), false, {});
  std::uint64_t seen = 0;
  start_run(spec("cut", keys), false, stopping_at(17, seen));
  const RunResult result = resume_run(top_ / "cut", {}, {});
  EXPECT_TRUE(result.summary.bit_identical);
  EXPECT_EQ(final_state(top_ / "cut"), final_state(top_ / "whole"));
  EXPECT_EQ(read_file(top_ / "cut/energy.csv"), read_file(top_ / "whole/energy.csv"));
  const auto error = [&](const char* folder) {
    return nlohmann::json::parse(read_text(top_ / folder / "summary.json"))["force_error"];
  };
  EXPECT_EQ(error("cut"), error("whole"));
}

TEST_F(RunTest, bodies_outside_the_box_are_told_of_once) {
  int told = 0;
  RunListener listener;
  listener.warning = [&](const Warning& warning) {
    if (warning.code == WarningCode::bodies_outside_box) ++told;
  };
  start_run(spec("a", {"force.solver=bins", "force.box=[-0.1, 0.1, -0.1, 0.1, -0.1, 0.1]"}), false,
            listener);
  EXPECT_EQ(told, 1);
}

TEST_F(RunTest, hermite4_names_the_solvers_that_give_jerks) {
  std::string text;
  EXPECT_EQ(
      code_of(
          [&] {
            start_run(spec("a", {"force.solver=bins", "time.integrator=hermite4"}), false, {});
          },
          &text),
      ExitCode::bad_data);
  EXPECT_THAT(text, HasSubstr("use solver direct or reference"));
}

TEST_F(RunTest, results_depend_neither_on_burst_nor_on_what_is_written_nor_on_threads) {
  start_run(spec("a"), false, {});
  start_run(spec("b", {"time.burst=1", "output.snapshot_every=0.03", "device.threads=1",
                       "output.checkpoint_steps=7"}),
            false, {});
  EXPECT_EQ(final_state(top_ / "b"), final_state(top_ / "a"));
  EXPECT_EQ(read_file(top_ / "b/energy.csv"), read_file(top_ / "a/energy.csv"));
}

TEST_F(RunTest, a_folder_that_holds_a_run_is_refused_and_force_replaces_it) {
  start_run(spec("a"), false, {});
  write_text(top_ / "a/notes.txt", "mine");
  std::string text;
  EXPECT_EQ(code_of([&] { start_run(spec("a"), false, {}); }, &text), ExitCode::bad_data);
  EXPECT_THAT(text, testing::AllOf(HasSubstr("already holds a run"), HasSubstr("--resume"),
                                   HasSubstr("--force")));
  start_run(spec("a", {"output.snapshot_every=0"}), true, {});
  EXPECT_EQ(list_files(top_ / "a", "snapshot_").size(), 2U);  // the old five are gone
  EXPECT_TRUE(file_exists(top_ / "a/notes.txt"));
}

TEST_F(RunTest, no_bodies_one_body_and_no_time_work) {
  for (const char* bodies : {"initial.bodies=0", "initial.bodies=1"}) {
    const auto result = start_run(spec(bodies, {bodies}), false, {});
    EXPECT_EQ(result.summary.exit_code, ExitCode::done);
    EXPECT_EQ(result.summary.energy_error_max, 0);
  }
  EXPECT_EQ(start_run(spec("zero", {"time.until=0"}), false, {}).summary.steps, 0U);
}

TEST_F(RunTest, more_bodies_than_memory_are_refused_with_the_number_that_fits) {
  std::string text;
  EXPECT_EQ(
      code_of([&] { start_run(spec("a", {"initial.bodies=1000000000000"}), false, {}); }, &text),
      ExitCode::bad_data);
  EXPECT_THAT(text, HasSubstr("bodies fit"));
  EXPECT_FALSE(folder_exists(top_ / "a"));
}

TEST_F(RunTest, energy_limit_ends_it_with_76_and_keeps_the_checkpoint) {
  const auto result =
      start_run(spec("a", {"time.energy_limit=1e-12", "time.step=0.1", "time.until=4"}), false, {});
  EXPECT_EQ(result.summary.exit_code, ExitCode::numbers_went_bad);
  EXPECT_THAT(result.message, HasSubstr("exceeds time.energy_limit"));
  EXPECT_THAT(result.message, HasSubstr("the checkpoint of step 0 is kept"));
  EXPECT_FALSE(checkpoint_files(top_ / "a").empty());
}

TEST_F(RunTest, a_file_named_stop_ends_it_with_75) {
  RunListener listener;
  listener.started = [&](const RunSpec&, const Resolution&) { write_text(top_ / "a/stop", ""); };
  const auto result =
      start_run(spec("a", {"time.until=1000", "initial.bodies=256"}), false, listener);
  EXPECT_EQ(result.summary.exit_code, ExitCode::stopped);
  EXPECT_FALSE(file_exists(top_ / "a/stop"));  // taken away, so that the run can go on
}

TEST_F(RunTest, max_minutes_ends_it_with_75) {
  const auto result =
      start_run(spec("a", {"time.until=1000", "output.max_minutes=0.005"}), false, {});
  EXPECT_EQ(result.summary.exit_code, ExitCode::stopped);
  EXPECT_THAT(result.message, HasSubstr("output.max_minutes"));
}

TEST_F(RunTest, resumed_run_can_be_prolonged_but_not_changed) {
  start_run(spec("a"), false, {});
  EXPECT_EQ(code_of([&] { resume_run(top_ / "a", {"time.step=0.1"}, {}); }), ExitCode::wrong_usage);
  const auto result = resume_run(top_ / "a", {"time.until=0.8"}, {});
  EXPECT_EQ(result.summary.steps, 80U);
  start_run(spec("b", {"time.until=0.8"}), false, {});
  EXPECT_EQ(final_state(top_ / "a"), final_state(top_ / "b"));
}

TEST_F(RunTest, on_a_device_neither_burst_nor_outputs_change_the_result) {
  APSIS_NEED_DEVICE();
  start_run(spec("a", {"device.name=opencl"}), false, {});
  start_run(spec("b", {"device.name=opencl", "time.burst=1", "output.snapshot_every=0",
                       "output.checkpoint_steps=7"}),
            false, {});
  start_run(spec("c", {"device.name=opencl", "time.burst=1000", "output.energy_every=0.01"}), false,
            {});
  EXPECT_EQ(final_state(top_ / "b"), final_state(top_ / "a"));
  EXPECT_EQ(final_state(top_ / "c"), final_state(top_ / "a"));
  EXPECT_EQ(read_file(top_ / "b/energy.csv"), read_file(top_ / "a/energy.csv"));
}

TEST_F(RunTest, variant_and_sizes_are_resolved_once_and_taken_over) {
  APSIS_NEED_DEVICE();
  start_run(spec("a", {"device.name=opencl", "device.variant=rows"}), false, {});
  const auto first = parse_run_spec(read_text(top_ / "a/spec.toml"), "spec.toml").resolved;
  EXPECT_EQ(first.at("variant"), "rows");
  EXPECT_FALSE(first.at("sizes").empty());
  resume_run(top_ / "a", {"time.until=0.5"}, {});
  EXPECT_EQ(parse_run_spec(read_text(top_ / "a/spec.toml"), "spec.toml").resolved, first);
}

TEST_F(RunTest, a_run_that_goes_bad_on_a_device_ends_with_76) {
  APSIS_NEED_DEVICE();
  const auto result =
      start_run(spec("a", {"device.name=opencl", "time.step=1e30", "time.until=1e31",
                           "time.burst=2", "output.energy_every=0", "output.snapshot_every=0"}),
                false, {});
  EXPECT_EQ(result.summary.exit_code, ExitCode::numbers_went_bad);
}

TEST_F(RunTest, resuming_nothing_says_so) {
  EXPECT_EQ(code_of([&] { resume_run(top_ / "missing", {}, {}); }), ExitCode::file_error);
  make_folder(top_ / "empty");
  EXPECT_EQ(code_of([&] { resume_run(top_ / "empty", {}, {}); }), ExitCode::bad_data);
}

TEST_F(RunTest, a_damaged_checkpoint_falls_back_to_the_one_before) {
  std::uint64_t seen = 0;
  start_run(spec("a", {"time.burst=1", "output.checkpoint_steps=5"}), false, stopping_at(23, seen));
  auto files = checkpoint_files(top_ / "a");
  ASSERT_EQ(files.size(), 2U);
  Bytes bytes = read_file(files[0]);
  bytes[bytes.size() / 2] ^= std::byte{0x10};
  write_atomically(files[0], bytes);
  std::string notices;
  RunListener listener;
  listener.warning = [&](const Warning& warning) { notices += warning.text + "\n"; };
  resume_run(top_ / "a", {}, listener);
  EXPECT_THAT(notices, HasSubstr(files[0].filename().string()));
  start_run(spec("b"), false, {});
  EXPECT_EQ(final_state(top_ / "a"), final_state(top_ / "b"));
  EXPECT_EQ(read_file(top_ / "a/energy.csv"), read_file(top_ / "b/energy.csv"));
}

// Every combination of what a run can be made of, stopped in the middle and resumed.
struct Combination {
  std::string integrator, precision, model, solver, device;
};

class ResumeTest : public RunTest, public testing::WithParamInterface<Combination> {};

TEST_P(ResumeTest, stopped_and_resumed_run_ends_with_the_bits_of_the_unbroken_one) {
  const Combination& c = GetParam();
  if (c.device != "cpu") APSIS_NEED_DEVICE();
  const std::vector<std::string> keys{"time.integrator=" + c.integrator,
                                      "device.precision=" + c.precision,
                                      "initial.model=" + c.model,
                                      "force.solver=" + c.solver,
                                      "device.name=" + c.device,
                                      "time.burst=1",
                                      "time.until=0.3",
                                      "force.softening=0.02"};
  start_run(spec("unbroken", keys), false, {});
  std::uint64_t seen = 0;
  const auto stopped = start_run(spec("broken", keys), false, stopping_at(11, seen));
  EXPECT_EQ(stopped.summary.exit_code, ExitCode::stopped);
  EXPECT_LT(stopped.summary.steps, 30U);
  const auto resumed = resume_run(top_ / "broken", {}, {});
  EXPECT_EQ(resumed.summary.exit_code, ExitCode::done);
  EXPECT_TRUE(resumed.summary.bit_identical);
  EXPECT_EQ(final_state(top_ / "broken"), final_state(top_ / "unbroken"));
  EXPECT_EQ(read_file(top_ / "broken/energy.csv"), read_file(top_ / "unbroken/energy.csv"));
}

std::vector<Combination> combinations() {
  std::vector<Combination> all;
  for (const auto& integrator : integrator_names()) {
    for (const char* precision : {"f32", "mixed", "f64"}) {
      for (const char* model : {"plummer", "lattice"}) {
        all.push_back({integrator, precision, model, "direct", "cpu"});
      }
      all.push_back({integrator, precision, "plummer", "direct", "opencl"});
    }
    all.push_back({integrator, "f64", "plummer", "reference", "cpu"});
    all.push_back({integrator, "f32", "lattice", "direct", "opencl"});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Matrix, ResumeTest, testing::ValuesIn(combinations()),
                         [](const auto& tested) {
                           const Combination& c = tested.param;
                           std::string name = fmt::format("{}_{}_{}_{}_{}", c.integrator,
                                                          c.precision, c.model, c.solver, c.device);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace apsis

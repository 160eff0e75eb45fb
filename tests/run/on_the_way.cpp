// SPDX-License-Identifier: MIT
// What a run tells and writes on its way, and how it ends.
#include "run_test.hpp"
#include <apsis/files/programs.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/energy_log.hpp>
#include <apsis/render/png.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace apsis {
namespace {

using testing::HasSubstr;

class OnTheWay : public RunTest {};

TEST_F(OnTheWay, rows_of_energies_are_in_the_file_at_once) {
  std::size_t in_file = 0;
  RunListener listener;
  listener.pace = [&](const Frame& frame) {
    if (frame.step() == 20) in_file = read_energy_log(top_ / "a/energy.csv").size();
    return 1U;
  };
  start_run(spec("a"), false, listener);
  EXPECT_EQ(in_file, 5U);  // steps 0, 5, 10, 15, 20
  const auto rows = read_energy_log(top_ / "a/energy.csv");
  EXPECT_EQ(rows.size(), 9U);
  EXPECT_EQ(rows.back().step, 40U);
}

TEST_F(OnTheWay, checkpoints_come_by_steps_or_by_minutes_or_only_at_both_ends) {
  const auto at_step_20 = [&](const std::string& folder, const std::vector<std::string>& keys) {
    std::vector<std::string> found;
    RunListener listener;
    listener.pace = [&](const Frame& frame) {
      if (frame.step() == 20) {
        for (const auto& file : checkpoint_files(top_ / folder)) found.push_back(file.filename());
      }
      return 1U;
    };
    start_run(spec(folder, keys), false, listener);
    return found;
  };
  EXPECT_THAT(at_step_20("a", {"output.checkpoint_steps=7"}),
              testing::ElementsAre("checkpoint_00000014.apsis", "checkpoint_00000007.apsis"));
  EXPECT_THAT(at_step_20("b", {}), testing::ElementsAre("checkpoint_00000000.apsis"));
  EXPECT_THAT(at_step_20("c", {"output.checkpoint_minutes=1e-12"}),
              testing::ElementsAre("checkpoint_00000020.apsis", "checkpoint_00000019.apsis"));
}

TEST_F(OnTheWay, numbers_that_are_not_finite_end_it_with_76_with_or_without_a_row) {
  for (const char* rows : {"output.energy_every=1e30", "output.energy_every=0"}) {
    const auto result = start_run(spec("a", {"device.name=cpu", "time.step=1e30", "time.until=1e31",
                                             "time.burst=1", rows, "output.snapshot_every=0"}),
                                  true, {});
    EXPECT_EQ(result.summary.exit_code, ExitCode::numbers_went_bad) << rows;
    EXPECT_EQ(result.summary.ended_by, EndedBy::not_finite) << rows;
    EXPECT_EQ(result.summary.status, "numbers went bad") << rows;
    EXPECT_FALSE(result.summary.energy_error_end) << rows;
    EXPECT_THAT(result.message, HasSubstr("not finite at step")) << rows;
  }
}

TEST_F(OnTheWay, pictures_are_made_or_it_is_said_why_not) {
  if (!pictures_available()) GTEST_SKIP() << "built without libpng";
  std::string told;
  RunListener listener;
  listener.warning = [&](const Warning& warning) { told += warning.text + "\n"; };
  const auto files = start_run(spec("a", {"output.pictures=true"}), false, listener).summary.files;
  const bool charts = find_program("gnuplot").has_value();
  EXPECT_EQ(told.find("no energy.png") == std::string::npos, charts) << told;
  for (const std::string picture : {"final.png", "strip.png", "energy.png"}) {
    const bool made = picture != "energy.png" || charts;
    EXPECT_EQ(std::ranges::count(files, picture) > 0, made) << picture;
    EXPECT_EQ(file_exists(top_ / "a" / picture), made) << picture;
  }
}

TEST_F(OnTheWay, one_that_would_fill_the_disk_is_refused_before_it_begins) {
  RunListener at_once;
  at_once.stop_requested = [] { return std::string("a test"); };
  std::string text;
  EXPECT_EQ(code_of([&] { start_run(spec("a", {"time.until=1e12"}), false, at_once); }, &text),
            ExitCode::file_error);
  EXPECT_THAT(text, testing::AllOf(HasSubstr("but the run will write about"),
                                   HasSubstr("output.snapshot_every")));
  EXPECT_FALSE(file_exists(top_ / "a/spec.toml"));
}

TEST_F(OnTheWay, progress_is_told_to_its_end) {
  std::vector<Progress> told;
  RunListener listener;
  listener.progress = [&](const Progress& progress) { told.push_back(progress); };
  start_run(spec("a"), false, listener);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front().step, 0U);
  EXPECT_EQ(told.front().seconds_left, 0);  // nothing is known yet
  const Progress& last = told.back();
  EXPECT_EQ(last.step, 40U);
  EXPECT_EQ(last.last_step, 40U);
  EXPECT_DOUBLE_EQ(last.time, 0.4);
  EXPECT_EQ(last.seconds_left, 0);
  EXPECT_GT(last.steps_per_second, 0);
  EXPECT_NEAR(last.interactions_per_second / last.steps_per_second, 64 * 64, 1e-6);
  EXPECT_TRUE(last.energy_error);
}

}  // namespace
}  // namespace apsis

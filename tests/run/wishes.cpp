// SPDX-License-Identifier: MIT
// What is asked of a run while it computes: checkpoints and the end.
#include "run_test.hpp"
#include <apsis/io/checkpoint.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace apsis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class WishTest : public RunTest {
 protected:
  // Wishes for a checkpoint at these looks (burst 1: step by step), and keeps what is
  // said of them.
  RunListener wishing_at(std::vector<std::uint64_t> looks) {
    RunListener listener;
    listener.checkpoint_requested = [looks, look = std::uint64_t{0}]() mutable {
      return std::string(std::count(looks.begin(), looks.end(), look++) > 0 ? "a test" : "");
    };
    listener.notice = [this](const std::string& text) {
      if (text.starts_with("checkpoint")) said_.push_back(text);
    };
    return listener;
  }
  std::vector<std::string> said_;
};

TEST_F(WishTest, a_checkpoint_is_written_on_request_and_the_run_goes_on_to_the_same_bits) {
  RunListener listener = wishing_at({7, 8});
  std::vector<std::string> found;
  listener.stop_requested = [&] {
    for (const auto& file : checkpoint_files(top_ / "a")) found.push_back(file.filename().string());
    return std::string{};
  };
  const RunResult result = start_run(spec("a", {"time.burst=1"}), false, listener);
  EXPECT_EQ(result.summary.exit_code, ExitCode::done);
  EXPECT_THAT(said_, ElementsAre("checkpoint of step 7 written on a test",
                                 "checkpoint of step 8 written on a test"));
  EXPECT_THAT(found, testing::Contains("checkpoint_00000007.apsis"));
  EXPECT_THAT(found, testing::Contains("checkpoint_00000008.apsis"));
  start_run(spec("b"), false, {});
  EXPECT_EQ(final_state(top_ / "a"), final_state(top_ / "b"));
  EXPECT_EQ(read_file(top_ / "a/energy.csv"), read_file(top_ / "b/energy.csv"));
}

TEST_F(WishTest, a_wish_before_the_first_step_is_granted_with_the_checkpoint_of_step_0) {
  start_run(spec("a", {"time.burst=1"}), false, wishing_at({0}));
  EXPECT_THAT(said_, ElementsAre("checkpoint of step 0 written on a test"));
}

TEST_F(WishTest, a_checkpoint_that_cannot_be_written_on_request_ends_nothing) {
  RunListener listener = wishing_at({7});
  std::vector<std::string> said;
  listener.notice = [&](const std::string& text) { said.push_back(text); };
  listener.started = [&](const RunSpec&, const Resolution&) {
    make_folder(top_ / "a/checkpoint_00000007.apsis");  // is in the way
  };
  const RunResult result = start_run(spec("a", {"time.burst=1"}), false, listener);
  EXPECT_EQ(result.summary.exit_code, ExitCode::done);
  EXPECT_EQ(result.summary.steps, 40U);
  EXPECT_THAT(said,
              testing::Contains(testing::AllOf(HasSubstr("no checkpoint on a test"),
                                               HasSubstr("its last checkpoint is of step 0"))));
}

TEST_F(WishTest, who_asked_for_the_end_is_said) {
  std::uint64_t seen = 0;
  const RunResult result = start_run(spec("a", {"time.burst=1"}), false, stopping_at(5, seen));
  EXPECT_EQ(result.message, "stopped on a test");
  EXPECT_EQ(result.summary.signal, "a test");
  EXPECT_EQ(result.summary.status, "stopped");
}

TEST_F(WishTest, a_run_that_is_held_by_a_watcher_grants_wishes_meanwhile) {
  RunListener listener = wishing_at({3});
  int held = 0;
  listener.pace = [&](const Frame& frame) { return frame.step() == 2 && ++held < 9 ? 0U : 1U; };
  start_run(spec("a"), false, listener);
  EXPECT_EQ(held, 9);
  EXPECT_THAT(said_, ElementsAre("checkpoint of step 2 written on a test"));
}

TEST_F(WishTest, a_held_run_can_be_stopped) {
  std::uint64_t seen = 0;
  RunListener listener = stopping_at(4, seen);
  listener.pace = [](const Frame& frame) { return frame.step() == 2 ? 0U : 1U; };
  const RunResult result = start_run(spec("a"), false, listener);
  EXPECT_EQ(result.summary.exit_code, ExitCode::stopped);
  EXPECT_EQ(result.summary.steps, 2U);
}

TEST_F(WishTest, a_signal_of_another_rank_is_not_heard_where_there_is_one_process) {
  RunListener listener;
  listener.heard = [](int) { FAIL(); };
  start_run(spec("a"), false, listener);
}

// Every look is made to last longer than a burst may: then each step gets one.
TEST_F(WishTest, long_steps_are_looked_at_one_by_one_whatever_the_burst) {
  std::vector<std::uint64_t> looks;
  RunListener listener;
  listener.progress = [&](const Progress& progress) {
    looks.push_back(progress.step);
    // at the start only so long that the next look is told of as well
    std::this_thread::sleep_for(std::chrono::milliseconds(progress.step == 0 ? 150 : 1050));
  };
  listener.stop_requested = [&] { return std::string(looks.size() > 2 ? "a test" : ""); };
  start_run(spec("a", {"time.burst=1000", "output.energy_every=0", "output.snapshot_every=0"}),
            false, listener);
  EXPECT_THAT(looks, ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace apsis

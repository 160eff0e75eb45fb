// SPDX-License-Identifier: MIT
// Who sees the frames of a run, in which order, and what becomes of their logs.
#include "run_test.hpp"
#include <apsis/files/append_log.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/render/png.hpp>
#include <apsis/run/observed_run.hpp>
#include <apsis/run/run_logs.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apsis {
namespace {

using testing::ElementsAre;

class ObserverTest : public RunTest {};

TEST_F(ObserverTest, those_that_are_handed_in_see_a_frame_after_the_runs_own) {
  std::vector<std::uint64_t> seen, ends;
  RunListener listener;
  listener.observers = [&](const ObservedRun& run) {
    const Cadence cadence(0.2, run.plan.step, run.plan.last_step);
    return std::vector<Observer>{
        {"test", cadence,
         [&](const Frame& frame) {
           seen.push_back(frame.step());
           EXPECT_EQ(run.record.next_snapshot, 1 + frame.step() / 10);  // is written
           EXPECT_NE(run.record.start_energies.total(), 0);
           EXPECT_TRUE(run.checkpoint_step);
         }},
        {"end", AtEnd{}, [&](const Frame& frame) { ends.push_back(frame.step()); }}};
  };
  start_run(spec("a"), false, listener);
  EXPECT_THAT(seen, ElementsAre(0, 20, 40));
  EXPECT_THAT(ends, ElementsAre(40));
  start_run(spec("b"), false, {});
  EXPECT_EQ(final_state(top_ / "a"), final_state(top_ / "b"));
}

TEST_F(ObserverTest, what_is_drawn_at_the_end_is_drawn_again_by_a_resumed_run_without_steps) {
  if (!pictures_available()) GTEST_SKIP() << "built without libpng";
  start_run(spec("a", {"output.pictures=true"}), false, {});
  ASSERT_TRUE(file_exists(top_ / "a/final.png"));
  remove_file(top_ / "a/final.png");
  const RunResult result = resume_run(top_ / "a", {}, {});
  EXPECT_EQ(result.summary.steps, 40U);
  EXPECT_TRUE(file_exists(top_ / "a/final.png"));
}

TEST_F(ObserverTest, a_log_is_new_or_goes_on_from_where_a_checkpoint_says) {
  const RunFolder folder = RunFolder::create(top_ / "a", false);
  std::vector<LogOffset> ends;
  {
    RunLogs logs({});
    const auto first = logs.open<AppendLog>(folder, "first.csv");
    const auto second = logs.open<AppendLog>(folder, "second.csv");
    first->append("one\n");
    second->append("eins\n");
    ends = logs.ends();
    first->append("lost\n");
    logs.sync();
  }
  EXPECT_THAT(ends, ElementsAre(LogOffset{"first.csv", 4}, LogOffset{"second.csv", 5}));
  {
    RunLogs logs(ends);
    logs.open<AppendLog>(folder, "first.csv")->append("two\n");
    logs.open<AppendLog>(folder, "third.csv")->append("new\n");
    logs.sync();
  }
  EXPECT_EQ(read_text(top_ / "a/first.csv"), "one\ntwo\n");
  EXPECT_EQ(read_text(top_ / "a/second.csv"), "eins\n");
  EXPECT_EQ(read_text(top_ / "a/third.csv"), "new\n");
}

TEST_F(ObserverTest, a_checkpoint_that_names_a_log_of_another_version_is_resumed) {
  std::uint64_t seen = 0;
  start_run(spec("a", {"time.burst=1"}), false, stopping_at(17, seen));
  Checkpoint checkpoint = read_newest_checkpoint(top_ / "a").checkpoint;
  checkpoint.logs.insert(checkpoint.logs.begin(), {"later.csv", 77});
  write_checkpoint(top_ / "a", checkpoint);
  resume_run(top_ / "a", {}, {});
  start_run(spec("b"), false, {});
  EXPECT_EQ(read_file(top_ / "a/energy.csv"), read_file(top_ / "b/energy.csv"));
}

}  // namespace
}  // namespace apsis

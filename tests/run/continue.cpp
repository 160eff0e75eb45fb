// SPDX-License-Identifier: MIT
// continue_run: one command for the first job of a run, for every later one, and for one too many.
#include "run_test.hpp"
#include <apsis/io/checkpoint.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace apsis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ContinueTest : public RunTest {
 protected:
  // One job of a queue, which ends after that many looks.
  RunResult job(const std::string& folder, std::uint64_t looks,
                const std::vector<std::string>& keys = {}) {
    std::vector<std::string> all{"time.burst=1"};
    all.insert(all.end(), keys.begin(), keys.end());
    std::uint64_t seen = 0;
    RunListener listener = stopping_at(looks, seen);
    listener.notice = [this](const std::string& text) { said_ += text + "\n"; };
    return continue_run(spec(folder, all), listener);
  }
  std::map<std::string, Bytes> files(const std::string& folder) const {
    std::map<std::string, Bytes> out;
    for (const auto& file : list_files(top_ / folder, "")) {
      if (file.filename() != ".lock") out[file.filename().string()] = read_file(file);
    }
    return out;
  }
  std::string refusal(const std::string& folder, const std::vector<std::string>& keys) {
    const auto before = files(folder);
    std::string text;
    EXPECT_EQ(code_of([&] { job(folder, never, keys); }, &text), ExitCode::bad_data);
    EXPECT_EQ(files(folder), before);
    return text;
  }
  static constexpr std::uint64_t never = 1'000'000;
  std::string said_;
};

TEST_F(ContinueTest, two_requeues_end_with_the_bits_of_one_run) {
  EXPECT_EQ(job("a", 11).summary.steps, 11U);
  EXPECT_EQ(job("a", 9).summary.exit_code, ExitCode::stopped);
  const RunResult last = job("a", never);
  EXPECT_EQ(last.summary.exit_code, ExitCode::done);
  EXPECT_TRUE(last.summary.bit_identical);
  start_run(spec("whole", {"time.burst=1"}), false, {});
  EXPECT_EQ(final_state(top_ / "a"), final_state(top_ / "whole"));
  EXPECT_EQ(read_file(top_ / "a/energy.csv"), read_file(top_ / "whole/energy.csv"));
}

TEST_F(ContinueTest, a_finished_run_is_said_to_be_and_left_alone) {
  const RunResult first = job("a", never);
  const auto before = files("a");
  const RunResult again = job("a", never);
  EXPECT_TRUE(again.was_finished);
  EXPECT_THAT(again.message, HasSubstr("is finished"));
  EXPECT_EQ(again.summary.exit_code, ExitCode::done);
  EXPECT_EQ(again.summary.steps, first.summary.steps);
  EXPECT_EQ(again.summary.files, first.summary.files);
  EXPECT_EQ(files("a"), before);
}

TEST_F(ContinueTest, a_run_that_was_killed_behind_its_last_step_still_gets_its_summary) {
  job("a", never);
  fs::remove(top_ / "a/summary.json");
  const RunResult again = job("a", never);
  EXPECT_FALSE(again.was_finished);
  EXPECT_EQ(again.summary.status, "finished");
  EXPECT_TRUE(file_exists(top_ / "a/summary.json"));
}

TEST_F(ContinueTest, no_bodies_are_no_exception) {
  EXPECT_EQ(job("a", 3, {"initial.bodies=0"}).summary.exit_code, ExitCode::stopped);
  EXPECT_EQ(job("a", never, {"initial.bodies=0"}).summary.exit_code, ExitCode::done);
  EXPECT_TRUE(job("a", never, {"initial.bodies=0"}).was_finished);
}

TEST_F(ContinueTest, keys_that_do_not_change_the_result_may_differ) {
  job("a", 11, {"output.checkpoint_steps=3"});
  const RunResult result = job("a", never,
                               {"output.max_minutes=9", "output.checkpoint_minutes=2",
                                "time.burst=4", "device.threads=1", "output.pictures=true"});
  EXPECT_EQ(result.summary.exit_code, ExitCode::done);
  const RunSpec now = parse_run_spec(read_text(top_ / "a/spec.toml"), "spec.toml");
  EXPECT_EQ(now.output.max_minutes, 9);
  EXPECT_EQ(now.output.checkpoint_steps, std::nullopt);  // is not given any more
  EXPECT_EQ(now.device.threads, 1);
}

TEST_F(ContinueTest, any_other_difference_is_refused_by_key_with_both_values) {
  job("a", 11);
  EXPECT_THAT(refusal("a", {"seed=7"}), HasSubstr("seed = 42 in it and 7 in this spec"));
  EXPECT_THAT(refusal("a", {"time.step=0.02", "force.softening=0.3"}),
              AllOf(HasSubstr("time.step = 0.01 in it and 0.02 in this spec"),
                    HasSubstr("force.softening = "), HasSubstr("0.3 in this spec")));
  EXPECT_THAT(refusal("a", {"initial.model=king", "initial.w0=3"}),
              AllOf(HasSubstr("initial.model = \"plummer\" in it and \"king\""),
                    HasSubstr("initial.w0 = left open in it and 3.0")));
  EXPECT_THAT(refusal("a", {"time.energy_limit=0.1"}), HasSubstr("time.energy_limit"));
  EXPECT_THAT(refusal("a", {"title=another"}), HasSubstr("title"));
}

TEST_F(ContinueTest, what_was_left_open_may_be_given_as_what_it_became) {
  job("a", 11);
  const RunSpec used = parse_run_spec(read_text(top_ / "a/spec.toml"), "spec.toml");
  const RunResult result =
      job("a", never, {fmt::format("force.softening={}", *used.force.softening)});
  EXPECT_EQ(result.summary.exit_code, ExitCode::done);
}

TEST_F(ContinueTest, the_spec_that_a_run_wrote_continues_it) {
  job("a", 11);
  RunSpec written = parse_run_spec(read_text(top_ / "a/spec.toml"), "spec.toml");
  EXPECT_EQ(continue_run(written, {}).summary.exit_code, ExitCode::done);
}

TEST_F(ContinueTest, a_later_end_goes_on_also_behind_a_finished_run_and_an_earlier_is_refused) {
  job("a", 11);
  EXPECT_EQ(job("a", never, {"time.until=0.5"}).summary.steps, 50U);
  EXPECT_EQ(job("a", never, {"time.until=0.6"}).summary.steps, 60U);
  EXPECT_THAT(refusal("a", {"time.until=0.4"}), HasSubstr("time.until = 0.6 in it and 0.4"));
  start_run(spec("whole", {"time.until=0.6"}), false, {});
  EXPECT_EQ(final_state(top_ / "a"), final_state(top_ / "whole"));
}

TEST_F(ContinueTest, a_run_that_was_killed_before_its_first_checkpoint_starts_again) {
  job("a", never);
  for (const auto& file : list_files(top_ / "a", "checkpoint_")) fs::remove(file);
  write_text(top_ / "a/notes.txt", "mine");
  EXPECT_THAT(refusal("a", {"seed=7"}), HasSubstr("seed"));
  write_text(top_ / "a/snapshot_0099.csv", "of the run before");
  write_text(top_ / "a/stop", "");
  const RunResult result = job("a", never);
  EXPECT_FALSE(file_exists(top_ / "a/snapshot_0099.csv"));
  EXPECT_EQ(result.summary.exit_code, ExitCode::done);
  EXPECT_THAT(said_, HasSubstr("had no checkpoint yet"));
  EXPECT_TRUE(file_exists(top_ / "a/notes.txt"));
}

TEST_F(ContinueTest, nobody_need_listen) {
  continue_run(spec("a"), {});
  for (const auto& file : list_files(top_ / "a", "checkpoint_")) fs::remove(file);
  EXPECT_EQ(continue_run(spec("a"), {}).summary.exit_code, ExitCode::done);
  EXPECT_TRUE(continue_run(spec("a"), {}).was_finished);
}

TEST_F(ContinueTest, a_folder_that_was_moved_is_continued_where_it_is) {
  job("a", 11);
  fs::rename(top_ / "a", top_ / "b");
  EXPECT_EQ(job("b", never).summary.steps, 40U);
  EXPECT_FALSE(folder_exists(top_ / "a"));
}

TEST_F(ContinueTest, a_spec_that_no_run_wrote_is_never_replaced) {
  make_folder(top_ / "a");
  write_text(top_ / "a/spec.toml", "[initial]\nmodel = \"plummer\"\n");
  EXPECT_THAT(refusal("a", {}), HasSubstr("was not written by a run"));
}

TEST_F(ContinueTest, other_files_in_the_folder_do_not_matter) {
  make_folder(top_ / "a");
  write_text(top_ / "a/slurm-17.out", "hello");
  EXPECT_EQ(job("a", never).summary.exit_code, ExitCode::done);
  EXPECT_EQ(read_text(top_ / "a/slurm-17.out"), "hello");
}

TEST_F(ContinueTest, a_run_that_went_bad_ends_so_again) {
  const std::vector<std::string> bad{"time.energy_limit=1e-12"};
  EXPECT_EQ(job("a", never, bad).summary.exit_code, ExitCode::numbers_went_bad);
  EXPECT_EQ(job("a", never, bad).summary.exit_code, ExitCode::numbers_went_bad);
}

class ContinuedFileTest : public ContinueTest {
 protected:
  RunSpec from_file() const {
    RunSpec given;
    given.initial.file = (top_ / "two.csv").string();
    given.output.directory = (top_ / "a").string();
    given.output.pictures = false;
    return given;
  }
  void write_bodies(const char* second) const {
    write_text(top_ / "two.csv",
               fmt::format("id,m,x,y,z,vx,vy,vz\n0,1,0,0,0,0,0,0\n1,1,{},0,0,0,1,0\n", second));
  }
};

TEST_F(ContinuedFileTest, other_bodies_under_the_same_name_are_refused) {
  write_bodies("1");
  std::uint64_t seen = 0;
  continue_run(from_file(), stopping_at(3, seen));
  write_bodies("2");
  std::string text;
  EXPECT_EQ(code_of([&] { continue_run(from_file(), {}); }, &text), ExitCode::bad_data);
  EXPECT_THAT(text,
              AllOf(HasSubstr("two.csv"), HasSubstr("is not the file that the run began with")));
  write_bodies("1");
  EXPECT_EQ(continue_run(from_file(), {}).summary.exit_code, ExitCode::done);
}

TEST_F(ContinuedFileTest, a_file_that_is_gone_is_not_needed_any_more) {
  write_bodies("1");
  std::uint64_t seen = 0;
  continue_run(from_file(), stopping_at(3, seen));
  fs::remove(top_ / "two.csv");
  RunListener listener;
  listener.notice = [this](const std::string& text) { said_ += text + "\n"; };
  EXPECT_EQ(continue_run(from_file(), listener).summary.exit_code, ExitCode::done);
  EXPECT_THAT(said_, HasSubstr("two.csv is not there any more"));
  EXPECT_TRUE(continue_run(from_file(), {}).was_finished);  // and nobody need listen
}

}  // namespace
}  // namespace apsis

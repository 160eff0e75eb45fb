// SPDX-License-Identifier: MIT
// What a folder must be for a run to go on in it: its own checkpoints, its own spec, bodies that
// can be told apart.
#include "run_test.hpp"
#include <apsis/files/hash.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/run/identity.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <cstring>
#include <regex>

namespace apsis {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class GoingOnTest : public RunTest {
 protected:
  // A run of 40 steps that was stopped at step 17.
  void stopped(const std::string& folder, const std::vector<std::string>& keys = {}) {
    std::vector<std::string> all = keys;
    all.emplace_back("time.burst=1");
    std::uint64_t seen = 0;
    start_run(spec(folder, all), false, stopping_at(17, seen));
  }
  void edit(const fs::path& file, const std::string& from, const std::string& to) {
    const std::string text = read_text(file);
    const std::string edited = std::regex_replace(text, std::regex(from), to);
    ASSERT_NE(edited, text) << from;
    write_text(file, edited);
  }
  RunListener listening() {
    RunListener listener;
    listener.notice = [this](const std::string& text) { said_ += text + "\n"; };
    return listener;
  }
  std::string refusal(const std::string& folder) {
    const std::string before = read_text(top_ / folder / "spec.toml");
    std::string text;
    EXPECT_EQ(code_of([&] { resume_run(top_ / folder, {}, {}); }, &text), ExitCode::bad_data);
    EXPECT_EQ(read_text(top_ / folder / "spec.toml"), before);
    return text;
  }
  std::string said_;
};

TEST_F(GoingOnTest, equal_runs_have_one_identity_and_others_have_others) {
  const auto identity = [&](const char* folder, const std::vector<std::string>& keys) {
    return start_run(spec(folder, keys), false, {}).summary.resolved.at("identity");
  };
  const std::string one = identity("a", {});
  EXPECT_EQ(one.size(), 32U);
  EXPECT_EQ(identity("b", {"time.burst=3", "device.threads=1", "time.until=0.5"}), one);
  EXPECT_NE(identity("c", {"seed=7"}), one);
  EXPECT_NE(identity("d", {"force.softening=0.2"}), one);
  EXPECT_NE(identity("e", {"time.integrator=rk4"}), one);
}

TEST_F(GoingOnTest, an_identity_lasts_over_all_parts_of_a_run) {
  stopped("a");
  const auto before = parse_run_spec(read_text(top_ / "a/spec.toml"), "a").resolved;
  const RunResult result = resume_run(top_ / "a", {"time.until=0.6"}, {});
  EXPECT_EQ(result.summary.resolved.at("identity"), before.at("identity"));
}

TEST_F(GoingOnTest, a_checkpoint_of_another_run_is_refused_by_name) {
  stopped("a", {"output.checkpoint_steps=5"});
  start_run(spec("b", {"seed=7", "output.energy_every=0"}), false, {});
  fs::copy(top_ / "b/checkpoint_00000040.apsis", top_ / "a");
  EXPECT_THAT(refusal("a"), AllOf(HasSubstr("checkpoint_00000040.apsis is of another run"),
                                  HasSubstr("move it out of the folder")));
  fs::remove(top_ / "a/checkpoint_00000040.apsis");  // and what is left goes on
  resume_run(top_ / "a", {}, {});
  start_run(spec("whole"), false, {});
  EXPECT_EQ(final_state(top_ / "a"), final_state(top_ / "whole"));
}

TEST_F(GoingOnTest, a_checkpoint_without_identity_is_refused_where_the_run_has_one) {
  stopped("a");
  Checkpoint foreign = read_checkpoint(checkpoint_files(top_ / "a").front());
  foreign.spec_toml = std::regex_replace(foreign.spec_toml, std::regex("identity = .*\n"), "");
  foreign.step += 1;
  write_checkpoint(top_ / "a", foreign);
  EXPECT_THAT(refusal("a"), HasSubstr("identity none"));
}

TEST_F(GoingOnTest, what_apsis_0_1_wrote_goes_on_with_a_note) {
  stopped("a");
  edit(top_ / "a/spec.toml", "identity = .*\n", "");
  Checkpoint old = read_checkpoint(checkpoint_files(top_ / "a").front());
  old.spec_toml = std::regex_replace(old.spec_toml, std::regex("identity = .*\n"), "");
  old.notes.erase("left_open");
  write_checkpoint(top_ / "a", old);
  const RunResult result = resume_run(top_ / "a", {}, listening());
  EXPECT_EQ(result.summary.exit_code, ExitCode::done);
  EXPECT_THAT(said_, HasSubstr("carries no identity, as those of Apsis 0.1"));
  EXPECT_FALSE(result.summary.resolved.contains("identity"));
}

TEST_F(GoingOnTest, an_edited_spec_is_taken_where_a_run_can_change) {
  stopped("a");
  edit(top_ / "a/spec.toml", "until = 0.4", "until = 0.5");
  edit(top_ / "a/spec.toml", "threads = 0", "threads = 1");
  const RunResult result = resume_run(top_ / "a", {}, listening());
  EXPECT_EQ(result.summary.steps, 50U);
  EXPECT_THAT(said_, AllOf(HasSubstr("time.until = 0.4 in the checkpoint and 0.5 in the file"),
                           HasSubstr("device.threads = 0 in the checkpoint and 1 in the file")));
  EXPECT_THAT(read_text(top_ / "a/spec.toml"), HasSubstr("until = 0.5"));
}

TEST_F(GoingOnTest, an_edited_spec_is_refused_by_key_where_it_cannot) {
  stopped("a");
  edit(top_ / "a/spec.toml", "seed = 42", "seed = 43");
  edit(top_ / "a/spec.toml", "step = 0.01", "step = 0.02");
  EXPECT_THAT(refusal("a"), AllOf(HasSubstr("spec.toml was edited"),
                                  HasSubstr("seed = 42 in its checkpoint and 43 in the file"),
                                  HasSubstr("time.step = 0.01 in its checkpoint and 0.02")));
}

TEST_F(GoingOnTest, a_key_that_was_given_cannot_be_left_out_but_a_default_can) {
  stopped("a", {"force.softening=0.1"});
  edit(top_ / "a/spec.toml", "constant = .*\n", "");  // was the unit system's
  resume_run(top_ / "a", {}, {});
  edit(top_ / "a/spec.toml", "softening = .*\n", "");
  EXPECT_THAT(refusal("a"), HasSubstr("force.softening = 0.1 in its checkpoint and left open"));
}

TEST_F(GoingOnTest, comments_in_a_spec_that_says_the_same_stay) {
  stopped("a");
  const auto file = top_ / "a/spec.toml";
  write_text(file, "# the one for the talk\n" + read_text(file));
  resume_run(top_ / "a", {}, {});
  EXPECT_THAT(read_text(file), HasSubstr("# the one for the talk"));
}

TEST_F(GoingOnTest, a_spec_that_cannot_be_read_is_named_and_stays) {
  stopped("a");
  edit(top_ / "a/spec.toml", "\\[time\\]", "[time");
  EXPECT_THAT(refusal("a"), HasSubstr("spec.toml:"));
}

TEST_F(GoingOnTest, a_missing_spec_is_written_again_from_the_checkpoint) {
  stopped("a");
  const std::string before = read_text(top_ / "a/spec.toml");
  fs::remove(top_ / "a/spec.toml");
  resume_run(top_ / "a", {}, listening());
  EXPECT_THAT(said_, HasSubstr("spec.toml is not there"));
  EXPECT_EQ(read_text(top_ / "a/spec.toml"), before);
}

TEST_F(GoingOnTest, edited_resolved_choices_are_not_taken_and_that_is_said) {
  stopped("a");
  edit(top_ / "a/spec.toml", "solver = \"direct\"", "solver = \"reference\"");
  const RunResult result = resume_run(top_ / "a", {}, listening());
  EXPECT_THAT(said_, HasSubstr("[resolved] solver = \"reference\" is not taken"));
  EXPECT_EQ(result.summary.resolved.at("solver"), "direct");
}

TEST_F(GoingOnTest, a_spec_without_its_identity_is_taken_with_a_note) {
  stopped("a");
  edit(top_ / "a/spec.toml", "identity = .*\n", "");
  const RunResult result = resume_run(top_ / "a", {}, listening());
  EXPECT_EQ(result.summary.exit_code, ExitCode::done);
  EXPECT_THAT(said_, HasSubstr("spec.toml carries no identity any more"));
}

TEST_F(GoingOnTest, a_wish_to_stop_that_nobody_saw_is_not_heard_later) {
  stopped("a");
  write_text(top_ / "a/stop", "");
  EXPECT_EQ(resume_run(top_ / "a", {}, {}).summary.exit_code, ExitCode::done);
}

TEST_F(GoingOnTest, seconds_of_all_parts_are_counted) {
  stopped("a");
  Checkpoint checkpoint = read_checkpoint(checkpoint_files(top_ / "a").front());
  checkpoint.seconds_so_far = 1000;
  write_checkpoint(top_ / "a", checkpoint);
  EXPECT_GT(resume_run(top_ / "a", {}, {}).summary.seconds, 1000);
}

TEST_F(GoingOnTest, a_run_of_another_version_goes_on_to_other_bits_and_says_so) {
  stopped("a");
  Checkpoint checkpoint = read_checkpoint(checkpoint_files(top_ / "a").front());
  checkpoint.notes["version"] = "0.0.7 abc";
  write_checkpoint(top_ / "a", checkpoint);
  const RunResult result = resume_run(top_ / "a", {}, listening());
  EXPECT_FALSE(result.summary.bit_identical);
  ASSERT_EQ(result.summary.warnings.size(), 1U);
  EXPECT_EQ(result.summary.warnings[0].code, WarningCode::other_bits);
  EXPECT_THAT(result.summary.warnings[0].text, HasSubstr("the run began with Apsis 0.0.7 abc"));
}

TEST_F(GoingOnTest, a_force_error_that_was_not_kept_is_measured) {
  stopped("a");
  Checkpoint checkpoint = read_checkpoint(checkpoint_files(top_ / "a").front());
  checkpoint.notes.erase("force_error");
  write_checkpoint(top_ / "a", checkpoint);
  EXPECT_TRUE(resume_run(top_ / "a", {}, {}).summary.force_error);
}

TEST_F(GoingOnTest, strict_refuses_doubtful_input_of_the_first_part_too) {
  write_text(top_ / "twins.csv", "x,y,z\n0,0,0\n0,0,0\n1,0,0\n");
  RunSpec twins = spec("a", {"time.burst=1"});
  twins.initial = {};
  twins.initial.file = (top_ / "twins.csv").string();
  std::uint64_t seen = 0;
  start_run(twins, false, stopping_at(3, seen));
  RunListener strict;
  strict.strict = true;
  std::string text;
  EXPECT_EQ(code_of([&] { resume_run(top_ / "a", {}, strict); }, &text), ExitCode::bad_data);
  EXPECT_THAT(text, HasSubstr("--strict refuses coincident-bodies"));
}

TEST_F(GoingOnTest, the_error_of_the_last_row_is_known_at_once_where_there_was_one) {
  const auto first_told = [&](const std::string& folder, std::uint64_t stop) {
    std::uint64_t seen = 0;
    start_run(spec(folder, {"time.burst=1"}), false, stopping_at(stop, seen));
    std::vector<Progress> told;
    RunListener listener;
    listener.progress = [&](const Progress& progress) { told.push_back(progress); };
    resume_run(top_ / folder, {}, listener);
    return told.at(0).energy_error;
  };
  EXPECT_TRUE(first_told("a", 17));  // rows are at steps 5, 10, 15
  EXPECT_FALSE(first_told("b", 3));
}

TEST_F(GoingOnTest, units_are_from_where_they_were) {
  stopped("a");
  resume_run(top_ / "a", {}, listening());
  EXPECT_THAT(said_, HasSubstr("units: henon, G = 1 (model plummer)"));
}

TEST_F(GoingOnTest, duplicate_ids_in_a_file_are_refused_with_the_id_and_both_bodies) {
  write_text(top_ / "twins.csv",
             "id,m,x,y,z,vx,vy,vz\n9,1,0,0,0,0,0,0\n7,1,1,0,0,0,0,0\n3,1,2,0,0,0,0,0\n"
             "7,1,3,0,0,0,0,0\n");
  RunSpec twins;
  twins.initial.file = (top_ / "twins.csv").string();
  twins.output.directory = (top_ / "a").string();
  std::string text;
  EXPECT_EQ(code_of([&] { start_run(twins, false, {}); }, &text), ExitCode::bad_data);
  EXPECT_THAT(text, AllOf(HasSubstr("twins.csv: bodies 2 and 4 have the same id 7"),
                          HasSubstr("leave the ids out")));
  EXPECT_FALSE(folder_exists(top_ / "a"));
}

TEST_F(GoingOnTest, types_of_a_file_are_in_all_snapshots_of_the_run_and_its_resumed_end) {
  Snapshot start;
  start.bodies = test::random_bodies(30);
  for (std::size_t i = 0; i < 30; ++i) start.bodies.type.push_back(i % 3 == 0 ? 4 : 1);
  write_snapshot(top_ / "start.csv", start);
  const auto keys = [&](const char* folder) {
    RunSpec typed = spec(folder, {"time.burst=1", "force.softening=0.1"});
    typed.initial = {};
    typed.initial.file = (top_ / "start.csv").string();
    return typed;
  };
  start_run(keys("whole"), false, {});
  std::uint64_t seen = 0;
  start_run(keys("broken"), false, stopping_at(17, seen));
  EXPECT_LT(seen, 40U);
  resume_run(top_ / "broken", {}, {});
  EXPECT_EQ(final_state(top_ / "broken"), final_state(top_ / "whole"));
  for (const auto& file : list_files(top_ / "broken", "snapshot_")) {
    const Bodies bodies = read_snapshot(file).bodies;
    ASSERT_EQ(bodies.size(), 30U) << file;
    for (std::size_t i = 0; i < 30; ++i) {
      EXPECT_EQ(bodies.type_of(i), bodies.id[i] % 3 == 0 ? 4 : 1) << file;
    }
  }
}

// Of the bodies of a run of 0.1, and of ones that have charges too: identities of old runs stay.
TEST(HashOfBodies, is_that_of_0_1_without_types_and_another_with_them) {
  Bodies bodies = test::random_bodies(10, 1, true);
  Hasher hasher;
  for (const auto column : {bodies.x(), bodies.y(), bodies.z(), bodies.vx(), bodies.vy(),
                            bodies.vz(), std::span(bodies.mass), std::span(bodies.charge)}) {
    hasher.add(std::as_bytes(column));
  }
  hasher.add(std::as_bytes(std::span(bodies.id)));
  EXPECT_EQ(hash_of(bodies), hasher.hash());
  bodies.type.assign(10, 4);
  EXPECT_NE(hash_of(bodies), hasher.hash());
}

TEST_F(GoingOnTest, duplicate_ids_in_a_checkpoint_are_refused) {
  stopped("a");
  Checkpoint checkpoint = read_checkpoint(checkpoint_files(top_ / "a").front());
  for (StateArray& array : checkpoint.state.arrays) {
    if (array.name == "id") std::memcpy(&array.bytes[8 * 5], &array.bytes[8 * 2], 8);
  }
  write_checkpoint(top_ / "a", checkpoint);
  EXPECT_THAT(refusal("a"), HasSubstr("bodies 3 and 6 have the same id 2"));
}

}  // namespace
}  // namespace apsis

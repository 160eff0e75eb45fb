// SPDX-License-Identifier: MIT
// Which files of a folder are a run's, to the letter: only they are counted, replaced or removed.
#include "run_test.hpp"
#include <apsis/run/run_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace apsis {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAreArray;

class RunFolderNames : public RunTest {
 protected:
  void SetUp() override {
    RunTest::SetUp();
    make_folder(top_ / "a");
    for (const auto& name : of_run_) write_text(top_ / "a" / name, "a run's");
    for (const auto& name : of_user_) write_text(top_ / "a" / name, "a user's");
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& file : list_files(top_ / "a")) found.push_back(file.filename().string());
    std::erase(found, ".lock");
    return found;
  }
  const std::vector<std::string> of_run_{"spec.toml",
                                         "energy.csv",
                                         "summary.json",
                                         "final.png",
                                         "strip.png",
                                         "energy.png",
                                         "snapshot_0000.hdf5",
                                         "snapshot_0017.csv",
                                         "snapshot_12345.hdf5",
                                         "checkpoint_00000040.apsis",
                                         "checkpoint_00000040_1of2.apsis"};
  const std::vector<std::string> of_user_{"notes.txt",
                                          "snapshot_notes.txt",
                                          "snapshot_1.hdf5",
                                          "snapshot_0001.hdf",
                                          "snapshot_0001x.csv",
                                          "snapshot_.csv",
                                          "my_snapshot_0001.csv",
                                          "snapshot_00001.csv",
                                          "checkpoint_mine.apsis",
                                          "checkpoint_40.apsis",
                                          "checkpoint_00000040_0of2.apsis",
                                          "spec.toml.old"};
};

TEST_F(RunFolderNames, are_counted_as_a_runs_to_the_letter) {
  EXPECT_THAT(RunFolder::open(top_ / "a").run_files(), UnorderedElementsAreArray(of_run_));
}

TEST_F(RunFolderNames, of_a_run_are_replaced_by_force_and_others_stay) {
  RunFolder::create(top_ / "a", true);
  EXPECT_THAT(names(), UnorderedElementsAreArray(of_user_));
}

TEST_F(RunFolderNames, of_a_run_make_a_folder_that_is_refused) {
  std::string text;
  const auto create = [&] { RunFolder::create(top_ / "a", false); };
  EXPECT_EQ(code_of(create, &text), ExitCode::bad_data);
  EXPECT_THAT(text, HasSubstr("already holds a run"));
  for (const char* name :
       {"spec.toml", "checkpoint_00000040.apsis", "checkpoint_00000040_1of2.apsis"}) {
    fs::remove(top_ / "a" / name);
  }
  EXPECT_EQ(code_of(create, &text), ExitCode::file_error);
  EXPECT_THAT(text, HasSubstr("holds energy.csv, which the run would replace"));
  for (const auto& name : of_run_) fs::remove(top_ / "a" / name);
  EXPECT_EQ(code_of(create), ExitCode::done);
  EXPECT_THAT(names(), UnorderedElementsAreArray(of_user_));
}

TEST_F(RunFolderNames, what_a_killed_writer_left_and_an_old_wish_to_stop_are_tidied_away) {
  write_text(top_ / "a/snapshot_0001.csv.7-1.tmp", "half");
  write_text(top_ / "a/notes.txt.7-1.tmp", "a user's");
  write_text(top_ / "a/stop", "");
  const RunFolder folder = RunFolder::open(top_ / "a");
  folder.tidy();
  EXPECT_FALSE(file_exists(top_ / "a/snapshot_0001.csv.7-1.tmp"));
  EXPECT_TRUE(file_exists(top_ / "a/notes.txt.7-1.tmp"));
  EXPECT_FALSE(file_exists(top_ / "a/stop"));
  EXPECT_FALSE(folder.take_stop_request());
  write_text(top_ / "a/stop", "");
  EXPECT_TRUE(folder.take_stop_request());
  EXPECT_FALSE(file_exists(top_ / "a/stop"));
}

TEST_F(RunFolderNames, space_that_is_not_there_is_refused) {
  const RunFolder folder = RunFolder::open(top_ / "a");
  EXPECT_NO_THROW(folder.require_space(1));
  std::string text;
  EXPECT_EQ(
      code_of([&] { folder.require_space(std::numeric_limits<std::uint64_t>::max()); }, &text),
      ExitCode::file_error);
  EXPECT_THAT(text, HasSubstr("will write about 16.0 EiB"));
}

}  // namespace
}  // namespace apsis

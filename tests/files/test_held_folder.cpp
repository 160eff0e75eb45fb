// SPDX-License-Identifier: MIT
// Somebody who may write beside a run's folder puts another one in its place.
#include "expect_error.hpp"
#include "open_descriptors.hpp"
#include "scratch_folder.hpp"
#include <apsis/files/append_log.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folder_lock.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/held_folder.hpp>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <utility>

namespace apsis {
namespace {

namespace fs = std::filesystem;

class HeldFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(run_), fs::create_directories(victim_);
    write_text(victim_ / "energy.csv", "mine");
  }
  void swap_for_link() {
    fs::rename(run_, moved_);
    fs::create_directory_symlink(victim_, run_);
  }
  const ScratchFolder top_;
  const fs::path run_ = top_ / "run", victim_ = top_ / "victim", moved_ = top_ / "moved";
};

TEST_F(HeldFolderTest, a_link_in_its_place_gets_nothing) {
  const HeldFolder held(run_);
  const FolderLock lock(run_);
  swap_for_link();
  AppendLog log = AppendLog::create(run_ / "energy.csv");
  log.append("row\n"), log.sync();
  write_text(run_ / "summary.json", "{}");
  EXPECT_EQ(read_text(victim_ / "energy.csv"), "mine");
  EXPECT_EQ(list_files(victim_).size(), 1U);
  EXPECT_EQ(read_text(moved_ / "energy.csv"), "row\n");
  EXPECT_EQ(read_text(moved_ / "summary.json"), "{}");
}

TEST_F(HeldFolderTest, files_are_found_and_removed_where_they_were_written) {
  const HeldFolder held(run_);
  write_text(run_ / "a.txt", "a");
  swap_for_link();
  EXPECT_TRUE(file_exists(run_ / "a.txt"));
  EXPECT_FALSE(file_exists(run_ / "energy.csv"));
  EXPECT_EQ(read_text(run_ / "a.txt"), "a");
  EXPECT_EQ(size_of_file(run_ / "a.txt"), 1U);
  EXPECT_EQ(list_files(run_), std::vector<fs::path>{run_ / "a.txt"});
  remove_file(run_ / "a.txt"), remove_file(run_ / "energy.csv");
  EXPECT_TRUE(list_files(run_).empty());
  EXPECT_TRUE(fs::exists(victim_ / "energy.csv"));
}

TEST_F(HeldFolderTest, other_ways_to_write_its_name_are_the_same_folder) {
  const HeldFolder held(run_.string() + "/./");
  swap_for_link();
  write_text(victim_.parent_path() / "x" / ".." / "run" / "b.txt", "b");
  EXPECT_TRUE(fs::exists(moved_ / "b.txt"));
  EXPECT_FALSE(fs::exists(victim_ / "b.txt"));
}

TEST_F(HeldFolderTest, without_it_names_count_again) {
  { const HeldFolder held(run_); }
  swap_for_link();
  write_text(run_ / "c.txt", "c");
  EXPECT_TRUE(fs::exists(victim_ / "c.txt"));
}

TEST_F(HeldFolderTest, moves_with_its_owner_and_is_closed_with_him) {
  const std::size_t before = open_descriptors();
  {
    std::optional<HeldFolder> kept;
    {
      HeldFolder held(run_);
      kept.emplace(std::move(held));
    }
    swap_for_link();
    write_text(run_ / "d.txt", "d");
    EXPECT_TRUE(fs::exists(moved_ / "d.txt"));
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(HeldFolderTest, logs_and_locks_are_closed_with_their_owners) {
  const std::size_t before = open_descriptors();
  {
    AppendLog log = AppendLog::create(run_ / "log");
    AppendLog moved = std::move(log);
    const FolderLock lock(run_);
  }
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(HeldFolderTest, nobody_waits_for_a_pipe_in_it) {
  const HeldFolder held(run_);
  ASSERT_EQ(::mkfifo((run_ / "spec.toml").c_str(), 0600), 0);
  expect_error(ExitCode::file_error, "spec.toml is no regular file",
               [&] { read_text(run_ / "spec.toml"); });
}

TEST_F(HeldFolderTest, a_folder_that_is_not_there_is_named) {
  expect_error(ExitCode::file_error, "nowhere", [&] { const HeldFolder held(top_ / "nowhere"); });
}

}  // namespace
}  // namespace apsis

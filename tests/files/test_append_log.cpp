// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include <apsis/files/append_log.hpp>
#include <apsis/files/file.hpp>

#include <gtest/gtest.h>

#include <utility>

namespace apsis {
namespace {

TEST(AppendLog, offset_counts_what_is_still_buffered) {
  const ScratchFolder folder;
  AppendLog log = AppendLog::create(folder / "log");
  log.append("abc");
  EXPECT_EQ(log.offset(), 3U);
  EXPECT_EQ(size_of_file(folder / "log"), 0U);
  log.sync();
  EXPECT_EQ(size_of_file(folder / "log"), 3U);
}

TEST(AppendLog, resuming_cuts_to_the_offset_and_goes_on) {
  const ScratchFolder folder;
  write_text(folder / "log", "one\ntwo\nthree\n");
  AppendLog log = AppendLog::resume(folder / "log", 8);
  log.append("drei\n");
  log.flush();
  EXPECT_EQ(read_text(folder / "log"), "one\ntwo\ndrei\n");
  EXPECT_EQ(log.offset(), 13U);
}

TEST(AppendLog, a_log_shorter_than_its_checkpoint_says_is_refused) {
  const ScratchFolder folder;
  write_text(folder / "log", "one\n");
  expect_error(ExitCode::bad_data, "has 4 bytes", [&] { AppendLog::resume(folder / "log", 8); });
}

TEST(AppendLog, creating_empties_an_old_file) {
  const ScratchFolder folder;
  write_text(folder / "log", "old");
  AppendLog::create(folder / "log");
  EXPECT_EQ(size_of_file(folder / "log"), 0U);
}

TEST(AppendLog, moving_and_ending_lose_nothing) {
  const ScratchFolder folder;
  {
    AppendLog first = AppendLog::create(folder / "log");
    first.append("a");
    AppendLog second = std::move(first);
    second.append("b");
    AppendLog third = AppendLog::create(folder / "other");
    third = std::move(second);
    third.append("c");
  }
  EXPECT_EQ(read_text(folder / "log"), "abc");
}

TEST(AppendLog, a_full_device_is_reported_with_the_file) {
  AppendLog log = [] {
    try {
      return AppendLog::create("/dev/full");
    } catch (const Error&) {
      return AppendLog::resume("/dev/full", 0);
    }
  }();
  log.append("text");
  expect_error(ExitCode::file_error, "/dev/full: No space left", [&] { log.flush(); });
}

}  // namespace
}  // namespace apsis

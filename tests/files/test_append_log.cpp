// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include <apsis/files/append_log.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
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

TEST(AppendLog, flushing_twice_writes_once) {
  const ScratchFolder folder;
  AppendLog log = AppendLog::create(folder / "log");
  log.append("one\n"), log.flush();
  log.append("two\n"), log.flush();
  EXPECT_EQ(read_text(folder / "log"), "one\ntwo\n");
}

TEST(AppendLog, resuming_at_the_start_empties_it) {
  const ScratchFolder folder;
  write_text(folder / "log", "one\n");
  AppendLog::resume(folder / "log", 0);
  EXPECT_EQ(size_of_file(folder / "log"), 0U);
}

TEST(AppendLog, resuming_within_a_line_is_refused) {
  const ScratchFolder folder;
  write_text(folder / "log", "one\ntwo\n");
  for (const std::uint64_t within : {1, 3, 5, 7}) {
    expect_error(ExitCode::bad_data, "no line of",
                 [&] { AppendLog::resume(folder / "log", within); });
  }
  EXPECT_EQ(read_text(folder / "log"), "one\ntwo\n");
}

TEST(AppendLog, a_full_buffer_goes_to_the_file_by_itself) {
  const ScratchFolder folder;
  AppendLog log = AppendLog::create(folder / "log");
  log.append(std::string(65535, 'x'));
  EXPECT_EQ(size_of_file(folder / "log"), 0U);
  log.append("x");
  EXPECT_EQ(size_of_file(folder / "log"), 65536U);
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
  }
  EXPECT_EQ(read_text(folder / "log"), "ab");
}

// Whatever was put there under that name: nothing is followed, waited for, cut or written to.
TEST(AppendLog, is_no_link_pipe_or_device) {
  const ScratchFolder folder;
  write_text(folder / "victim", "precious");
  std::filesystem::create_symlink(folder / "victim", folder / "link");
  std::filesystem::create_symlink(folder / "nowhere", folder / "dangling");
  std::filesystem::create_hard_link(folder / "victim", folder / "second");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  struct Planted {
    const char *name, *why;
  };
  for (const Planted& planted : {Planted{"link", "is a link"},
                                 {"dangling", "is a link"},
                                 {"second", "second name"},
                                 {"pipe", "no regular file"}}) {
    const auto path = folder / planted.name;
    expect_error(ExitCode::file_error, planted.why, [&] { AppendLog::create(path); });
    expect_error(ExitCode::file_error, planted.why, [&] { AppendLog::resume(path, 0); });
  }
  expect_error(ExitCode::file_error, "no regular file", [] { AppendLog::create("/dev/full"); });
  EXPECT_EQ(read_text(folder / "victim"), "precious");
  EXPECT_FALSE(file_exists(folder / "nowhere"));
}

}  // namespace
}  // namespace apsis

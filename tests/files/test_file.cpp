// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/hash.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>
#include <thread>

namespace apsis {
namespace {

TEST(Files, text_comes_back_as_it_was_written) {
  const ScratchFolder folder;
  const std::string text("one\0two\nthree", 13);
  write_text(folder / "a.txt", text);
  EXPECT_EQ(read_text(folder / "a.txt"), text);
  EXPECT_EQ(size_of_file(folder / "a.txt"), text.size());
}

TEST(Files, chunks_are_joined_in_order) {
  const ScratchFolder folder;
  const std::span<const std::byte> chunks[] = {bytes_of("ab"), {}, bytes_of("cd")};
  write_atomically(folder / "a", chunks, {.verify = true});
  EXPECT_EQ(read_text(folder / "a"), "abcd");
}

TEST(Files, writing_replaces_and_leaves_nothing_else) {
  const ScratchFolder folder;
  write_text(folder / "a", "old");
  write_text(folder / "a", "new");
  EXPECT_EQ(read_text(folder / "a"), "new");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(Files, a_missing_file_is_named) {
  expect_error(ExitCode::file_error, "/nowhere/a.csv: No such file",
               [] { read_file("/nowhere/a.csv"); });
}

TEST(Files, a_folder_is_no_file) {
  const ScratchFolder folder;
  expect_error(ExitCode::file_error, "Is a directory", [&] { read_file(folder.path()); });
}

TEST(Files, larger_than_the_limit_is_refused_without_reading) {
  const ScratchFolder folder;
  std::ofstream(folder / "sparse").put('x');
  std::filesystem::resize_file(folder / "sparse", std::uintmax_t{1} << 40);
  expect_error(ExitCode::bad_data, "1.0 TiB", [&] { read_file(folder / "sparse", 1 << 20); });
}

TEST(Files, a_missing_folder_is_an_error_and_not_made) {
  const ScratchFolder folder;
  expect_error(ExitCode::file_error, "No such file", [&] { write_text(folder / "b" / "a", "x"); });
  EXPECT_EQ(folder.entries(), 0U);
}

TEST(Files, a_folder_in_the_way_leaves_no_temporary) {
  const ScratchFolder folder;
  make_folder(folder / "a");
  expect_error(ExitCode::file_error, "rename", [&] { write_text(folder / "a", "x"); });
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(Files, beginning_of_a_short_file_is_short) {
  const ScratchFolder folder;
  write_text(folder / "a", "abc");
  EXPECT_EQ(read_beginning(folder / "a", 2).size(), 2U);
  EXPECT_EQ(read_beginning(folder / "a", 20).size(), 3U);
}

TEST(Files, threads_may_write_the_same_file) {
  const ScratchFolder folder;
  const std::string a(100000, 'a'), b(100000, 'b');
  std::thread other([&] {
    for (int i = 0; i < 50; ++i) write_text(folder / "f", a);
  });
  for (int i = 0; i < 50; ++i) write_text(folder / "f", b);
  other.join();
  const std::string text = read_text(folder / "f");
  EXPECT_TRUE(text == a || text == b);
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(Leftovers, of_a_killed_writer_are_removed_and_of_a_living_one_are_not) {
  const ScratchFolder folder;
  // a writer that is stopped inside its write: its pipe of content never ends
  const pid_t child = fork();
  if (child == 0) {
    const std::vector<std::byte> block(std::size_t{1} << 20);
    std::vector<std::span<const std::byte>> chunks(4000, std::span<const std::byte>(block));
    write_atomically(folder / "big", chunks);
    _exit(0);
  }
  while (list_files(folder.path(), "big", ".tmp").empty()) usleep(1000);
  usleep(20000);  // from creation to lock
  kill(child, SIGSTOP);
  const auto is_big = [](std::string_view name) { return name == "big"; };
  const auto is_small = [](std::string_view name) { return name == "small"; };
  for (const char* own : {"mine.tmp", "big.tmp", "big.7.tmp", "big.x-1.tmp", "other.7-1.tmp"}) {
    write_text(folder / own, "a user's");
  }
  EXPECT_EQ(remove_leftovers(folder.path(), is_big), 0U);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(remove_leftovers(folder.path(), is_small), 0U);
  EXPECT_EQ(remove_leftovers(folder.path(), is_big), 1U);
  EXPECT_EQ(folder.entries(), 5U);
}

TEST(Hash, pieces_give_the_same_as_the_whole) {
  const std::string text(100000, 'q');
  Hasher hasher;
  hasher.add(bytes_of(std::string_view(text).substr(0, 77)));
  hasher.add(bytes_of(std::string_view(text).substr(77)));
  EXPECT_EQ(hasher.hash(), hash_of(bytes_of(text)));
}

TEST(Hash, of_nothing_is_the_published_value) {
  // XXH3-128 of empty input with seed 0, from the algorithm's own test vectors
  EXPECT_EQ(to_hex(hash_of({})), "99aa06d3014798d86001c324468d497f");
}

}  // namespace
}  // namespace apsis

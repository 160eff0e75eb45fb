// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "files/open_descriptors.hpp"
#include "files/scratch_folder.hpp"
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/hash.hpp>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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

// What another program writes into a pipe, whose size nobody knows before.
class Fed {
 public:
  Fed(const std::filesystem::path& pipe, std::string text)
      : made_(::mkfifo(pipe.c_str(), 0600) == 0),
        writer_([pipe, text = std::move(text)] { std::ofstream(pipe) << text; }) {}
  Fed(const Fed&) = delete;
  Fed& operator=(const Fed&) = delete;
  ~Fed() { writer_.join(); }
  bool made() const { return made_; }

 private:
  bool made_;
  std::thread writer_;
};

TEST(Files, a_pipe_is_read_to_its_end_and_no_further) {
  const ScratchFolder folder;
  for (const std::size_t length : {0, 5, 65536, 200000}) {
    const auto pipe = folder / std::to_string(length);
    const std::string text(length, 'p');
    const Fed fed(pipe, text);
    ASSERT_TRUE(fed.made());
    EXPECT_EQ(read_text(pipe, length), text);
  }
}

TEST(Files, a_pipe_that_brings_more_than_the_limit_is_refused) {
  const ScratchFolder folder;
  const Fed fed(folder / "pipe", std::string(1001, 'p'));
  ASSERT_TRUE(fed.made());
  expect_error(ExitCode::bad_data, "1001 bytes where at most 1000",
               [&] { read_text(folder / "pipe", 1000); });
}

TEST(Files, as_large_as_the_limit_is_read) {
  const ScratchFolder folder;
  write_text(folder / "a", "abc");
  EXPECT_EQ(read_text(folder / "a", 3), "abc");
  expect_error(ExitCode::bad_data, "3 bytes where at most 2", [&] { read_text(folder / "a", 2); });
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
  expect_error(ExitCode::file_error, "Is a directory", [&] { read_beginning(folder.path(), 2); });
}

TEST(Files, an_errno_of_earlier_calls_means_nothing) {
  const ScratchFolder folder;
  errno = EINTR;
  write_atomically(folder / "a", bytes_of("abc"), {.verify = true});
  errno = EINTR;
  EXPECT_EQ(read_text(folder / "a"), "abc");
  errno = EINTR;
  EXPECT_EQ(list_files(folder.path()).size(), 1U);
}

TEST(Files, writing_and_failing_leave_no_descriptor_open) {
  const ScratchFolder folder;
  make_folder(folder / "in the way");
  const std::size_t before = open_descriptors();
  write_text(folder / "a", "abc");
  read_text(folder / "a"), read_beginning(folder / "a", 2), list_files(folder.path());
  expect_error(ExitCode::file_error, "rename", [&] { write_text(folder / "in the way", "x"); });
  remove_leftovers(folder.path(), [](std::string_view) { return true; });
  EXPECT_EQ(open_descriptors(), before);
}

TEST(Files, a_writer_by_name_that_fails_leaves_nothing) {
  const ScratchFolder folder;
  EXPECT_THROW(write_by_name(folder / "a",
                             [](const std::filesystem::path& temporary) {
                               std::ofstream(temporary) << "half";
                               throw file_error("no more", "try again");
                             }),
               Error);
  EXPECT_EQ(folder.entries(), 0U);
  write_by_name(folder / "a",
                [](const std::filesystem::path& temporary) { std::ofstream(temporary) << "all"; });
  EXPECT_EQ(read_text(folder / "a"), "all");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(Files, removing_what_is_not_there_is_no_error) {
  const ScratchFolder folder;
  EXPECT_NO_THROW(remove_file(folder / "a"));
  make_folder(folder / "b");
  expect_error(ExitCode::file_error, "remove", [&] { remove_file(folder / "b"); });
}

TEST(Memory, is_as_large_as_the_kernel_says) {
  std::ifstream file("/proc/meminfo");
  std::string word;
  std::uint64_t kibibytes = 0;
  ASSERT_TRUE(file >> word >> kibibytes && word == "MemTotal:");
  EXPECT_NEAR(double(physical_memory()), 1024 * double(kibibytes),
              0.01 * double(physical_memory()));
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

TEST(Leftovers, are_known_by_their_whole_name) {
  const ScratchFolder folder;
  const std::vector<std::string> of_others{
      "big.tmp",      "big.7.tmp",    "big.7-.tmp", "big.-1.tmp",  "big.7x-1.tmp", "big.x7-1.tmp",
      "big.7-x1.tmp", "big.7-1x.tmp", "big.7-1.tm", "big-7.1.tmp", "7-1.tmp"};
  for (const auto& name : of_others) write_text(folder / name, "a user's");
  for (const char* name : {"big.7-1.tmp", "big.1234-56.tmp", "big.9-1.7-1.tmp"}) {
    write_text(folder / name, "left");
  }
  const auto is_big = [](std::string_view name) { return name.starts_with("big"); };
  EXPECT_EQ(remove_leftovers(folder.path(), is_big), 3U);
  EXPECT_EQ(folder.entries(), of_others.size());
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

// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include <apsis/files/file.hpp>
#include <apsis/files/folder_lock.hpp>
#include <apsis/files/folders.hpp>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace apsis {
namespace {

TEST(Folders, parents_are_made_and_a_second_time_does_no_harm) {
  const ScratchFolder folder;
  make_folder(folder / "a" / "b" / "c");
  make_folder(folder / "a" / "b" / "c");
  EXPECT_TRUE(folder_exists(folder / "a" / "b" / "c"));
}

TEST(Folders, a_file_in_the_way_is_named) {
  const ScratchFolder folder;
  write_text(folder / "a", "x");
  expect_error(ExitCode::file_error, "make folder", [&] { make_folder(folder / "a"); });
  expect_error(ExitCode::file_error, "make folder", [&] { make_folder(folder / "a" / "b"); });
}

TEST(Folders, listing_takes_start_and_end_and_sorts) {
  const ScratchFolder folder;
  for (const char* name : {"s_2.csv", "s_1.csv", "s_3.txt", "t_1.csv", "s.csv"}) {
    write_text(folder / name, "");
  }
  make_folder(folder / "s_4.csv");
  const auto found = list_files(folder.path(), "s_", ".csv");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].filename(), "s_1.csv");
  EXPECT_EQ(found[1].filename(), "s_2.csv");
  EXPECT_TRUE(list_files(folder / "none").empty());
}

TEST(Folders, a_link_to_nowhere_is_no_file_and_no_error) {
  const ScratchFolder folder;
  std::filesystem::create_symlink(folder / "nowhere", folder / "s_1.csv");
  EXPECT_TRUE(list_files(folder.path(), "s_").empty());
}

TEST(Folders, free_space_is_known_before_the_folder_exists) {
  const ScratchFolder folder;
  EXPECT_GT(free_space(folder / "not" / "yet"), 0U);
}

TEST(Folders, sizes_read_well) {
  EXPECT_EQ(readable_size(1023), "1023 bytes");
  EXPECT_EQ(readable_size(1024), "1.0 KiB");
  EXPECT_EQ(readable_size(1536), "1.5 KiB");
  EXPECT_EQ(readable_size(1 << 20), "1.0 MiB");
  EXPECT_EQ(readable_size(std::uint64_t{3} << 40), "3.0 TiB");
  EXPECT_EQ(readable_size(std::numeric_limits<std::uint64_t>::max()), "16.0 EiB");
}

TEST(Lock, is_refused_to_a_second_holder_naming_the_first) {
  const ScratchFolder folder;
  const FolderLock lock(folder.path());
  const std::string text =
      error_text(ExitCode::file_error, [&] { FolderLock second(folder.path()); });
  EXPECT_NE(text.find("in use by process " + std::to_string(getpid()) + " on "), std::string::npos)
      << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST(Lock, of_another_process_holds_until_it_dies) {
  const ScratchFolder folder;
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const FolderLock lock(folder.path());
    if (write(ready[1], "x", 1) != 1) _exit(1);
    pause();
  }
  char signal = 0;
  ASSERT_EQ(read(ready[0], &signal, 1), 1);
  expect_error(ExitCode::file_error, "process " + std::to_string(child),
               [&] { FolderLock second(folder.path()); });
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_NO_THROW(FolderLock(folder.path()));
  close(ready[0]), close(ready[1]);
}

TEST(Lock, moves_with_its_owner) {
  const ScratchFolder folder;
  std::optional<FolderLock> kept;
  {
    FolderLock lock(folder.path());
    kept.emplace(std::move(lock));
  }
  expect_error(ExitCode::file_error, "in use", [&] { FolderLock second(folder.path()); });
  kept.reset();
  EXPECT_NO_THROW(FolderLock(folder.path()));
}

// Each child sets its own environment: the tests' own stays as it is.
int in_child(const std::function<bool()>& claim) {
  const pid_t child = fork();
  if (child == 0) _exit(claim() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(Cache, follows_the_environment_and_falls_back) {
  const ScratchFolder folder;
  EXPECT_EQ(0, in_child([&] {
              setenv("XDG_CACHE_HOME", (folder / "xdg").c_str(), 1);
              return cache_folder() == folder / "xdg" / "apsis" && folder_exists(cache_folder());
            }));
  EXPECT_EQ(0, in_child([&] {
              unsetenv("XDG_CACHE_HOME");
              setenv("HOME", (folder / "home").c_str(), 1);
              return cache_folder() == folder / "home" / ".cache" / "apsis";
            }));
  EXPECT_EQ(0, in_child([&] {
              setenv("XDG_CACHE_HOME", "relative", 1);
              setenv("HOME", "/proc/nothing", 1);
              setenv("TMPDIR", folder.path().c_str(), 1);
              return folder_exists(cache_folder()) && cache_folder().parent_path() == folder.path();
            }));
}

TEST(Cache, that_others_can_write_to_is_not_used_and_that_is_said) {
  const ScratchFolder folder;
  const auto with_cache = [&](const std::function<bool()>& claim) {
    return in_child([&] {
      setenv("XDG_CACHE_HOME", (folder / "open").c_str(), 1);
      setenv("TMPDIR", (folder / "private").c_str(), 1);
      return claim();
    });
  };
  make_folder(folder / "open"), make_folder(folder / "private");
  EXPECT_EQ(0, with_cache([] { return why_not_wanted_cache().empty(); }));
  ASSERT_EQ(::chmod((folder / "open").c_str(), 0777), 0);
  EXPECT_EQ(0, with_cache([&] {
              const std::string why = why_not_wanted_cache();
              return why.find((folder / "open").string()) != std::string::npos &&
                     cache_folder().parent_path() == folder / "private";
            }));
}

TEST(Cache, that_an_earlier_version_made_for_a_group_is_closed) {
  const ScratchFolder folder;
  make_folder(folder / "apsis");
  ASSERT_EQ(::chmod((folder / "apsis").c_str(), 0775), 0);
  EXPECT_EQ(0, in_child([&] {
              setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
              return cache_folder() == folder / "apsis";
            }));
  EXPECT_EQ(std::filesystem::status(folder / "apsis").permissions(),
            std::filesystem::perms::owner_all | std::filesystem::perms::group_read |
                std::filesystem::perms::group_exec | std::filesystem::perms::others_read |
                std::filesystem::perms::others_exec);
}

TEST(Cache, of_a_library_is_named_only_where_its_own_will_not_do) {
  const ScratchFolder folder;
  const auto named = [&](const char* given) {
    setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
    given == nullptr ? unsetenv("APSIS_TEST_CACHE") : setenv("APSIS_TEST_CACHE", given, 1);
    name_cache_for_library("APSIS_TEST_CACHE", "library", "instead");
    const char* now = std::getenv("APSIS_TEST_CACHE");
    return std::string(now == nullptr ? "none" : now);
  };
  EXPECT_EQ(0, in_child([&] { return named(nullptr) == "none" && named("mine") == "mine"; }));
  write_text(folder / "in the way", "");
  std::filesystem::remove_all(folder / "library");
  std::filesystem::create_symlink(folder / "in the way", folder / "library");
  EXPECT_EQ(0, in_child([&] {
              return named(nullptr) == (folder / "apsis" / "instead").string() &&
                     named("") == (folder / "apsis" / "instead").string() &&
                     named("mine") == "mine";
            }));
}

TEST(Cache, parallel_starts_and_writers_meet_without_harm) {
  const ScratchFolder folder;
  constexpr int starts = 8;
  for (int i = 0; i < starts; ++i) {
    if (fork() != 0) continue;
    setenv("XDG_CACHE_HOME", (folder / "xdg").c_str(), 1);
    try {
      for (int k = 0; k < 20; ++k) {
        const auto cache = cache_folder();
        write_text(cache / "entry", std::string(10000, static_cast<char>('a' + i)));
        const std::string text = read_text(cache / "entry");
        if (text != std::string(10000, text.at(0))) _exit(1);
      }
    } catch (const Error&) {
      _exit(2);
    }
    _exit(0);
  }
  for (int i = 0; i < starts; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(list_files(folder / "xdg" / "apsis").size(), 1U);
}

}  // namespace
}  // namespace apsis

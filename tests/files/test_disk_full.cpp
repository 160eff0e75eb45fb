// SPDX-License-Identifier: MIT
// A disk without space, as a small tmpfs where mounting is permitted and by a limit on file sizes
// everywhere: the old file stays, nothing half-written stands anywhere, the message counts bytes.
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include <apsis/files/append_log.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

namespace apsis {
namespace {

class SmallDisk {
 public:
  SmallDisk() { mounted_ = mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, "size=1m") == 0; }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) umount2(folder_.path().c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }
  const ScratchFolder& folder() const { return folder_; }

 private:
  ScratchFolder folder_;
  bool mounted_ = false;
};

TEST(DiskFull, old_file_stays_and_the_message_counts_bytes) {
  const SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
  const auto& folder = disk.folder();
  write_text(folder / "a", "old");
  const std::string large(3 << 20, 'x');
  for (const bool verify : {false, true}) {
    const std::string text = error_text(ExitCode::file_error, [&] {
      write_atomically(folder / "a", bytes_of(large), {.verify = verify});
    });
    EXPECT_NE(text.find("3145728 bytes needed"), std::string::npos) << text;
    EXPECT_NE(text.find("No space left"), std::string::npos) << text;
    // what the half-written file took is free again
    EXPECT_NE(text.find(fmt::format("{} free", free_space(folder.path()))), std::string::npos)
        << text;
    EXPECT_EQ(read_text(folder / "a"), "old");
    EXPECT_EQ(folder.entries(), 1U);
  }
}

TEST(DiskFull, a_log_reports_it) {
  const SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
  AppendLog log = AppendLog::create(disk.folder() / "log");
  const std::string block(1 << 16, 'x');
  expect_error(ExitCode::file_error, "No space left", [&] {
    for (int i = 0; i < 100; ++i) log.append(block);
  });
}

TEST(DiskFull, no_room_for_even_a_name_is_an_error_too) {
  const SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "mounting a tmpfs is not permitted here";
  ASSERT_EQ(mount("tmpfs", disk.folder().path().c_str(), "tmpfs", MS_REMOUNT, "nr_inodes=2"), 0);
  write_text(disk.folder() / "a", "old");
  expect_error(ExitCode::file_error, "No space left",
               [&] { write_text(disk.folder() / "b", "x"); });
  // a writer by name knows of no bytes that it needs
  const std::string text = error_text(
      ExitCode::file_error, [&] { write_by_name(disk.folder() / "b", [](const auto&) {}); });
  EXPECT_EQ(text.find("needed"), std::string::npos) << text;
  EXPECT_EQ(disk.folder().entries(), 1U);
}

// Whether what a child process does with such a limit ends with a file_error that has these words.
bool child_is_told(rlim_t bytes, const std::string& words, const std::function<void()>& write) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write();
    } catch (const Error& error) {
      const bool told = std::string(error.what()).find(words) != std::string::npos;
      _exit(error.code() == ExitCode::file_error && told ? 0 : 1);
    }
    _exit(2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << "exit " << WEXITSTATUS(status) << ", signal " << WTERMSIG(status);
  return status == 0;
}

TEST(FileSizeLimit, is_an_error_and_not_a_death) {
  const ScratchFolder folder;
  write_text(folder / "a", "old");
  EXPECT_TRUE(child_is_told(100000, "200000 bytes needed",
                            [&] { write_text(folder / "a", std::string(200000, 'x')); }));
  EXPECT_EQ(read_text(folder / "a"), "old");
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(FileSizeLimit, is_reported_by_a_log_with_its_name) {
  const ScratchFolder folder;
  EXPECT_TRUE(child_is_told(1000, "log: File too large", [&] {
    AppendLog log = AppendLog::create(folder / "log");
    log.append(std::string(2000, 'x'));
    log.flush();
  }));
}

}  // namespace
}  // namespace apsis

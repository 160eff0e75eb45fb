// SPDX-License-Identifier: MIT
// What survives a power cut is synced, and signals come out of a call as they went in.
#include "files/open_descriptors.hpp"
#include "files/scratch_folder.hpp"
#include <apsis/files/append_log.hpp>
#include <apsis/files/descriptor.hpp>
#include <apsis/files/file.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace {

int syncs = 0, data_syncs = 0;

}  // namespace

// In the place of the system's, which they call.
extern "C" int fsync(int descriptor) {
  ++syncs;
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}
extern "C" int fdatasync(int descriptor) {
  ++data_syncs;
  return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}

namespace apsis {
namespace {

TEST(Sync, is_done_of_a_file_and_of_its_folder) {
  const ScratchFolder folder;
  syncs = 0;
  write_text(folder / "a", "abc");
  EXPECT_EQ(syncs, 2);
  write_by_name(folder / "b", [](const std::filesystem::path&) {});
  EXPECT_EQ(syncs, 4);
  AppendLog log = AppendLog::create(folder / "log");
  EXPECT_EQ(syncs, 5);  // its name
  data_syncs = 0;
  log.flush();
  EXPECT_EQ(data_syncs, 0);
  log.sync();
  EXPECT_EQ(data_syncs, 1);
}

bool is_blocked(int signal) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return sigismember(&mask, signal) == 1;
}

bool is_pending(int signal) {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, signal) == 1;
}

TEST(SignalHeld, is_not_delivered_and_gone_afterwards) {
  {
    const SignalHeld held(SIGXFSZ);
    EXPECT_TRUE(is_blocked(SIGXFSZ));
    EXPECT_FALSE(is_blocked(SIGTERM));
    ::raise(SIGXFSZ);
    errno = ENOENT;
  }
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(is_blocked(SIGXFSZ));
  EXPECT_FALSE(is_pending(SIGXFSZ));
}

TEST(SignalHeld, that_was_waiting_before_goes_on_waiting) {
  const SignalHeld outer(SIGXFSZ);
  ::raise(SIGXFSZ);
  { const SignalHeld inner(SIGXFSZ); }
  EXPECT_TRUE(is_blocked(SIGXFSZ));
  EXPECT_TRUE(is_pending(SIGXFSZ));
}

TEST(Descriptor, that_gets_another_closes_its_own) {
  const ScratchFolder folder;
  const std::size_t before = open_descriptors();
  Descriptor kept = open_descriptor(folder / "a", O_CREAT | O_WRONLY);
  kept = open_descriptor(folder / "b", O_CREAT | O_WRONLY);
  EXPECT_EQ(open_descriptors(), before + 1);
  EXPECT_TRUE(kept.close());
  EXPECT_TRUE(kept.close());  // once more does no harm
  EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace apsis

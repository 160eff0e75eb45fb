// SPDX-License-Identifier: MIT
#include "files/scratch_folder.hpp"
#include <apsis/files/cores.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace apsis {
namespace {

TEST(Cores, time_that_was_waited_for_them_is_that_of_all_threads) {
  const ScratchFolder threads;
  for (const char* thread : {"7", "8", "9"}) make_folder(threads / thread);
  EXPECT_FALSE(seconds_waited_for_cores(threads.path()));  // nothing is counted
  write_text(threads / "7" / "schedstat", "5000000000 1500000000 7\n");
  write_text(threads / "9" / "schedstat", "9000000000 250000000 3\n");
  EXPECT_DOUBLE_EQ(seconds_waited_for_cores(threads.path()).value_or(-1), 1.75);
  EXPECT_FALSE(seconds_waited_for_cores(threads / "none"));
}

TEST(Cores, time_that_was_waited_for_them_is_known_where_the_kernel_counts_it) {
  EXPECT_EQ(seconds_waited_for_cores().has_value(), file_exists("/proc/self/schedstat"));
}

// Limits can't be taken back, so a child sets its own.
TEST(AddressSpace, is_known_where_it_has_a_limit) {
  if (rlimit now{}; ::getrlimit(RLIMIT_AS, &now) == 0 && now.rlim_cur == RLIM_INFINITY) {
    EXPECT_FALSE(address_space_left());
  }
  const pid_t child = fork();
  if (child == 0) {
    constexpr rlim_t most = rlim_t{1} << 62;  // far more than sanitizers map
    const rlimit limit{most, most};
    if (::setrlimit(RLIMIT_AS, &limit) != 0) _exit(1);
    const auto left = address_space_left();
    const bool fits = left.value_or(0) > most / 2 && left.value_or(0) < most;
    _exit(fits ? 0 : 2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << "exit " << WEXITSTATUS(status);
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include <apsis/files/programs.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

namespace apsis {
namespace {

ProgramResult run(std::vector<std::string> arguments, std::string_view input = {}) {
  return run_program(arguments, input);
}

TEST(Programs, input_goes_in_and_output_comes_out) {
  const auto result = run({"cat"}, "hello");
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.output, "hello");
  EXPECT_EQ(result.errors, "");
}

TEST(Programs, more_than_a_pipe_holds_passes_both_ways) {
  const std::string text(5'000'000, 'z');
  EXPECT_EQ(run({"cat"}, text).output, text);
}

TEST(Programs, input_can_be_made_piece_by_piece) {
  int pieces = 0;
  std::string piece;
  const std::vector<std::string> arguments = {"wc", "-c"};
  const auto result = run_program(arguments, [&]() -> std::string_view {
    if (pieces == 50) return {};
    piece.assign(100'000, static_cast<char>('a' + pieces++ % 26));
    return piece;
  });
  EXPECT_EQ(std::stol(result.output), 5'000'000);
}

TEST(Programs, input_that_cannot_be_made_ends_the_program) {
  const std::vector<std::string> arguments = {"cat"};
  EXPECT_THROW(
      run_program(arguments, []() -> std::string_view { throw std::runtime_error("no more"); }),
      std::runtime_error);
  errno = 0;
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child was not waited for";
  EXPECT_EQ(errno, ECHILD);
}

TEST(Programs, exit_status_and_stderr_are_told) {
  const auto result = run({"sh", "-c", "echo oops >&2; exit 3"});
  EXPECT_EQ(result.exit_status, 3);
  EXPECT_EQ(result.errors, "oops\n");
}

TEST(Programs, that_do_not_end_are_killed_at_their_limit) {
  const std::vector<std::string> endless = {"sh", "-c", "echo begun; exec sleep 1000"};
  const auto result = run_program(endless, "", {.seconds = 1, .stopped = {}});
  EXPECT_TRUE(result.out_of_time);
  EXPECT_EQ(result.exit_status, 128 + SIGKILL);
  EXPECT_EQ(result.output, "begun\n");
  const auto stopped = run_program(endless, "", {.seconds = 1000, .stopped = [] { return true; }});
  EXPECT_FALSE(stopped.out_of_time);
  EXPECT_EQ(stopped.exit_status, 128 + SIGKILL);
}

TEST(Programs, that_end_within_their_limit_are_as_others) {
  const std::vector<std::string> cat = {"cat"};
  const std::string text(200'000, 'z');
  const auto result = run_program(cat, text, {.seconds = 1000, .stopped = {}});
  EXPECT_FALSE(result.out_of_time);
  EXPECT_EQ(result.output, text);
}

TEST(Programs, death_by_signal_is_128_and_the_signal) {
  EXPECT_EQ(run({"sh", "-c", "kill -9 $$"}).exit_status, 137);
}

TEST(Programs, one_that_reads_nothing_does_not_kill_us) {
  EXPECT_EQ(run({"true"}, std::string(5'000'000, 'z')).exit_status, 0);
}

TEST(Programs, one_that_reads_on_behind_its_last_word_sees_the_end_of_its_input) {
  EXPECT_EQ(
      run({"sh", "-c", "exec >&- 2>&-; cat >/dev/null"}, std::string(5'000'000, 'z')).exit_status,
      0);
}

TEST(Programs, arguments_meet_no_shell) {
  EXPECT_EQ(run({"printf", "%s", "$HOME; `date` *"}).output, "$HOME; `date` *");
}

TEST(Programs, a_missing_one_is_unavailable) {
  expect_error(ExitCode::unavailable, "no-such-program", [] { run({"no-such-program"}); });
  EXPECT_FALSE(find_program("no-such-program"));
  EXPECT_FALSE(find_program(""));
}

TEST(Programs, are_found_on_the_path) {
  const auto shell = find_program("sh");
  ASSERT_TRUE(shell);
  EXPECT_TRUE(shell->is_absolute());
  EXPECT_EQ(find_program(shell->string()), shell);
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
// Loops on several threads, and the teams below them.
#include <apsis/core/parallel.hpp>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

namespace apsis {
namespace {

constexpr int thread_counts[] = {1, 2, 3, 8};

class Pieces : public testing::TestWithParam<std::size_t> {};

TEST_P(Pieces, cover_every_element_once) {
  const std::size_t n = GetParam();
  for (const int threads : thread_counts) {
    for (const std::size_t piece : {1U, 3U, 64U, 100000U}) {
      std::vector<int> times(n, 0);
      parallel_pieces(n, piece, threads, [&](std::size_t begin, std::size_t end, int member) {
        EXPECT_GE(member, 0);
        EXPECT_LT(member, threads);
        EXPECT_LE(end - begin, piece);
        for (std::size_t i = begin; i < end; ++i) ++times[i];
      });
      EXPECT_EQ(times, std::vector<int>(n, 1)) << threads << " threads, pieces of " << piece;
    }
  }
}

TEST_P(Pieces, of_a_loop_and_of_tasks_cover_every_element_once) {
  const std::size_t n = GetParam();
  for (const int threads : thread_counts) {
    std::vector<int> times(n, 0);
    parallel_for(n, threads, [&](std::size_t i) { times[i] += 1; });
    parallel_tasks(n, threads, [&](std::size_t i) { times[i] += 2; });
    EXPECT_EQ(times, std::vector<int>(n, 3)) << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Pieces, testing::Values(0, 1, 2, 3, 63, 64, 65, 1000, 40001));

// Waits for others, but not for ever: without them the test fails, and does not hang.
template <class Done>
bool happens(Done&& done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

TEST(ThreadTeam, as_many_threads_as_asked_for_work_at_the_same_time) {
  constexpr int threads = 4;
  std::atomic<int> there{0};
  std::vector<char> met(threads, 0);
  parallel_pieces(threads, 1, threads, [&](std::size_t i, std::size_t, int) {
    there.fetch_add(1);
    met[i] = happens([&] { return there.load() == threads; }) ? 1 : 0;
  });
  EXPECT_EQ(met, std::vector<char>(threads, 1));
}

TEST(ThreadTeam, members_have_numbers_of_their_own) {
  constexpr int threads = 4;
  std::atomic<int> there{0};
  std::vector<int> member(threads, -1);
  parallel_pieces(threads, 1, threads, [&](std::size_t i, std::size_t, int m) {
    there.fetch_add(1);
    happens([&] { return there.load() == threads; });
    member[i] = m;
  });
  EXPECT_EQ(std::set<int>(member.begin(), member.end()), (std::set<int>{0, 1, 2, 3}));
}

TEST(ThreadTeam, no_more_threads_than_cores_unless_a_program_asks_for_it) {
  allow_crowded_teams(false);
  set_default_threads(0);
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_cores(), 1);
  EXPECT_EQ(default_threads(), 1);
  const auto here = std::this_thread::get_id();
  parallel_pieces(100, 1, 8, [&](std::size_t, std::size_t, int member) {
    EXPECT_EQ(member, 0);
    EXPECT_EQ(std::this_thread::get_id(), here);
  });
  EXPECT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  allow_crowded_teams(true);
}

TEST(ThreadTeam, a_loop_inside_of_a_loop_stays_on_its_thread) {
  constexpr std::size_t n = 32, inner = 50;
  std::vector<int> times(n * inner, 0);
  parallel_pieces(n, 1, 4, [&](std::size_t i, std::size_t, int) {
    const auto here = std::this_thread::get_id();
    parallel_pieces(inner, 1, 4, [&](std::size_t k, std::size_t, int member) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      EXPECT_EQ(member, 0);
      ++times[i * inner + k];
    });
  });
  EXPECT_EQ(times, std::vector<int>(n * inner, 1));
}

TEST(ThreadTeam, what_a_body_throws_arrives_at_the_caller_and_the_team_goes_on) {
  for (const int threads : thread_counts) {
    for (const std::size_t culprit : {0U, 1U, 57U, 99U}) {
      EXPECT_THROW(parallel_pieces(100, 1, threads,
                                   [&](std::size_t i, std::size_t, int) {
                                     if (i == culprit) throw std::runtime_error("here");
                                   }),
                   std::runtime_error);
    }
    std::atomic<int> done{0};
    parallel_tasks(100, threads, [&](std::size_t) { done.fetch_add(1); });
    EXPECT_EQ(done.load(), 100);
  }
}

TEST(ThreadTeam, several_callers_at_once_get_their_own_results) {
  constexpr int callers = 4, rounds = 200;
  constexpr std::size_t n = 500;
  std::vector<char> right(callers, 0);
  std::vector<std::thread> threads;
  for (int c = 0; c < callers; ++c) {
    threads.emplace_back([&right, c] {
      std::vector<std::size_t> values(n);
      bool all = true;
      for (int round = 0; round < rounds; ++round) {
        parallel_pieces(n, 7, 3, [&](std::size_t begin, std::size_t end, int) {
          for (std::size_t i = begin; i < end; ++i) values[i] = i * static_cast<std::size_t>(c + 1);
        });
        const auto sum = std::accumulate(values.begin(), values.end(), std::size_t{0});
        all = all && sum == n * (n - 1) / 2 * static_cast<std::size_t>(c + 1);
      }
      right[static_cast<std::size_t>(c)] = all ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, std::vector<char>(callers, 1));
}

// Short loops with pauses between them: helpers are met spinning, falling asleep and sleeping.
TEST(ThreadTeam, no_call_is_missed_however_long_helpers_wait_for_it) {
  constexpr std::size_t n = 16;
  std::size_t done = 0;
  constexpr std::size_t rounds = 2000;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::atomic<std::size_t> here{0};
    parallel_pieces(n, 1, 3, [&](std::size_t, std::size_t, int) { here.fetch_add(1); });
    done += here.load();
    const auto pause = std::chrono::microseconds(round % 100);
    const auto end = std::chrono::steady_clock::now() + pause;
    while (std::chrono::steady_clock::now() < end) {
    }
  }
  EXPECT_EQ(done, n * rounds);
}

TEST(ThreadTeam, a_forked_process_has_helpers_of_its_own) {
  parallel_tasks(8, 3, [](std::size_t) {});  // the parent's, which the child does not inherit
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    std::atomic<int> there{0};
    parallel_pieces(2, 1, 2, [&](std::size_t, std::size_t, int) {
      there.fetch_add(1);
      happens([&] { return there.load() == 2; });
    });
    _exit(there.load() == 2 ? 0 : 1);
  }
  ASSERT_GT(child, 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  parallel_tasks(8, 3, [](std::size_t) {});
}

TEST(ThreadTeam, the_default_is_what_the_program_has_set_or_all_cores) {
  set_default_threads(3);
  EXPECT_EQ(thread_count(0), 3);
  EXPECT_EQ(thread_count(7), 7);
  set_default_threads(0);
  EXPECT_EQ(thread_count(0), usable_cores());
}

}  // namespace
}  // namespace apsis

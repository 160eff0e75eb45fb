// SPDX-License-Identifier: MIT
// What `auto` makes of times that are noisy, contradictory or drifting, and what it remembers.
#include <apsis/engines/cached_entries.hpp>
#include <apsis/engines/remembered_choice.hpp>
#include <apsis/engines/rounds.hpp>
#include <apsis/engines/solver_times.hpp>
#include <apsis/files/file.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <support/cache_folder.hpp>

#include <random>

namespace apsis {
namespace {

constexpr int rounds = 5;

// A machine whose clock we make: every evaluation takes its own time, and what the machine adds.
class MadeUpMachine {
 public:
  explicit MadeUpMachine(std::function<double(double now)> slowdown)
      : slowdown_(std::move(slowdown)) {}

  std::function<double()> evaluation(double seconds) {
    return [this, seconds] {
      const double took = seconds * slowdown_(now_);
      now_ += took;
      return took;
    };
  }
  // Whether a candidate that is `gain` times as fast is taken where it has to be `factor` times.
  bool takes(double gain, double factor) {
    const std::vector<std::function<double()>> turns{evaluation(1), evaluation(1 / gain)};
    const auto times = taken_in_turns(turns, rounds);
    return surely_faster(times[1], times[0], factor);
  }

 private:
  std::function<double(double)> slowdown_;
  double now_ = 0;
};

TEST(Rounds, a_quiet_machine_is_believed) {
  MadeUpMachine machine([](double) { return 1.0; });
  EXPECT_TRUE(machine.takes(2, 1.5));
  EXPECT_FALSE(machine.takes(1.4, 1.5));
  EXPECT_FALSE(machine.takes(0.5, 1.05));
}

TEST(Rounds, noise_that_only_slows_down_does_not_hide_a_large_gain_nor_make_one_up) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> noise(1, 1.5);
    MadeUpMachine machine([&](double) { return noise(random); });
    EXPECT_TRUE(machine.takes(3, 1.5)) << seed;
    EXPECT_FALSE(machine.takes(0.9, 1.5)) << seed;
  }
}

TEST(Rounds, one_disturbed_moment_is_not_a_gain) {
  // the usual one is hit in every round but the last
  const Rounds usual{12, 12, 12, 12, 1}, candidate{1.1, 1.1, 1.1, 1.1, 1.1};
  EXPECT_FALSE(surely_faster(candidate, usual, 1.05));
}

TEST(Rounds, that_contradict_each_other_leave_the_usual_one_in_place) {
  // the fastest of each says twice as fast; one round says the opposite
  const Rounds usual{2, 2, 2.1, 2, 2}, candidate{1, 1, 2.2, 1, 1};
  EXPECT_FALSE(surely_faster(candidate, usual, 1.5));
  EXPECT_TRUE(surely_faster({1, 1, 1.2, 1, 1}, usual, 1.5));
}

TEST(Rounds, a_machine_that_slows_down_for_good_favours_nobody) {
  // by a factor of 3 over the measurement: whoever is measured first would seem 3 times as fast
  MadeUpMachine machine([](double now) { return 1 + now / 10; });
  EXPECT_FALSE(machine.takes(1, 1.05));
  MadeUpMachine again([](double now) { return 1 + now / 10; });
  EXPECT_TRUE(again.takes(2, 1.5));
}

TEST(Rounds, without_times_nothing_is_faster) {
  EXPECT_FALSE(surely_faster({}, {}, 1));
  EXPECT_FALSE(surely_faster({}, {1}, 1));
}

const PlaceAndSolver cpu_direct{"the native cpu", "direct"}, cpu_fmm{"the native cpu", "fmm"},
    card_fmm{"card", "fmm"};

TEST(RememberedChoice, changes_for_a_clear_gain_that_is_seen_twice_running) {
  RememberedChoice kept{cpu_direct, 7, std::nullopt};
  kept = after_look(kept, cpu_fmm, 2);
  EXPECT_EQ(kept.choice, cpu_direct);
  EXPECT_EQ(after_look(kept, cpu_fmm, 2).choice, cpu_fmm);
  EXPECT_EQ(after_look(kept, card_fmm, 2).choice, cpu_direct);
}

TEST(RememberedChoice, does_not_change_for_a_small_gain_or_one_that_was_gone_in_between) {
  RememberedChoice kept{cpu_direct, 7, std::nullopt};
  for (int look = 0; look < 20; ++look) kept = after_look(kept, cpu_fmm, 1.2);
  EXPECT_EQ(kept.choice, cpu_direct);
  for (int look = 0; look < 20; ++look) {
    kept = after_look(kept, look % 2 == 0 ? cpu_fmm : cpu_direct, 3);
    EXPECT_EQ(kept.choice, cpu_direct);
  }
}

TEST(RememberedChoice, is_looked_at_again_ever_more_rarely) {
  int looks = 0;
  for (int runs = 1; runs < 1000; ++runs) looks += looks_again({cpu_fmm, runs, std::nullopt});
  EXPECT_EQ(looks, 7);  // the 8th, 16th … 512th run
  EXPECT_FALSE(looks_again({cpu_fmm, 1, std::nullopt}));
}

class RememberedChoiceTest : public test::CacheFolderTest {};

TEST_F(RememberedChoiceTest, belongs_to_its_question) {
  const CachedJson few{{"bodies", 3000}}, many{{"bodies", 300000}};
  EXPECT_FALSE(remembered_choice(few).has_value());
  remember_choice(few, {cpu_direct, 1, std::nullopt});
  remember_choice(many, {card_fmm, 5, cpu_fmm});
  remember_choice(few, {cpu_direct, 2, std::nullopt});
  EXPECT_EQ(remembered_choice(few)->choice, cpu_direct);
  EXPECT_EQ(remembered_choice(few)->runs, 2);
  EXPECT_FALSE(remembered_choice(few)->rival.has_value());
  EXPECT_EQ(remembered_choice(many)->choice, card_fmm);
  EXPECT_EQ(remembered_choice(many)->rival, cpu_fmm);
}

TEST_F(RememberedChoiceTest, lives_beside_what_was_measured) {
  const TimedTask task{.device = "cpu", .driver = "AVX", .threads = 2};
  remember_solver_times(task, {3000, 1.0, 2.0});
  const CachedJson question{{"bodies", 3000}};
  remember_choice(question, {cpu_direct, 1, std::nullopt});
  EXPECT_EQ(known_solver_times(task).size(), 1U);
  remember_solver_times(task, {4000, 1.0, 2.0});
  EXPECT_EQ(remembered_choice(question)->choice, cpu_direct);
}

TEST_F(RememberedChoiceTest, a_damaged_entry_is_as_good_as_none) {
  write_text(solver_times_file(), R"([{"question": {"bodies": 1}, "taken": 7}, 3, null])");
  EXPECT_FALSE(remembered_choice({{"bodies", 1}}).has_value());
}

}  // namespace
}  // namespace apsis

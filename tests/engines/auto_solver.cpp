// SPDX-License-Identifier: MIT
// What solver = "auto" takes, and what it remembers.
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/solver_times.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/cache_folder.hpp>
#include <support/devices.hpp>

namespace apsis {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

using Known = std::vector<SolverTimes>;

// fmm as fast as is just worth it, times `more`.
SolverTimes measured(std::size_t bodies, double more) {
  return {bodies, fmm_pays_from * more, 1.0};
}

TEST(FmmPays, is_unknown_without_measurements) {
  EXPECT_FALSE(fmm_pays(Known{}, 1000).has_value());
}

TEST(FmmPays, for_more_bodies_than_it_once_did) {
  const Known known{measured(10'000, 1.1)};
  EXPECT_TRUE(fmm_pays(known, 10'000).value());
  EXPECT_TRUE(fmm_pays(known, 1'000'000).value());
}

TEST(FmmPays, never_for_fewer_bodies_than_it_once_did_not) {
  const Known known{measured(10'000, 0.9)};
  EXPECT_FALSE(fmm_pays(known, 10'000).value());
  EXPECT_FALSE(fmm_pays(known, 100).value());
}

// Direct grows with the square of n at most, fmm shrinks with n at best not at all.
TEST(FmmPays, is_known_as_far_as_the_ratio_can_not_have_passed_the_limit) {
  const Known slow{measured(10'000, 1 / 9.1)};
  EXPECT_FALSE(fmm_pays(slow, 30'000).value());
  EXPECT_FALSE(fmm_pays(slow, 31'000).has_value());
  const Known fast{measured(90'000, 9.1)};
  EXPECT_TRUE(fmm_pays(fast, 30'000).value());
  EXPECT_FALSE(fmm_pays(fast, 29'000).has_value());
}

TEST(FmmPays, between_two_measurements_follows_from_both) {
  // half of what it takes and twice that: the logarithms meet half-way
  const Known known{measured(10'000, 0.5), measured(40'000, 2)};
  EXPECT_FALSE(fmm_pays(known, 19'900).value());
  EXPECT_TRUE(fmm_pays(known, 20'100).value());
}

TEST(FmmPays, is_open_between_measurements_that_are_far_apart) {
  const Known known{measured(10'000, 0.5), measured(1'000'000, 2)};
  EXPECT_FALSE(fmm_pays(known, 100'000).has_value());
}

class AutoSolverTest : public test::CacheFolderTest {
 protected:
  static constexpr std::size_t body_count = 3000;

  static EngineSettings on_cpu() {
    return {.force = {.softening = 0.05},
            .device = {.name = "cpu", .precision = Precision::f32, .threads = 2}};
  }
  static TimedTask task() {
    return {.device = "cpu",
            .driver = std::string(direct_host_instruction_set()),
            .threads = 2,
            .precision = Precision::f32};
  }
  static LoadedEngine made(const EngineSettings& settings, std::size_t bodies = body_count) {
    return make_loaded_engine(settings, test::random_bodies(bodies));
  }
  static std::string solver_of(const LoadedEngine& made) { return made.engine->describe().solver; }
  static void forget() { std::filesystem::remove(solver_times_file()); }
};

TEST_F(AutoSolverTest, few_bodies_are_summed_directly_without_a_word) {
  const LoadedEngine few = made(on_cpu(), 100);
  EXPECT_EQ(solver_of(few), "direct");
  EXPECT_THAT(few.notices, IsEmpty());
  EXPECT_FALSE(file_exists(solver_times_file()));
}

TEST_F(AutoSolverTest, many_bodies_are_measured_once_and_the_choice_is_explained) {
  const LoadedEngine first = made(on_cpu());
  EXPECT_THAT(first.notices, Contains(HasSubstr("solver auto: ")));
  const auto known = known_solver_times(task());
  for (const SolverTimes& times : known) {  // none where rounds contradicted each other
    EXPECT_EQ(times.bodies, body_count);
    EXPECT_EQ(solver_of(first), fmm_pays(times) ? "fmm" : "direct");
  }
  EXPECT_EQ(first.engine->describe().bodies, body_count);

  const LoadedEngine second = made(on_cpu());
  EXPECT_EQ(solver_of(second), solver_of(first));
  EXPECT_THAT(second.notices, Contains(HasSubstr("by earlier measurements")));
  EXPECT_EQ(known_solver_times(task()).size(), known.size());
}

TEST_F(AutoSolverTest, the_same_question_gets_the_same_answer_whatever_is_learnt_in_between) {
  remember_solver_times(task(), {body_count, 1.0, 1.0});
  EXPECT_EQ(solver_of(made(on_cpu())), "direct");
  remember_solver_times(task(), {body_count - 100, 3.0, 1.0});
  for (int run = 0; run < 3; ++run) EXPECT_EQ(solver_of(made(on_cpu())), "direct");
  EXPECT_EQ(solver_of(made(on_cpu(), body_count - 50)), "fmm");
}

TEST_F(AutoSolverTest, what_is_known_decides) {
  remember_solver_times(task(), {body_count, 1.0, 2.0});
  EXPECT_EQ(solver_of(made(on_cpu())), "direct");
  forget();
  remember_solver_times(task(), {body_count, 1.0, 2.0});
  remember_solver_times(task(), {body_count, 3.0, 1.0});
  EXPECT_EQ(known_solver_times(task()).size(), 1U);
  EXPECT_EQ(solver_of(made(on_cpu())), "fmm");
  EngineSettings anywhere = on_cpu();
  anywhere.device.name = "auto";
  remember_solver_times(task(), {body_count, 1.0, 1e-3});
  const Resolution chosen = made(anywhere).engine->describe();
  // another device is known by its own times only
  if (chosen.on_cpu()) {
    EXPECT_EQ(chosen.solver, "fmm");
  }
}

TEST_F(AutoSolverTest, another_task_is_measured_on_its_own) {
  remember_solver_times(task(), {body_count, 3.0, 1.0});
  TimedTask other = task();
  other.far_field.accuracy = 1e-5;
  EXPECT_THAT(known_solver_times(other), IsEmpty());
  other = task(), other.threads = 1;
  EXPECT_THAT(known_solver_times(other), IsEmpty());
  other = task(), other.law = Law::coulomb;
  EXPECT_THAT(known_solver_times(other), IsEmpty());
}

TEST_F(AutoSolverTest, direct_stays_where_fmm_would_not_do) {
  remember_solver_times(task(), {body_count, 3.0, 1.0});
  EngineSettings settings = on_cpu();
  settings.needs_jerk = true;
  EXPECT_EQ(solver_of(made(settings)), "direct");
  EXPECT_THAT(made(settings).notices, Contains(HasSubstr("the integrator needs jerks")));
  settings = on_cpu(), settings.device.reproducible = true;
  EXPECT_EQ(solver_of(made(settings)), "direct");
  settings = on_cpu(), settings.device.precision = Precision::f64;
  EXPECT_EQ(solver_of(made(settings)), "direct");
  settings = on_cpu(), settings.device.variant = "soa";
  EXPECT_EQ(solver_of(made(settings)), "direct");
}

TEST_F(AutoSolverTest, a_wish_that_only_direct_sums_meet_is_theirs) {
  EngineSettings settings = on_cpu();
  settings.force.far_field.accuracy = 1e-9;
  const LoadedEngine exact = made(settings);
  EXPECT_EQ(solver_of(exact), "direct");
  EXPECT_THAT(exact.notices, Contains(HasSubstr("fmm on the native cpu is left out")));
}

TEST_F(AutoSolverTest, options_of_fmm_ask_for_fmm) {
  EngineSettings settings = on_cpu();
  settings.force.far_field.order = 4;
  EXPECT_EQ(solver_of(made(settings, 100)), "fmm");
}

TEST_F(AutoSolverTest, a_damaged_file_is_as_good_as_none) {
  for (const char* text : {"", "{", "[1, {}]", R"([{"task": 7, "bodies": 3000}])",
                           R"([{"task": {}, "bodies": -1, "seconds_direct": 0}])"}) {
    write_text(solver_times_file(), text);
    EXPECT_THAT(known_solver_times(task()), IsEmpty()) << text;
  }
  remember_solver_times(task(), {body_count, 3.0, 1.0});
  EXPECT_EQ(known_solver_times(task()).size(), 1U);
}

TEST_F(AutoSolverTest, a_device_that_is_named_has_its_own_measurement) {
  APSIS_NEED_DEVICE();
  const DeviceInfo& device = test::discovery().devices.front();
  EngineSettings settings = on_cpu();
  settings.device.name = "opencl";
  const TimedTask there{
      .device = device.name, .driver = device.driver, .precision = Precision::f32};
  remember_solver_times(there, {body_count, 1.0, 2.0});
  EXPECT_EQ(solver_of(made(settings)), "direct");
  forget();
  remember_solver_times(there, {body_count, 3.0, 1.0});
  EXPECT_EQ(solver_of(made(settings)), "fmm");
}

}  // namespace
}  // namespace apsis

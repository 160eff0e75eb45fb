// SPDX-License-Identifier: MIT
// summary.json is read back by --continue and by programs: nothing in it may be lost.
#include "run_test.hpp"
#include <apsis/run/summary.hpp>

#include <gtest/gtest.h>

namespace apsis {
namespace {

TEST(Summary, comes_back_as_it_was_written) {
  Summary s;
  s.title = "two \"galaxies\"", s.status = "stopped", s.exit_code = ExitCode::stopped;
  s.ended_by = EndedBy::signal, s.signal = "SIGTERM";
  s.steps = 17, s.time = 0.17, s.bodies = 64, s.seconds = 2.5;
  s.steps_per_second = 6.8, s.interactions_per_second = 1e6;
  s.energy_error_max = 2e-5, s.energy_error_end = 1e-5;
  s.drift = {.center_of_mass = 1e-9, .momentum = 2e-9, .angular_momentum = std::nullopt};
  s.force_error = ForceError{.median = 1e-7,
                             .rms = 2e-7,
                             .p90 = 3e-7,
                             .p99 = 4e-7,
                             .p999 = 5e-7,
                             .max = 6e-7,
                             .rms_normalized = 7e-7,
                             .samples = 64};
  s.files = {"energy.csv", "spec.toml"};
  s.warnings = {{WarningCode::coincident_bodies, "2 bodies"}};
  const auto back = summary_from_json(to_json(s));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->title, s.title);
  EXPECT_EQ(back->status, s.status);
  EXPECT_EQ(back->exit_code, s.exit_code);
  EXPECT_EQ(back->steps, s.steps);
  EXPECT_EQ(back->time, s.time);
  EXPECT_EQ(back->bodies, s.bodies);
  EXPECT_EQ(back->seconds, s.seconds);
  EXPECT_EQ(back->steps_per_second, s.steps_per_second);
  EXPECT_EQ(back->interactions_per_second, s.interactions_per_second);
  EXPECT_EQ(back->energy_error_max, s.energy_error_max);
  EXPECT_EQ(back->energy_error_end, s.energy_error_end);
  EXPECT_EQ(back->drift.center_of_mass, s.drift.center_of_mass);
  EXPECT_EQ(back->drift.momentum, s.drift.momentum);
  EXPECT_FALSE(back->drift.angular_momentum);
  ASSERT_TRUE(back->force_error);
  EXPECT_EQ(back->force_error->p99, s.force_error->p99);
  EXPECT_EQ(back->force_error->samples, s.force_error->samples);
  EXPECT_EQ(back->files, s.files);
  ASSERT_EQ(back->warnings.size(), 1U);
  EXPECT_EQ(back->warnings.front().text, "2 bodies");
}

TEST(Summary, of_somebody_else_is_none) {
  for (const char* text : {"", "7", "[]", "{}", "{\"title\": 3}", "{\"warnings\": [1]}"}) {
    EXPECT_FALSE(summary_from_json(text)) << text;
  }
}

class SummaryOfRun : public RunTest {};

TEST_F(SummaryOfRun, has_the_title_and_the_end) {
  const RunResult result = start_run(spec("a", {"title=two words", "device.name=cpu"}), false, {});
  EXPECT_EQ(result.summary.title, "two words");
  EXPECT_EQ(result.summary.steps, 40U);
  EXPECT_NEAR(result.summary.end.total(), -0.25, 0.05);  // Henon units
  EXPECT_GT(result.summary.steps_per_second, 0);
  EXPECT_EQ(read_text(top_ / "a/summary.json"), to_json(result.summary));
}

TEST_F(SummaryOfRun, drifts_by_rounding_alone_where_forces_come_in_pairs) {
  const Drift drift =
      start_run(spec("a", {"force.solver=reference", "device.name=cpu", "device.precision=f64"}),
                false, {})
          .summary.drift;
  // 64 bodies, 40 steps, doubles: some units in the last place for each sum
  EXPECT_LT(drift.center_of_mass.value(), 1e-12);
  EXPECT_LT(drift.momentum.value(), 1e-12);
  EXPECT_LT(drift.angular_momentum.value(), 1e-12);
}

TEST_F(SummaryOfRun, tells_of_momentum_that_a_field_gave) {
  const auto with_field = [&](const char* folder, const char* strength) {
    return start_run(spec(folder, {"device.name=cpu", strength}), false, {}).summary.drift;
  };
  const Drift pulled = with_field("a", "external.uniform.x=0.5");
  EXPECT_GT(pulled.momentum.value(), 1e-3);
  EXPECT_GT(pulled.center_of_mass.value(), 1e-3);
}

TEST_F(SummaryOfRun, that_was_stopped_has_the_drift_of_an_unbroken_one) {
  const Drift unbroken =
      start_run(spec("a", {"device.name=cpu", "time.burst=1"}), false, {}).summary.drift;
  std::uint64_t seen = 0;
  start_run(spec("b", {"device.name=cpu", "time.burst=1"}), false, stopping_at(17, seen));
  const Drift resumed = resume_run(top_ / "b", {}, {}).summary.drift;
  EXPECT_EQ(resumed.center_of_mass, unbroken.center_of_mass);
  EXPECT_EQ(resumed.momentum, unbroken.momentum);
  EXPECT_EQ(resumed.angular_momentum, unbroken.angular_momentum);
  EXPECT_TRUE(unbroken.momentum);
}

}  // namespace
}  // namespace apsis

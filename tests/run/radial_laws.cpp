// SPDX-License-Identifier: MIT
// Runs by another radial law: they conserve its energy, go on with the same bits, and their
// snapshots say it.
#include "run_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/radial_laws.hpp>

namespace apsis {
namespace {

using testing::HasSubstr;
using testing::Not;

class RadialRunTest : public RunTest {};

TEST_F(RadialRunTest, energy_is_that_of_the_law) {
  for (const char* integrator : {"leapfrog", "hermite4"}) {
    const RunResult result = start_run(
        spec(integrator, {"force.radial=yukawa", "force.range=0.4", "device.precision=f64",
                          "time.step=0.002", std::string("time.integrator=") + integrator}),
        false, {});
    ASSERT_TRUE(result.summary.energy_error_max.has_value());
    // a softening of 0.05 takes a few hundredths to cross; the potential of another law is off by
    // tenths
    EXPECT_LT(*result.summary.energy_error_max, 1e-4) << integrator;
  }
}

TEST_F(RadialRunTest, a_run_that_was_stopped_goes_on_with_the_same_bits) {
  const std::vector<std::string> keys{"force.radial=yukawa", "force.range=0.4", "time.burst=1"};
  start_run(spec("whole", keys), false, {});
  std::uint64_t seen = 0;
  start_run(spec("parts", keys), false, stopping_at(17, seen));
  resume_run(top_ / "parts", {}, {});
  EXPECT_EQ(final_state(top_ / "parts"), final_state(top_ / "whole"));
  EXPECT_EQ(read_text(top_ / "parts/energy.csv"), read_text(top_ / "whole/energy.csv"));
}

TEST_F(RadialRunTest, a_run_from_its_snapshot_takes_over_the_law) {
  start_run(spec("first", {"force.radial=yukawa", "force.range=0.4"}), false, {});
  const auto snapshot = list_files(top_ / "first", "snapshot_").back();
  EXPECT_EQ(read_snapshot(snapshot).law.radial, test::yukawa(0.4));
  const std::string file = "initial.file=" + snapshot.string();
  const auto from_file = [&](const char* folder, const std::vector<std::string>& keys) {
    RunSpec from = spec(folder, keys);
    from.initial = {};
    set_key(from, file);
    set_key(from, "time.until=0.45");
    start_run(from, false, {});
    return parse_run_spec(read_text(top_ / folder / "spec.toml"), folder).force;
  };
  const ForceSettings same = from_file("same", {});
  EXPECT_EQ(law_of(same).radial, test::yukawa(0.4));
  EXPECT_EQ(law_of(from_file("longer", {"force.range=0.8"})).radial, test::yukawa(0.8));
  EXPECT_EQ(law_of(from_file("newton", {"force.radial=newton"})).radial, RadialLaw{});
}

TEST_F(RadialRunTest, nothing_is_said_of_newton) {
  start_run(spec("usual"), false, {});
  EXPECT_THAT(read_text(top_ / "usual/spec.toml"), Not(HasSubstr("radial")));
}

TEST_F(RadialRunTest, a_range_is_asked_for_and_refused_where_it_means_nothing) {
  std::string text;
  EXPECT_EQ(code_of([&] { start_run(spec("a", {"force.radial=yukawa"}), false, {}); }, &text),
            ExitCode::bad_data);
  EXPECT_THAT(text, HasSubstr("needs force.range"));
  EXPECT_EQ(code_of([&] { start_run(spec("b", {"force.range=1"}), false, {}); }, &text),
            ExitCode::bad_data);
  EXPECT_THAT(text, HasSubstr("force.range = 1 means nothing"));
}

}  // namespace
}  // namespace apsis

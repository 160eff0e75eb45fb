// SPDX-License-Identifier: MIT
// Runs that start from a file: what it brings, and what it cannot be asked for.
#include "run_test.hpp"
#include <apsis/initial/model.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apsis {
namespace {

using testing::HasSubstr;

TEST_F(RunTest, a_file_brings_its_own_units_constant_softening_and_time) {
  Snapshot start{.bodies = make_model({.model = "plummer", .bodies = 32}).bodies,
                 .time = 5,
                 .units = custom_units(3e21, 2e43, 1e5),
                 .law = {.constant = 2.5, .softening = 0.25}};
  start.units.name = "mine";
  write_snapshot(top_ / "start.csv", start);
  RunSpec from_file;
  from_file.initial.file = (top_ / "start.csv").string();
  from_file.output.directory = (top_ / "a").string();
  from_file.output.pictures = false;
  const auto result = start_run(from_file, false, {});
  EXPECT_EQ(result.summary.time, 6);  // a hundred steps on
  const RunSpec used = parse_run_spec(read_text(top_ / "a/spec.toml"), "spec.toml");
  EXPECT_EQ(used.force.constant, 2.5);
  EXPECT_EQ(used.force.softening, 0.25);
  EXPECT_EQ(used.units.length_in_cm, 3e21);
  EXPECT_EQ(used.initial.bodies, 32U);
}

class RunOfFile : public RunTest {
 protected:
  // Of two bodies at time 5.
  RunSpec from_file(const std::vector<std::string>& keys = {}) const {
    write_text(top_ / "two.csv",
               "# time = 5\nid,m,x,y,z,vx,vy,vz\n0,1,0,0,0,0,0,0\n1,1,1,0,0,0,1,0\n");
    RunSpec given;
    given.initial.file = (top_ / "two.csv").string();
    given.output.directory = (top_ / "a").string();
    given.output.pictures = false;
    for (const auto& key : keys) set_key(given, key);
    return given;
  }
  RunListener listening() {
    RunListener listener;
    listener.notice = [this](const std::string& text) { said_ += text + "\n"; };
    listener.warning = [this](const Warning& warning) { told_.push_back(warning.code); };
    return listener;
  }
  std::string said_;
  std::vector<WarningCode> told_;
};

TEST_F(RunOfFile, takes_no_number_of_bodies_and_no_options_but_its_own) {
  std::string text;
  EXPECT_EQ(code_of([&] { start_run(from_file({"initial.bodies=3"}), false, {}); }, &text),
            ExitCode::bad_data);
  EXPECT_THAT(text, HasSubstr("initial.bodies = 3, but"));
  EXPECT_EQ(code_of([&] { start_run(from_file({"initial.w0=3"}), false, {}); }, &text),
            ExitCode::bad_data);
  EXPECT_THAT(text, HasSubstr("unknown key 'initial.w0'"));
  EXPECT_EQ(start_run(from_file({"initial.bodies=2"}), false, {}).summary.bodies, 2U);
}

TEST_F(RunOfFile, that_is_already_beyond_the_end_makes_no_step_and_says_so) {
  for (const char* until : {"time.until=5", "time.until=4.5"}) {
    told_.clear();
    const RunResult result = start_run(from_file({until}), true, listening());
    EXPECT_EQ(result.summary.steps, 0U) << until;
    EXPECT_THAT(told_, testing::ElementsAre(WarningCode::no_step)) << until;
  }
}

TEST_F(RunOfFile, goes_on_at_its_time_when_it_is_resumed) {
  std::uint64_t seen = 0;
  start_run(from_file({"time.burst=1"}), false, stopping_at(3, seen));
  const RunResult result = resume_run(top_ / "a", {}, {});
  EXPECT_DOUBLE_EQ(result.summary.time, 6);
  EXPECT_EQ(result.summary.steps, 100U);
}

TEST_F(RunOfFile, says_where_its_units_are_from) {
  start_run(from_file(), false, listening());
  EXPECT_THAT(said_, HasSubstr("units: dimensionless, G = 1 (assumed: " +
                               (top_ / "two.csv").string() + " names none)"));
  said_.clear();
  start_run(from_file({"units.system=henon", "time.burst=1"}), true, listening());
  EXPECT_THAT(said_, HasSubstr("units: henon, G = 1 (spec)"));
  said_.clear();
  start_run(from_file({"units.system=kpc-msun-kms"}), true, listening());
  EXPECT_THAT(said_, HasSubstr("units: kpc, Msun, km/s, G = 4.30"));
  said_.clear();
  start_run(from_file({"units.system=custom", "units.length_in_cm=2", "units.mass_in_g=3",
                       "units.velocity_in_cm_per_s=5"}),
            true, listening());
  EXPECT_THAT(said_, HasSubstr("units: length 2 cm, mass 3 g, velocity 5 cm/s, G = "));
}

TEST_F(RunOfFile, without_charges_cannot_be_one_of_charges) {
  EXPECT_EQ(code_of([&] { start_run(from_file({"force.law=coulomb"}), false, {}); }),
            ExitCode::bad_data);
}

}  // namespace
}  // namespace apsis

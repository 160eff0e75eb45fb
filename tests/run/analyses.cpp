// SPDX-License-Identifier: MIT
// What output.analyse writes while a run goes on: the figures of its states, cut back and gone on
// with like every log, the same wherever the run is computed, and without a trace in its result.
#include "run_test.hpp"
#include <apsis/measure/potentials.hpp>
#include <apsis/run/run_analyses.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/devices.hpp>

#include <sstream>

namespace apsis {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using Keys = std::vector<std::string>;

const std::string all = "output.analyse=lagrangian,centre,bound,profile,groups,orbits";

class RunAnalysesTest : public RunTest {
 protected:
  std::string file(const std::string& folder, const std::string& name) const {
    return read_text(top_ / folder / (name + ".csv"));
  }
  // Without comments and the names of columns.
  std::vector<std::string> rows(const std::string& folder, const std::string& name) const {
    std::istringstream text(file(folder, name));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
      if (!line.starts_with("#")) lines.push_back(line);
    }
    EXPECT_TRUE(lines.at(0).starts_with("time,")) << lines.at(0);
    lines.erase(lines.begin());
    return lines;
  }
  std::vector<std::string> times(const std::string& folder, const std::string& name) const {
    std::vector<std::string> found;
    for (const std::string& row : rows(folder, name)) {
      const std::string time = row.substr(0, row.find(','));
      if (found.empty() || found.back() != time) found.push_back(time);
    }
    return found;
  }
  void expect_same_files(const std::string& a, const std::string& b) const {
    for (const auto& [value, name] : Choice<AnalysisName>::values) {
      EXPECT_EQ(file(a, std::string(name)), file(b, std::string(name))) << name;
    }
  }
};

TEST_F(RunAnalysesTest, say_of_a_state_what_its_snapshot_would) {
  const RunResult result =
      start_run(spec("a", {all, "output.analyse_every=0.1", "device.threads=2"}), false, {});
  const auto snapshots = list_files(top_ / "a", "snapshot_");
  ASSERT_EQ(snapshots.size(), 5U);
  for (const auto& [value, name] : Choice<AnalysisName>::values) {
    const analysis::Analysis& analysis = analysis_of(value);
    std::string expected;
    for (const auto& path : snapshots) {
      const Snapshot state = read_snapshot(path);
      const auto potentials = [&](const Bodies& bodies) {
        return pair_potentials_of(bodies, state.law, 1);
      };
      for (const auto& row : series_rows(analysis,
                                         {.bodies = state.bodies,
                                         .time = state.time,
                                         .gravity = state.law.constant,
                                         .potentials_of = potentials},
                                         {})) {
        expected += analysis::csv_line(row);
      }
    }
    std::string written;
    for (const auto& row : rows("a", std::string(name))) written += row + "\n";
    EXPECT_EQ(written, expected) << name;
    EXPECT_THAT(result.summary.files, testing::Contains(log_name(value)));
    EXPECT_THAT(file("a", std::string(name)),
                AllOf(testing::StartsWith(fmt::format("# analysis = {}\n", name)),
                      HasSubstr("# units = henon\n")));
  }
}

TEST_F(RunAnalysesTest, change_no_bit_of_the_run) {
  start_run(spec("without"), false, {});
  start_run(spec("with", {all, "output.analyse_every=0.03", "time.burst=7"}), false, {});
  EXPECT_EQ(final_state(top_ / "with"), final_state(top_ / "without"));
  EXPECT_EQ(file("with", "energy"), file("without", "energy"));
  EXPECT_FALSE(file_exists(top_ / "without/lagrangian.csv"));
  EXPECT_THAT(read_text(top_ / "without/spec.toml"), Not(HasSubstr("analyse")));
}

TEST_F(RunAnalysesTest, come_with_the_energies_unless_another_time_is_given) {
  start_run(spec("a", {"output.analyse=centre", "output.energy_every=0.2"}), false, {});
  EXPECT_THAT(times("a", "centre"), ElementsAre("0", "0.2", "0.4"));
  start_run(spec("b", {"output.analyse=centre", "output.analyse_every=0"}), false, {});
  EXPECT_THAT(times("b", "centre"), ElementsAre("0", "0.4"));
  std::string said;
  RunListener listener;
  listener.notice = [&](const std::string& text) { said += text + "\n"; };
  start_run(spec("c", {"output.analyse=centre", "output.analyse_every=0.03", "time.burst=40",
                       "output.energy_every=0", "output.snapshot_every=0"}),
            false, listener);
  EXPECT_THAT(said, HasSubstr("bursts end after 3 steps, not time.burst = 40, for "
                              "output.analyse_every = 0.03"));
}

TEST_F(RunAnalysesTest, are_cut_back_when_a_run_is_resumed) {
  start_run(spec("whole", {all}), false, {});
  for (const std::uint64_t at : {1U, 17U, 33U}) {
    const std::string folder = "parts" + std::to_string(at);
    std::uint64_t seen = 0;
    start_run(spec(folder, {all, "time.burst=1"}), false, stopping_at(at, seen));
    // what a run that was killed behind its checkpoint has written
    write_text(top_ / folder / "bound.csv", file(folder, "bound") + "0.9,lost\n");
    resume_run(top_ / folder, {}, {});
    expect_same_files(folder, "whole");
  }
  start_run(spec("short", {all, "time.until=0.2", "output.energy_every=0.05"}), false, {});
  continue_run(spec("short", {all, "output.energy_every=0.05"}), {});
  expect_same_files("short", "whole");
}

TEST_F(RunAnalysesTest, belong_to_what_the_run_is) {
  std::uint64_t seen = 0;
  start_run(spec("a", {"output.analyse=centre", "time.burst=1"}), false, stopping_at(17, seen));
  std::string text;
  EXPECT_EQ(code_of([&] { continue_run(spec("a", {"output.analyse=bound"}), {}); }, &text),
            ExitCode::bad_data);
  EXPECT_THAT(text, HasSubstr("output.analyse = [\"centre\"] in it and [\"bound\"]"));
  fs::remove(top_ / "a/centre.csv");
  EXPECT_EQ(code_of([&] { resume_run(top_ / "a", {}, {}); }, &text), ExitCode::file_error);
  EXPECT_THAT(text, HasSubstr("centre.csv"));
}

TEST_F(RunAnalysesTest, are_those_of_the_host_on_a_device_and_on_halves_of_it) {
  APSIS_NEED_DEVICE();
  const Keys keys{all, "device.precision=f64", "device.reproducible=true", "force.solver=direct"};
  const auto run_on = [&](const char* folder, const char* device) {
    Keys more = keys;
    more.emplace_back(std::string("device.name=") + device);
    start_run(spec(folder, more), false, {});
  };
  run_on("host", "cpu");
  run_on("one", "opencl:0");
  expect_same_files("one", "host");
  run_on("halves", "opencl:0/2");
  expect_same_files("halves", "host");
}

TEST_F(RunAnalysesTest, follow_bodies_that_merge) {
  const RunResult result = start_run(
      spec("a", {"initial.model=planetesimals", "initial.bodies=200", "initial.filling=0.05",
                 "time.until=0.6", "output.analyse=lagrangian,orbits"}),
      false, {});
  ASSERT_LT(result.summary.bodies, 200U);
  EXPECT_THAT(
      rows("a", "lagrangian").back(),
      testing::StartsWith(fmt::format("{},{},", result.summary.time, result.summary.bodies)));
  std::size_t at_end = 0;
  for (const std::string& row : rows("a", "orbits")) {
    at_end += row.starts_with(fmt::format("{},", result.summary.time)) ? 1 : 0;
  }
  EXPECT_EQ(at_end, result.summary.bodies - 1);
}

TEST_F(RunAnalysesTest, that_have_nothing_to_say_do_not_end_a_run) {
  std::string text = "id,m,x,y,z\n";  // most of them in one place: no linking length follows
  for (int i = 0; i < 40; ++i) text += fmt::format("{},1,{},0,0\n", i, i > 38 ? 5 : 0);
  write_text(top_ / "start.csv", text);
  RunSpec odd = spec("a", {all, "force.softening=0.1"});
  odd.initial.model.clear(), odd.initial.bodies.reset();
  odd.initial.file = (top_ / "start.csv").string();
  EXPECT_EQ(start_run(odd, false, {}).summary.status, "finished");
  EXPECT_THAT(rows("a", "groups").front(), testing::StartsWith("0,,0,0,,"));
}

TEST_F(RunAnalysesTest, about_gravity_are_refused_where_charges_act) {
  std::string text;
  const Keys charges{"initial.model=lattice", "initial.bodies=8", "force.law=coulomb"};
  for (const char* name : {"bound", "orbits"}) {
    Keys keys = charges;
    keys.emplace_back(std::string("output.analyse=") + name);
    EXPECT_EQ(code_of([&] { start_run(spec("a", keys), false, {}); }, &text), ExitCode::bad_data);
    EXPECT_THAT(text,
                HasSubstr(fmt::format("output.analyse names {}, which is about gravity", name)));
    EXPECT_FALSE(file_exists(top_ / "a/spec.toml"));
  }
  Keys keys = charges;
  keys.emplace_back("output.analyse=lagrangian,centre,profile,groups");
  EXPECT_EQ(start_run(spec("a", keys), false, {}).summary.status, "finished");
}

TEST_F(RunAnalysesTest, leave_a_users_tables_of_their_names_alone) {
  fs::create_directories(top_ / "a");
  write_text(top_ / "a/groups.csv", "id,group\n1,0\n");
  std::string text;
  EXPECT_EQ(code_of([&] { start_run(spec("a", {"output.analyse=groups"}), false, {}); }, &text),
            ExitCode::file_error);
  EXPECT_THAT(text, AllOf(HasSubstr("holds groups.csv"), HasSubstr("--force")));
  EXPECT_FALSE(file_exists(top_ / "a/spec.toml"));
  start_run(spec("a", {"output.analyse=centre"}), false, {});  // which has no use for the name
  const RunResult again = start_run(spec("a"), true, {});
  EXPECT_EQ(file("a", "groups"), "id,group\n1,0\n");
  EXPECT_FALSE(file_exists(top_ / "a/centre.csv"));  // of the run that was replaced
  EXPECT_THAT(again.summary.files, Not(testing::Contains("groups.csv")));
  start_run(spec("a", {"output.analyse=groups"}), true, {});
  EXPECT_THAT(file("a", "groups"), testing::StartsWith("# analysis = groups\n"));
}

TEST_F(RunAnalysesTest, count_when_space_is_looked_for) {
  const RunSpec small = spec("a", {"output.analyse=lagrangian", "output.analyse_every=0.1"});
  const SimulationPlan plan{.step = 0.01, .last_step = 40};
  const double of_radii = analyses_size(small, plan, 1000000);
  EXPECT_GT(of_radii, 6 * 12 * 10);
  EXPECT_LT(of_radii, 1e4);
  RunSpec large = small;
  large.output.analyse = {AnalysisName::orbits};
  EXPECT_GT(analyses_size(large, plan, 1000000), 6e8);
  EXPECT_EQ(analyses_size(spec("a"), plan, 1000000), 0);
}

TEST(RunAnalyses, have_a_row_in_the_table_of_analyses_each) {
  std::vector<std::string> names;
  for (const analysis::Analysis& analysis : analysis::analyses()) names.push_back(analysis.name);
  EXPECT_THAT(choice_names<AnalysisName>(), testing::UnorderedElementsAreArray(names));
}

}  // namespace
}  // namespace apsis

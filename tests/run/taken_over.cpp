// SPDX-License-Identifier: MIT
// What was decided when a run began is taken over by every later part of it, and by a run that
// repeats its spec: nothing is measured or settled twice.
#include "run_test.hpp"
#include <apsis/io/checkpoint.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

namespace apsis {
namespace {

using testing::HasSubstr;

class TakenOver : public RunTest {
 protected:
  RunSpec written(const std::string& folder) const {
    return parse_run_spec(read_text(top_ / folder / "spec.toml"), "spec.toml");
  }
  const std::vector<std::string> fmm_{
      "force.solver=fmm",    "force.accuracy=1e-5", "device.name=cpu", "device.precision=f64",
      "initial.bodies=2000", "time.until=0.1",      "time.burst=1"};
};

TEST_F(TakenOver, a_repeated_spec_has_the_variant_of_the_first_run_not_the_best) {
  start_run(spec("a"), false, {});
  RunSpec again = written("a");
  const std::string first = again.resolved.at("variant");
  std::string other;
  for (const std::string& name : direct_host_variants(*again.device.precision)) {
    if (name != first) other = name;
  }
  if (other.empty()) GTEST_SKIP() << "there is only one variant";
  again.resolved["variant"] = other;
  again.output.directory = (top_ / "b").string();
  EXPECT_EQ(start_run(again, false, {}).summary.resolved.at("variant"), other);
}

TEST_F(TakenOver, choices_for_other_bodies_are_not) {
  start_run(spec("a"), false, {});
  RunSpec again = written("a");
  again.resolved["variant"] = "no such variant";
  again.initial.bodies = 65;
  again.output.directory = (top_ / "b").string();
  EXPECT_NE(start_run(again, false, {}).summary.resolved.at("variant"), "no such variant");
}

TEST_F(TakenOver, ranks_are_recorded_only_where_there_are_several) {
  EXPECT_FALSE(start_run(spec("a"), false, {}).summary.resolved.contains("ranks"));
}

TEST_F(TakenOver, a_resumed_run_of_fmm_keeps_what_it_settled_for_even_where_that_is_bad) {
  std::uint64_t seen = 0;
  start_run(spec("a", fmm_), false, stopping_at(3, seen));
  const auto file = checkpoint_files(top_ / "a").front();
  Checkpoint crafted = read_checkpoint(file);
  const std::string bad = "order=3 angle=1 tolerance=0.1 leaf=32/96 roots=full";
  crafted.spec_toml = std::regex_replace(crafted.spec_toml, std::regex("sizes = \"[^\"]*\""),
                                         "sizes = \"" + bad + "\"");
  write_atomically(file, encode_checkpoint(crafted));
  fs::remove(top_ / "a/spec.toml");
  std::string told;
  RunListener listener;
  listener.warning = [&](const Warning& warning) { told += warning.text + "\n"; };
  const RunResult result = resume_run(top_ / "a", {}, listener);
  EXPECT_EQ(result.summary.resolved.at("sizes"), bad);
  EXPECT_THAT(told, HasSubstr("wanted was force.accuracy = 1e-05"));
  EXPECT_THAT(told, HasSubstr("try a smaller force.accuracy"));
}

TEST_F(TakenOver, a_run_of_fmm_goes_on_to_the_same_bits) {
  start_run(spec("whole", fmm_), false, {});
  std::uint64_t seen = 0;
  start_run(spec("cut", fmm_), false, stopping_at(3, seen));
  const RunResult result = resume_run(top_ / "cut", {}, {});
  EXPECT_TRUE(result.summary.bit_identical);
  EXPECT_EQ(final_state(top_ / "cut"), final_state(top_ / "whole"));
  EXPECT_EQ(read_file(top_ / "cut/energy.csv"), read_file(top_ / "whole/energy.csv"));
}

// The folder that a run is resumed in is where it is, whatever it was called when it began.
TEST_F(TakenOver, a_folder_that_was_moved_goes_on_where_it_is) {
  std::uint64_t seen = 0;
  start_run(spec("a", {"time.burst=1"}), false, stopping_at(17, seen));
  fs::rename(top_ / "a", top_ / "b");
  const RunResult result = resume_run(top_ / "b", {}, {});
  EXPECT_EQ(result.folder, top_ / "b");
  EXPECT_EQ(written("b").output.directory, (top_ / "b").string());
  EXPECT_FALSE(folder_exists(top_ / "a"));
  EXPECT_EQ(list_files(top_ / "b", "snapshot_").size(), 5U);
}

TEST_F(TakenOver, the_name_of_the_folder_in_its_spec_means_nothing) {
  std::uint64_t seen = 0;
  start_run(spec("a", {"time.burst=1"}), false, stopping_at(17, seen));
  const auto file = top_ / "a/spec.toml";
  write_text(file, std::regex_replace(read_text(file), std::regex("directory = .*"),
                                      "directory = \"elsewhere\""));
  EXPECT_EQ(resume_run(top_ / "a", {}, {}).summary.exit_code, ExitCode::done);
}

}  // namespace
}  // namespace apsis

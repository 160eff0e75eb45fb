// SPDX-License-Identifier: MIT
// Runs that version 0.1 left behind a checkpoint (tests/files/0.1/runs) go on with this version,
// and end where 0.1 ended without a break. A run in f64 that was asked to be reproducible ends with
// the same bits, on whatever there is to compute on; the others agree to rounding.
#include "files/scratch_folder.hpp"
#include <apsis/core/error.hpp>
#include <apsis/device/devices.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/energy_log.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/run/run.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <support/old_files.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace apsis {
namespace {

namespace fs = std::filesystem;

fs::path old_runs() { return test::files_of_0_1() / "runs"; }

std::vector<std::string> names_of_runs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(old_runs())) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class RunOf01 : public testing::TestWithParam<std::string> {
 protected:
  fs::path old() const { return old_runs() / GetParam(); }
  fs::path end() const { return old() / "end"; }
  // As 0.1 left it when it was broken off.
  fs::path copy() const {
    fs::path here = scratch_ / "run";
    make_folder(here);
    for (const auto& file : list_files(old())) fs::copy(file, here / file.filename());
    return here;
  }
  static RunSpec spec_of(const fs::path& run) {
    return parse_run_spec(read_text(run / "spec.toml"), "spec.toml");
  }
  void expect_the_same_end(const fs::path& here) const {
    const RunSpec spec = spec_of(old());
    const double tolerance = tolerance_for(spec, spec_of(here));
    const Bodies ours = read_snapshot(list_files(here, "snapshot_").back()).bodies;
    const Bodies theirs = read_snapshot(end() / "snapshot.csv").bodies;
    const bool same_bits = spec.device.reproducible && !sums_are_the_compilers(spec);
    if (same_bits) {
      EXPECT_EQ(ours, theirs);
    } else {
      expect_near(ours, theirs, tolerance);
    }
    // devices add up figures in an order of their own
    if (same_bits && spec.resolved.at("device") == "cpu") {
      EXPECT_EQ(read_text(here / "energy.csv"), read_text(end() / "energy.csv"));
    } else {
      expect_near(read_energy_log(here / "energy.csv"), read_energy_log(end() / "energy.csv"),
                  tolerance);
    }
  }

  ScratchFolder scratch_;

 private:
  // 0.1 was built by GCC; how a compiler orders the sums of jerks is its own (docs/accuracy.md).
  static bool sums_are_the_compilers([[maybe_unused]] const RunSpec& spec) {
#ifdef __clang__
    return spec.time.integrator == "hermite4";
#else
    return false;
#endif
  }
  // Forces in float of 16 bodies that are softened over a tenth of their distance differ by 1e-6 or
  // so with the order of sums; 20 to 40 steps of 0.01 add that up to less than 1e-5. Those of tree
  // and fmm differ by the error that was asked for, 1e-3, where other vectors make another choice.
  static double tolerance_for(const RunSpec& then, const RunSpec& now) {
    const std::string solver = then.resolved.at("solver");
    const bool approximate = solver == "tree" || solver == "fmm";
    if (approximate && then.resolved.at("driver") != now.resolved.at("driver")) return 4e-4;
    return then.device.precision == Precision::f64 ? 1e-12 : 1e-5;
  }
  static void expect_near(const Bodies& ours, const Bodies& theirs, double tolerance) {
    ASSERT_EQ(ours.size(), theirs.size());
    EXPECT_EQ(ours.id, theirs.id);
    EXPECT_EQ(ours.charge, theirs.charge);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      EXPECT_LE(norm(ours.position(i) - theirs.position(i)), tolerance) << "body " << i;
      EXPECT_LE(norm(ours.velocity(i) - theirs.velocity(i)), tolerance) << "body " << i;
    }
  }
  static void expect_near(const std::vector<EnergyRow>& ours, const std::vector<EnergyRow>& theirs,
                          double tolerance) {
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t k = 0; k < ours.size(); ++k) {
      EXPECT_EQ(ours[k].step, theirs[k].step);
      EXPECT_EQ(ours[k].time, theirs[k].time);
      const double scale = std::max(1.0, std::abs(theirs[k].energies.potential));
      EXPECT_NEAR(ours[k].energies.kinetic, theirs[k].energies.kinetic, scale * tolerance);
      EXPECT_NEAR(ours[k].energies.potential, theirs[k].energies.potential, scale * tolerance);
    }
  }
};

// Whoever reads summaries finds what was there, in the same place and of the same kind.
void expect_the_keys_of(const fs::path& old_summary, const fs::path& new_summary) {
  const auto then = nlohmann::json::parse(read_text(old_summary));
  const auto now = nlohmann::json::parse(read_text(new_summary));
  for (const auto& [key, value] : then.items()) {
    ASSERT_TRUE(now.contains(key)) << key;
    EXPECT_STREQ(now[key].type_name(), value.type_name()) << key;
  }
}

TEST_P(RunOf01, goes_on_to_the_end_that_0_1_reached_unbroken) {
  const fs::path here = copy();
  std::string notices;
  RunListener listener;
  listener.warning = [&](const Warning& warning) { notices += warning.text + "\n"; };
  const RunResult result = resume_run(here, {}, listener);
  EXPECT_EQ(result.summary.exit_code, ExitCode::done);
  EXPECT_EQ(result.summary.steps, 40U);
  expect_the_same_end(here);
  expect_the_keys_of(end() / "summary.json", here / "summary.json");
  // what is compared here is no promise to others: another version may sum in another order
  EXPECT_FALSE(result.summary.bit_identical);
  EXPECT_THAT(notices, testing::HasSubstr("not bit for bit"));
}

TEST_P(RunOf01, runs_again_from_its_spec) {
  RunSpec spec = spec_of(old());
  const fs::path here = scratch_ / "again";
  spec.output.directory = here.string();
  if (GetParam().starts_with("pocl") && discover_devices().devices.empty()) {
    GTEST_SKIP() << "no OpenCL device (pocl-opencl-icd brings one)";
  }
  const RunResult result = start_run(spec, false, {});
  EXPECT_EQ(result.summary.steps, 40U);
  expect_the_same_end(here);
}

TEST_P(RunOf01, has_whole_checkpoints_of_step_20) {
  const Checkpoint checkpoint = read_checkpoint(old() / "checkpoint_00000020.apsis");
  EXPECT_EQ(checkpoint.step, 20U);
  EXPECT_DOUBLE_EQ(checkpoint.time, 0.2);
  EXPECT_EQ(checkpoint.notes.at("version").substr(0, 5), "0.1.0");
  EXPECT_EQ(std::to_string(checkpoint.state.bodies), spec_of(old()).resolved.at("bodies"));
  const bool on_ranks = GetParam().starts_with("two-ranks");
  EXPECT_EQ(list_files(old(), "checkpoint_00000020").size(), on_ranks ? 3U : 1U);
}

INSTANTIATE_TEST_SUITE_P(Each, RunOf01, testing::ValuesIn(names_of_runs()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(RunsOf01, are_all_there) {
  EXPECT_THAT(names_of_runs(),
              testing::ElementsAre("cpu-bins", "cpu-charges", "cpu-f32", "cpu-f64", "cpu-fmm",
                                   "cpu-hermite4", "cpu-tree", "pocl-f32", "pocl-f64", "pocl-fmm",
                                   "two-ranks", "two-ranks-tree"));
}

}  // namespace
}  // namespace apsis

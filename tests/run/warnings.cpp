// SPDX-License-Identifier: MIT
// Runs whose numbers or input deserve a word: that it is said once, kept, and listed at the end.
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/run/run.hpp>
#include <apsis/run/warnings.hpp>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <run/run_folder_test.hpp>
#include <support/bodies.hpp>
#include <support/devices.hpp>

#include <fstream>

namespace apsis {
namespace {

using testing::HasSubstr;
using testing::Not;

class WarningsTest : public RunFolderTest {
 protected:
  // Collects what is said.
  RunListener listener(bool strict = false) {
    RunListener listener;
    listener.warning = [this](const Warning& warning) { told_.push_back(warning); };
    listener.strict = strict;
    return listener;
  }
  nlohmann::json summary(const std::string& folder) const {
    return nlohmann::json::parse(read_text(top_ / folder / "summary.json"));
  }
  std::size_t told(WarningCode code) const {
    std::size_t count = 0;
    for (const Warning& warning : told_) count += warning.code == code ? 1 : 0;
    return count;
  }

  std::vector<Warning> told_;
  // unsoftened, with a step that no close pair survives
  const std::vector<std::string> rough_{"force.softening=0", "time.step=0.1", "time.until=10",
                                        "output.energy_every=0.5", "device.name=cpu"};
};

TEST_F(WarningsTest, a_good_run_has_none_and_says_why_it_ended) {
  const auto result = start_run(spec("a"), false, listener(true));
  EXPECT_EQ(result.summary.exit_code, ExitCode::done);
  EXPECT_TRUE(told_.empty());
  EXPECT_EQ(summary("a")["warnings"], nlohmann::json::array());
  EXPECT_EQ(summary("a")["ended_by"], "until");
}

TEST_F(WarningsTest, bad_energy_is_told_once_with_its_causes_and_stays_exit_0) {
  const auto result = start_run(spec("a", rough_), false, listener());
  EXPECT_EQ(result.summary.exit_code, ExitCode::done);
  ASSERT_EQ(told(WarningCode::energy_error), 1U);
  const std::string& text = told_.front().text;
  EXPECT_THAT(text, HasSubstr("time.step = 0.1 is"));
  EXPECT_THAT(text, HasSubstr("time, "));
  EXPECT_THAT(text, HasSubstr("force.softening = 0"));
  EXPECT_THAT(text, HasSubstr("try time.step = "));
  const auto listed = summary("a")["warnings"];
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0]["code"], "energy-error");
  EXPECT_EQ(listed[0]["class"], "numbers");
  EXPECT_EQ(listed[0]["text"], text);
}

TEST_F(WarningsTest, the_step_that_is_named_keeps_the_energy) {
  start_run(spec("a", rough_), false, listener());
  ASSERT_EQ(told_.size(), 1U);
  const std::string& text = told_.front().text;
  const auto at = text.find("try time.step = ") + 16;
  const std::string step = text.substr(at, text.find(' ', at) - at);
  std::vector<std::string> better = rough_;
  better.push_back("time.step=" + step);
  better.emplace_back("time.until=0.5");  // the first row that was bad
  told_.clear();
  const auto result = start_run(spec("b", better), false, listener());
  EXPECT_LT(*result.summary.energy_error_max, 1e-2) << step;
}

TEST_F(WarningsTest, bodies_at_one_place_without_softening_are_named) {
  std::ofstream(top_ / "start.csv") << "x,y,z,vx,vy,vz\n0,0,0,0.1,0,0\n0,0,0,0,0.13,0\n"
                                       "1,1,0,0,0,0\n-1,1,1,0,0,0.1\n-1,1,1,0.1,0,0\n";
  RunSpec run = spec("a", {"time.until=4"});
  run.initial.bodies.reset(), run.initial.file = (top_ / "start.csv").string();
  start_run(run, false, listener());
  EXPECT_EQ(told(WarningCode::coincident_bodies), 1U);
  ASSERT_EQ(told(WarningCode::energy_error), 1U);
  EXPECT_THAT(told_.back().text, HasSubstr("shared one place with force.softening = 0"));
  EXPECT_THAT(told_.back().text, HasSubstr("force.softening"));
}

TEST_F(WarningsTest, strict_ends_with_76_behind_all_files) {
  const auto result = start_run(spec("a", rough_), false, listener(true));
  EXPECT_EQ(result.summary.exit_code, ExitCode::numbers_went_bad);
  EXPECT_THAT(result.message, HasSubstr("energy-error"));
  EXPECT_EQ(result.summary.steps, 100U);
  EXPECT_EQ(summary("a")["status"], "finished");
  EXPECT_EQ(summary("a")["exit_code"], 76);
  EXPECT_EQ(summary("a")["ended_by"], "until");
  EXPECT_EQ(checkpoint_files(top_ / "a").size(), 2U);
}

TEST_F(WarningsTest, strict_refuses_doubtful_input_before_anything_is_written) {
  std::ofstream(top_ / "start.csv") << "x,y,z\n0,0,0\n0,0,0\n1,0,0\n";
  RunSpec run = spec("a");
  run.initial.bodies.reset(), run.initial.file = (top_ / "start.csv").string();
  try {
    start_run(run, false, listener(true));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    EXPECT_THAT(error.what(), HasSubstr("--strict refuses coincident-bodies"));
  }
  EXPECT_FALSE(folder_exists(top_ / "a"));
  EXPECT_EQ(start_run(run, false, listener()).summary.exit_code, ExitCode::done);
}

TEST_F(WarningsTest, a_resumed_run_still_lists_those_of_its_first_part_and_repeats_none) {
  std::vector<std::string> keys = rough_;
  keys.emplace_back("time.burst=1");
  RunListener stopping = listener();
  stopping.stop_requested = [looks = 0]() mutable {
    return std::string(looks++ >= 60 ? "a test" : "");
  };
  const auto cut = start_run(spec("a", keys), false, stopping);
  EXPECT_EQ(cut.summary.ended_by, EndedBy::signal);
  ASSERT_EQ(told_.size(), 1U);
  const auto before = told_;
  const auto result = resume_run(top_ / "a", {}, listener());
  EXPECT_EQ(told_, before);  // nothing new was said
  EXPECT_EQ(result.summary.warnings, before);
  EXPECT_EQ(resume_run(top_ / "a", {"time.until=10.1"}, listener(true)).summary.exit_code,
            ExitCode::numbers_went_bad);
}

TEST_F(WarningsTest, a_stopped_run_measures_its_energy_and_says_nothing_where_it_cannot) {
  const std::vector<std::string> keys{"time.burst=1", "output.energy_every=0"};
  const auto stop_at = [this](int look) {
    RunListener stopping = listener();
    stopping.stop_requested = [look, looks = 0]() mutable {
      return std::string(looks++ >= look ? "a test" : "");
    };
    return stopping;
  };
  start_run(spec("a", keys), false, stop_at(0));  // before the first step
  EXPECT_TRUE(summary("a")["energy_error_end"].is_null());
  EXPECT_TRUE(summary("a")["energy_error_max"].is_null());
  const auto cut = start_run(spec("b", keys), false, stop_at(7));
  ASSERT_TRUE(cut.summary.energy_error_end);
  EXPECT_GT(*cut.summary.energy_error_end, 0);
  // what a run measures when it is stopped does not change what it goes on with
  const auto resumed = resume_run(top_ / "b", {}, listener());
  const auto whole = start_run(spec("c", keys), false, listener());
  EXPECT_EQ(resumed.summary.energy_error_max, whole.summary.energy_error_max);
}

TEST_F(WarningsTest, bad_energy_between_rows_is_seen_where_the_run_is_stopped) {
  std::vector<std::string> keys = rough_;
  keys.insert(keys.end(), {"output.energy_every=0", "time.burst=1"});
  RunListener stopping = listener();
  stopping.stop_requested = [looks = 0]() mutable {
    return std::string(looks++ >= 80 ? "a test" : "");
  };
  const auto cut = start_run(spec("a", keys), false, stopping);
  EXPECT_GT(*cut.summary.energy_error_end, 1e-2);
  EXPECT_GE(*cut.summary.energy_error_max, *cut.summary.energy_error_end);
  EXPECT_EQ(told(WarningCode::energy_error), 1U);
}

TEST_F(WarningsTest, no_bodies_one_body_and_two_say_nothing_foolish) {
  for (const char* bodies : {"0", "1"}) {
    start_run(spec(bodies, {std::string("initial.bodies=") + bodies}), false, listener());
    EXPECT_EQ(summary(bodies)["energy_error_end"], 0.0);
  }
  EXPECT_TRUE(told_.empty());
  // the eccentric one passes its pericentre in a fraction of a step
  start_run(spec("two", {"initial.model=kepler", "initial.eccentricity=0.99", "initial.bodies=2",
                         "time.step=0.1", "time.until=20", "force.softening=0"}),
            false, listener());
  ASSERT_EQ(told(WarningCode::energy_error), 1U);
  EXPECT_THAT(told_.back().text, HasSubstr("bodies 0 and 1"));
  EXPECT_THAT(told_.back().text, Not(HasSubstr("force.softening = 0.")));
}

TEST_F(WarningsTest, every_end_has_its_word) {
  const auto word = [this](const char* folder, std::vector<std::string> keys) {
    start_run(spec(folder, keys), false, listener());
    return summary(folder)["ended_by"].get<std::string>();
  };
  EXPECT_EQ(word("limit", {"time.energy_limit=1e-12"}), "time.energy_limit");
  EXPECT_EQ(word("minutes", {"time.until=1000", "output.max_minutes=0.005"}), "output.max_minutes");
  RunListener stopping = listener();
  stopping.started = [this](const RunSpec&, const Resolution&) {
    write_text(top_ / "file/stop", "");
  };
  start_run(spec("file", {"time.until=1000", "initial.bodies=256"}), false, stopping);
  EXPECT_EQ(summary("file")["ended_by"], "stop file");
}

TEST_F(WarningsTest, an_edited_kernel_that_sums_another_law_is_told_of) {
  APSIS_NEED_DEVICE();
  std::filesystem::create_directories(top_ / "mine");
  // every source is the first one
  write_text(top_ / "mine/direct_float4.cl",
             "#define SOURCES global const state4* restrict sources\n"
             "#define SOURCE(j) sources[(j) * 0]\n#include \"one_body_an_item.cl\"\n");
  const auto result =
      start_run(spec("a", {"device.name=opencl", "device.variant=float4", "force.solver=direct",
                           "device.kernel_dir=" + (top_ / "mine").string(), "time.until=0.02"}),
                false, listener(true));
  ASSERT_GE(told(WarningCode::force_error), 1U);
  EXPECT_THAT(told_.front().text, HasSubstr("direct sums in f32 stay below 1e-04"));
  EXPECT_THAT(told_.front().text, HasSubstr("check the kernels in device.kernel_dir"));
  EXPECT_EQ(result.summary.exit_code, ExitCode::numbers_went_bad);
}

TEST_F(WarningsTest, positions_that_float_cannot_hold_are_told_of) {
  Snapshot far{.bodies = test::random_bodies(100), .time = 0, .units = {}, .law = {}};
  far.law.softening = 0.05;
  for (double& x : far.bodies.x()) x += 1e6;
  write_snapshot(top_ / "far.csv", far);
  RunSpec run = spec("a", {"device.name=cpu", "time.until=0.02"});
  run.initial.bodies.reset(), run.initial.file = (top_ / "far.csv").string();
  start_run(run, false, listener());
  EXPECT_EQ(told(WarningCode::input_rounding), 1U);
  told_.clear();
  run.device.precision = Precision::mixed, run.output.directory = (top_ / "b").string();
  start_run(run, false, listener());
  EXPECT_TRUE(told_.empty());
}

TEST_F(WarningsTest, one_body_at_1e11_sizes_is_told_of_in_f32) {
  Snapshot far{.bodies = test::random_bodies(100), .time = 0, .units = {}, .law = {}};
  far.bodies.x()[3] = 1e11;
  write_snapshot(top_ / "far.csv", far);
  RunSpec run = spec("a", {"device.name=cpu", "time.until=0.02", "force.solver=direct"});
  run.initial.bodies.reset(), run.initial.file = (top_ / "far.csv").string();
  const auto result = start_run(run, false, listener());
  if (result.summary.force_error->p99 > 1e-4) {
    EXPECT_EQ(codes_of(told_, WarningClass::numbers), "force-error");
  } else {
    EXPECT_TRUE(told_.empty());  // and where it keeps its bound there is nothing to tell
  }
}

TEST(WarningTable, has_a_row_for_every_code_and_names_that_are_found_again) {
  for (const WarningInfo& row : warning_table()) {
    EXPECT_EQ(find_warning(row.name), &row);
    EXPECT_EQ(&info_of(row.code), &row);
  }
  EXPECT_EQ(find_warning("nonsense"), nullptr);
}

TEST(WarningLog, keeps_what_was_said_before_and_says_nothing_twice) {
  int said = 0;
  const Warning first{WarningCode::other_bits, "a"};
  WarningLog log({first}, [&](const Warning&) { ++said; });
  log.add(first);
  log.add({WarningCode::other_bits, "b"});
  log.add({WarningCode::other_bits, "b"});
  EXPECT_EQ(said, 1);
  EXPECT_EQ(log.all().size(), 2U);
  EXPECT_EQ(warnings_from_text(to_text(log.all())), log.all());
  // a later version may know codes that this one does not
  EXPECT_TRUE(warnings_from_text(R"([{"code":"new","class":"new","text":""}])").empty());
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
// Kernels of students, right and wrong, and what the lesson says of them.
#include <apsis/core/error.hpp>
#include <apsis/device/kernel_text.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/lab/kernel_copies.hpp>
#include <apsis/lab/lesson.hpp>
#include <apsis/lab/your_own.hpp>

#include <files/scratch_folder.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lab/made_up.hpp>
#include <support/devices.hpp>

#include <filesystem>

namespace apsis::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string starter(const std::string& name) { return kernel_text(name).text; }

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

class OwnKernels : public testing::Test {
 protected:
  void SetUp() override { APSIS_NEED_DEVICE(); }
  // At one size, of which the last group is not full.
  StepVerdict verdict_on(const std::string& text, std::uint64_t bodies = 293,
                         std::size_t group = 64) {
    write_text(folder_ / "mine.cl", text);
    const StepReport report = perform({.file = (folder_ / "mine.cl").string(),
                                       .kernel = "whole_step",
                                       .device = "opencl",
                                       .bodies = {bodies},
                                       .group = group});
    EXPECT_EQ(report.verdicts.size(), 1U);
    return report.verdicts.empty() ? StepVerdict{} : report.verdicts.front();
  }
  std::string cause_of(const std::string& text, std::uint64_t bodies = 293) {
    const StepVerdict verdict = verdict_on(text, bodies);
    EXPECT_FALSE(verdict.judgement.right);
    return verdict.judgement.cause;
  }

  const ScratchFolder folder_;
};

TEST_F(OwnKernels, that_we_give_to_start_from_are_right_at_every_size) {
  for (const std::string& name : starter_kernels()) {
    for (const std::uint64_t bodies : {1, 2, 63, 64, 65, 293}) {
      const StepVerdict verdict = verdict_on(starter(name), bodies);
      EXPECT_TRUE(verdict.judgement.right) << name << bodies << verdict.judgement.cause;
      if (bodies == 1) continue;
      EXPECT_EQ(verdict.judgement.scheme, name == "step_tiled.cl" ? "taylor2" : "symplectic-euler");
      EXPECT_EQ(verdict.steps, 10);
      // floats of 1e-7 in ten steps, which close pairs make grow
      ASSERT_TRUE(verdict.drift.has_value());
      EXPECT_LT(*verdict.drift, 1e-5);
    }
  }
}

TEST_F(OwnKernels, without_n_run_in_groups_that_divide_the_bodies) {
  std::string text = with(starter("step_float4.cl"), "const int n, ", "");
  text = with(text, "if (i >= n) return;", "const int n = get_global_size(0);");
  const StepVerdict verdict = verdict_on(text, 293, 64);  // a prime
  EXPECT_TRUE(verdict.judgement.right) << verdict.judgement.cause;
  EXPECT_EQ(verdict.group, 1U);
  EXPECT_EQ(verdict_on(text, 300, 64).group, 60U);
}

TEST_F(OwnKernels, with_common_mistakes_hear_which) {
  const std::string plain = starter("step_float4.cl"), tiled = starter("step_tiled.cl"),
                    packed = starter("step_packed.cl");
  EXPECT_THAT(cause_of(with(plain, "+ eps", "+ 1e-9f")), HasSubstr("eps is not used"));
  EXPECT_THAT(cause_of(with(plain, "if (i >= n) return;", "")), HasSubstr("behind the last body"));
  EXPECT_THAT(cause_of(with(plain, "there.xyz - here.xyz", "here.xyz - there.xyz")),
              HasSubstr("push each other away"));
  EXPECT_THAT(cause_of(with(plain, "here.xyz + dt * v, here.w", "here.xyz + dt * v, 0")),
              HasSubstr("does not carry the mass"));
  EXPECT_THAT(cause_of(with(tiled, "start + t < n ? pos_old[start + t] : (float4)(0)",
                            "pos_old[start + t]")),
              HasSubstr("behind the last body for bodies"));
  EXPECT_THAT(cause_of(with(tiled, "start < n; start += size", "start + size <= n; start += size")),
              HasSubstr("leaves out the last 37 bodies"));
  EXPECT_THAT(cause_of(with(packed, "mass[j] * inverse", "inverse")), HasSubstr("masses"));
}

TEST_F(OwnKernels, that_write_over_what_others_read_are_found_out) {
  std::string text =
      with(starter("step_float4.cl"), "global const float4* pos_old", "global float4* pos_old");
  text = with(text, "vel[i] = (float4)(v, 0);\n  pos_new[i] =",
              "vel[i] = (float4)(v, 0);\n  pos_old[i] = pos_new[i] =");
  EXPECT_THAT(cause_of(text), HasSubstr("changes the old positions"));
  text = with(text, "pos_old[i] = pos_new[i] =", "pos_old[i] =");
  EXPECT_THAT(cause_of(text), HasSubstr("over the old ones"));
}

// Without barriers PoCL runs a group's work-items one after the other, and a tile holds what those
// before left there.
TEST_F(OwnKernels, without_a_barrier_are_right_alone_and_wrong_in_groups) {
  const std::string barrier = "barrier(CLK_LOCAL_MEM_FENCE);";
  const std::string text = with(with(starter("step_tiled.cl"), barrier, ""), barrier, "");
  EXPECT_THAT(cause_of(text, 256), testing::AnyOf(HasSubstr("barrier"), HasSubstr("differ")));
}

TEST_F(OwnKernels, that_do_not_compile_are_answered_with_file_and_line) {
  write_text(folder_ / "mine.cl", "kernel void k(global float4* p) {\n  p[0] = nonsense;\n}\n");
  try {
    perform({.file = (folder_ / "mine.cl").string(), .kernel = "", .device = "opencl"});
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    EXPECT_THAT(error.what(), HasSubstr("mine.cl:2"));
    EXPECT_THAT(error.what(), HasSubstr("nonsense"));
  }
}

TEST_F(OwnKernels, of_one_file_are_all_told_with_those_that_are_no_steps) {
  const std::string plain = starter("step_float4.cl");
  write_text(folder_ / "mine.cl", plain + with(plain, "whole_step", "another") +
                                      "kernel void helper(global float* p) { p[0] = 1; }\n");
  const StepReport report =
      perform({.file = (folder_ / "mine.cl").string(), .kernel = "", .device = "opencl"});
  ASSERT_EQ(report.forms.size(), 2U);
  EXPECT_THAT(report.forms[0].words, HasSubstr("float4: pos_old, pos_new, vel"));
  EXPECT_THAT(report.left_out, ElementsAre(HasSubstr("helper")));
}

TEST(OwnNames, are_as_short_as_they_can_be_and_unique) {
  EXPECT_THAT(unique_names({"a.cl", "some/b.cl"}), ElementsAre("a.cl", "b.cl"));
  EXPECT_THAT(unique_names({"old/a.cl", "new/a.cl"}), ElementsAre("old/a.cl", "new/a.cl"));
  EXPECT_THAT(unique_names({"a.cl", "a.cl", "apsis:b.cl"}),
              ElementsAre("a.cl", "a.cl (2)", "b.cl"));
}

TEST(KernelCopies, are_the_built_in_ones_and_replace_nothing) {
  const ScratchFolder folder;
  const auto files = copy_kernels(folder / "mine");
  EXPECT_EQ(files.size(), embedded_kernels().size());
  for (const std::string& name : starter_kernels()) {
    EXPECT_TRUE(file_exists(folder / "mine" / name)) << name;
  }
  EXPECT_EQ(read_text(folder / "mine" / "pair.cl"), [] {
    for (const auto& [name, text] : embedded_kernels()) {
      if (name == "pair.cl") return std::string(text);
    }
    return std::string();
  }());
  std::filesystem::remove(folder / "mine" / "bins_grid.cl");
  EXPECT_THROW(copy_kernels(folder / "mine"), Error);
  EXPECT_FALSE(file_exists(folder / "mine" / "bins_grid.cl"));  // nothing half-done
}

// --- sentences about results that nobody measured

struct MadeUpStep {
  std::string variant;
  bool own = true;
  double seconds = 1;
  std::string complaint;
};

Results made_up_steps(const std::vector<MadeUpStep>& rows, const std::string& check = {}) {
  Results results;
  results.lesson = "your-own";
  const Look text = Look::text;
  ResultTable table("results", "Made up",
                    {{"device", "", "", text},
                     {"variant", "", "", text},
                     {"own", "", "", text},
                     {"bodies", "", "", Look::whole},
                     {"seconds", "", "", Look::seconds},
                     {"complaint", "", "", text}});
  ResultTable checks("checks", "Made up",
                     {{"device", "", "", text},
                      {"variant", "", "", text},
                      {"bodies", "", "", Look::whole},
                      {"group", "", "", Look::whole},
                      {"scheme", "", "", text},
                      {"softening", "", "", text},
                      {"error", "", "", Look::error},
                      {"drift", "", "", Look::error},
                      {"first_wrong", "", "", Look::whole},
                      {"complaint", "", "", text}});
  for (const MadeUpStep& row : rows) {
    table.add({{"device", "PoCL"},
               {"variant", row.variant},
               {"own", row.own ? Cell("yes") : Cell()},
               {"bodies", 4096.0},
               {"seconds", row.seconds},
               {"complaint", row.complaint}});
    if (!row.own) continue;
    checks.add({{"device", "PoCL"},
                {"variant", row.variant},
                {"bodies", 256.0},
                {"group", 64.0},
                {"scheme", "taylor2"},
                {"softening", "eps is added to r² as it is"},
                {"error", 3e-7},
                {"drift", 2e-6}});
    if (check.empty()) continue;
    checks.add({{"device", "PoCL"},
                {"variant", row.variant},
                {"bodies", 293.0},
                {"group", 64.0},
                {"scheme", "none"},
                {"first_wrong", 288.0},
                {"complaint", check}});
  }
  results.tables = {table, checks};
  return results;
}

TEST(OwnFindings, of_a_right_kernel_name_scheme_sizes_and_errors) {
  const auto said =
      test::said_of(made_up_steps({{"tiled (ours)", false, 1}, {"mine.cl", true, 2}}));
  EXPECT_TRUE(test::says(said, {"mine.cl is right", "taylor2", "3.0e-07", "256", "2.0e-06"}));
  EXPECT_TRUE(test::says(said, {"mine.cl is slower than tiled (ours)", "0.50"}));
}

TEST(OwnFindings, say_that_ours_lost_where_it_lost) {
  const auto said =
      test::said_of(made_up_steps({{"tiled (ours)", false, 3}, {"mine.cl", true, 1}}));
  EXPECT_TRUE(test::says(said, {"mine.cl is faster than tiled (ours)", "3.00"}));
}

TEST(OwnFindings, compare_two_versions_with_each_other) {
  const auto said = test::said_of(
      made_up_steps({{"tiled (ours)", false, 1}, {"a.cl", true, 2}, {"b.cl", true, 1.01}}));
  EXPECT_TRUE(test::says(said, {"b.cl is faster than a.cl"}));
  EXPECT_TRUE(test::says(said, {"b.cl is as fast as tiled (ours)"}));
}

TEST(OwnFindings, of_a_wrong_kernel_name_the_size_the_cause_and_the_first_body) {
  const auto said = test::said_of(
      made_up_steps({{"tiled (ours)", false, 1}, {"mine.cl", true, 0.1, "off"}}, "it is off"));
  EXPECT_TRUE(test::says(said, {"mine.cl is wrong at 293 bodies in groups of 64", "right at 256",
                                "it is off", "288"}));
  EXPECT_TRUE(test::says(said, {"compared with nothing"}));
  EXPECT_FALSE(test::says(said, {"faster"}));
}

}  // namespace
}  // namespace apsis::lab

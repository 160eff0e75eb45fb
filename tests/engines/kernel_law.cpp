// SPDX-License-Identifier: MIT
// An edited law of pairs acts on every force, or is refused by name.
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include <apsis/core/error.hpp>
#include <apsis/device/kernel_text.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/kernel_notices.hpp>
#include <apsis/files/file.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>
#include <apsis/solvers/kernel_law.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/devices.hpp>

#include <algorithm>
#include <string>

namespace apsis {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string built_in(std::string_view file) {
  for (const auto& [name, text] : embedded_kernels()) {
    if (name == file) return std::string(text);
  }
  return {};
}

std::string replaced(std::string text, const std::string& old_words, const std::string& words) {
  const auto at = text.find(old_words);
  EXPECT_NE(at, std::string::npos) << old_words;
  return text.replace(at, old_words.size(), words);
}

// Twice the force and three times the potential.
std::string stronger_pair() {
  std::string text =
      replaced(built_in("pair.cl"), "return SOFTENED ? inverse * (inverse * inverse)",
               "return SOFTENED ? 2 * inverse * (inverse * inverse)");
  return replaced(text, "inline real potential_falloff(real inverse) { return inverse; }",
                  "inline real potential_falloff(real inverse) { return 3 * inverse; }");
}

Bodies some_bodies(std::size_t count) {
  Bodies bodies(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto k = static_cast<double>(i);
    bodies.x()[i] = 0.37 * k - 2, bodies.y()[i] = 0.11 * k * k - 1, bodies.z()[i] = 0.5 - 0.2 * k;
    bodies.mass[i] = 1.0 / static_cast<double>(count);
  }
  return bodies;
}

EngineSettings on_device(const ScratchFolder& folder, const std::string& variant = "") {
  return {.force = forces({Law::gravity, 1, 0.1}, "direct"),
          .device = {.name = "opencl",
                     .precision = Precision::f32,
                     .variant = variant,
                     .kernel_dir = folder.path()}};
}

// How many times the built-in law's the engine's forces are.
double strength_of(const EngineSettings& settings, const Bodies& bodies) {
  EngineSettings usual = settings;
  usual.device.kernel_dir.clear(), usual.device.variant = "rows";
  const auto engine = make_loaded_engine(settings, bodies).engine;
  const auto other = make_loaded_engine(usual, bodies).engine;
  return norm(engine->accelerations(0).at(1)) / norm(other->accelerations(0).at(1));
}

TEST(KernelLaw, an_edited_law_acts_in_every_variant_or_is_refused_by_name) {
  APSIS_NEED_DEVICE();
  const ScratchFolder folder;
  write_text(folder / "pair.cl", stronger_pair());
  const Bodies bodies = some_bodies(20);
  int followed = 0;
  for (const std::string& variant : direct_opencl_variant_names()) {
    const EngineSettings settings = on_device(folder, variant);
    if (variant == "wide" || variant == "symmetric") {
      const auto text =
          error_text(ExitCode::bad_data, [&] { make_loaded_engine(settings, bodies); });
      EXPECT_THAT(text, AllOf(HasSubstr("variant " + variant), HasSubstr("pair.cl"),
                              HasSubstr("naive, packed3, float4, tiled, unrolled or rows")));
      continue;
    }
    EXPECT_NEAR(strength_of(settings, bodies), 2, 1e-5) << variant;
    ++followed;
  }
  EXPECT_EQ(followed, 6);
}

TEST(KernelLaw, the_default_variant_follows_an_edited_law_and_says_so) {
  APSIS_NEED_DEVICE();
  const ScratchFolder folder;
  write_text(folder / "pair.cl", stronger_pair());
  const Bodies bodies = some_bodies(20);
  EXPECT_NEAR(strength_of(on_device(folder), bodies), 2, 1e-5);
  const LoadedEngine made = make_loaded_engine(on_device(folder), bodies);
  ASSERT_EQ(made.notices.size(), 1U);
  EXPECT_THAT(made.notices.front(), AllOf(HasSubstr("pair.cl (read by"),
                                          HasSubstr("wide and symmetric follow another law")));
}

TEST(KernelLaw, energies_are_those_of_the_edited_potential) {
  APSIS_NEED_DEVICE();
  const ScratchFolder folder;
  write_text(folder / "pair.cl", stronger_pair());
  const Bodies bodies = some_bodies(20);
  EngineSettings settings = on_device(folder);
  const double edited = make_loaded_engine(settings, bodies).engine->energies(0).potential;
  settings.device.kernel_dir.clear();
  const double usual = make_loaded_engine(settings, bodies).engine->energies(0).potential;
  EXPECT_NEAR(edited / usual, 3, 1e-5);
}

TEST(KernelLaw, a_law_that_was_edited_before_there_was_a_potential_in_it_still_compiles) {
  APSIS_NEED_DEVICE();
  const ScratchFolder folder;
  std::string text = replaced(built_in("pair.cl"), "#define HAS_POTENTIAL_FALLOFF 1\n", "");
  text = replaced(text, "inline real potential_falloff(real inverse) { return inverse; }\n", "");
  write_text(folder / "pair.cl", text);
  const Bodies bodies = some_bodies(20);
  EXPECT_NEAR(strength_of(on_device(folder), bodies), 1, 1e-5);
  EXPECT_LT(make_loaded_engine(on_device(folder), bodies).engine->energies(0).potential, 0);
}

TEST(KernelLaw, solvers_with_expansions_and_jerks_refuse_an_edited_law_by_name) {
  APSIS_NEED_DEVICE();
  const ScratchFolder folder;
  write_text(folder / "pair.cl", stronger_pair());
  const Bodies bodies = some_bodies(20);
  for (const std::string solver : {"tree", "fmm", "bins"}) {
    EngineSettings settings = on_device(folder);
    settings.force.solver = solver;
    const auto text = error_text(ExitCode::bad_data, [&] { make_loaded_engine(settings, bodies); });
    EXPECT_THAT(text, AllOf(HasSubstr("solver " + solver), HasSubstr("force.solver = direct")));
  }
  EngineSettings settings = on_device(folder);
  settings.needs_jerk = true;
  expect_error(ExitCode::bad_data, "jerks are those of the built-in law",
               [&] { make_loaded_engine(settings, bodies); });
  // and where nobody said so beforehand
  const auto engine = make_loaded_engine(on_device(folder), bodies).engine;
  expect_error(ExitCode::bad_data, "jerks",
               [&] { engine->apply({Operation::accelerate_with_jerk(0)}); });
}

TEST(KernelLaw, whoever_edits_the_kernel_too_answers_for_it) {
  APSIS_NEED_DEVICE();
  const ScratchFolder folder;
  write_text(folder / "pair.cl", stronger_pair());
  write_text(folder / "direct_symmetric.cl", built_in("direct_symmetric.cl") + "// mine\n");
  // equal strengths are left to the end of sums only where the law is the built-in one
  EXPECT_NEAR(strength_of(on_device(folder, "symmetric"), some_bodies(20)), 2, 1e-5);
}

TEST(KernelLaw, copies_of_the_built_in_files_leave_all_variants_as_they_are) {
  APSIS_NEED_DEVICE();
  const ScratchFolder folder;
  write_text(folder / "pair.cl", built_in("pair.cl"));
  for (const char* variant : {"wide", "symmetric"}) {
    EXPECT_NEAR(strength_of(on_device(folder, variant), some_bodies(20)), 1, 1e-5) << variant;
  }
}

TEST(KernelLaw, files_that_a_run_does_not_read_are_named) {
  APSIS_NEED_DEVICE();
  const ScratchFolder folder;
  write_text(folder / "direct_float4.cl", built_in("direct_float4.cl") + "// mine\n");
  const auto notices = make_loaded_engine(on_device(folder, "rows"), some_bodies(20)).notices;
  ASSERT_EQ(notices.size(), 2U);
  EXPECT_THAT(notices[1], AllOf(HasSubstr("direct_float4.cl changes nothing here"),
                                HasSubstr("variant float4 does")));
  EXPECT_EQ(make_loaded_engine(on_device(folder, "float4"), some_bodies(20)).notices.size(), 1U);
}

TEST(KernelLaw, of_the_ways_of_bins_to_sum_the_one_that_runs_reads_its_file) {
  APSIS_NEED_DEVICE();
  const ScratchFolder folder;
  write_text(folder / "bins_subtract.cl", built_in("bins_subtract.cl") + "// mine\n");
  EngineSettings settings = on_device(folder, "cells");
  settings.force.solver = "bins";
  const auto notices = make_loaded_engine(settings, some_bodies(20)).notices;
  ASSERT_EQ(notices.size(), 2U);
  EXPECT_THAT(notices[1], HasSubstr("bins_subtract.cl changes nothing here"));
  settings.device.variant = "subtract";
  EXPECT_EQ(make_loaded_engine(settings, some_bodies(20)).notices.size(), 1U);
}

TEST(KernelLaw, a_misnamed_file_is_refused) {
  APSIS_NEED_DEVICE();
  const ScratchFolder folder;
  write_text(folder / "par.cl", stronger_pair());
  expect_error(ExitCode::bad_data, "did you mean 'pair.cl'",
               [&] { make_loaded_engine(on_device(folder), some_bodies(20)); });
}

}  // namespace
}  // namespace apsis

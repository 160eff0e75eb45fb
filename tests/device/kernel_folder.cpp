// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include <apsis/device/kernel_folder.hpp>
#include <apsis/device/kernel_text.hpp>
#include <apsis/files/file.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace apsis {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string built_in(std::string_view file) {
  for (const auto& [name, text] : embedded_kernels()) {
    if (name == file) return std::string(text);
  }
  return {};
}

TEST(KernelFolder, tells_what_is_replaced_and_what_is_edited) {
  const ScratchFolder folder;
  write_text(folder / "pair.cl", built_in("pair.cl") + "// mine\n");
  write_text(folder / "motion.cl", built_in("motion.cl"));
  write_text(folder / "README.md", "notes are nobody's business");
  write_text(folder / "pair.cl.orig", "nor are these");
  const KernelFolder found = kernel_folder(folder.path());
  EXPECT_THAT(found.replaced, ElementsAre("motion.cl", "pair.cl"));
  EXPECT_THAT(found.edited, ElementsAre("pair.cl"));
  EXPECT_TRUE(found.changes("direct_rows.cl"));
  EXPECT_FALSE(found.changes("motion.cl"));
  EXPECT_THAT(notice_of(found),
              AllOf(HasSubstr("motion.cl (unchanged)"), HasSubstr("pair.cl (read by"),
                    HasSubstr("direct_wide.cl"), Not(HasSubstr("pair_sum.cl"))));
}

TEST(KernelFolder, none_is_asked_for_where_none_is_given) {
  EXPECT_TRUE(kernel_folder({}).replaced.empty());
}

TEST(KernelFolder, refuses_a_name_that_replaces_nothing_with_the_nearest_one) {
  const ScratchFolder folder;
  write_text(folder / "par.cl", built_in("pair.cl"));
  write_text(folder / "motion.cl", built_in("motion.cl"));
  const auto text = error_text(ExitCode::bad_data, [&] { kernel_folder(folder.path()); });
  EXPECT_THAT(text, AllOf(HasSubstr("par.cl takes the place of no kernel"),
                          HasSubstr("did you mean 'pair.cl'")));
}

TEST(KernelFolder, takes_a_file_that_an_edited_one_includes) {
  const ScratchFolder folder;
  write_text(folder / "direct_float4.cl",
             "#include \"helper.cl\"\n" + built_in("direct_float4.cl"));
  write_text(folder / "helper.cl", "#define HELP 1\n");
  EXPECT_THAT(kernel_folder(folder.path()).edited, ElementsAre("direct_float4.cl"));
}

TEST(KernelFolder, refuses_what_would_have_no_effect) {
  const ScratchFolder folder;
  write_text(folder / "notes.txt", "");
  expect_error(ExitCode::bad_data, "no kernel file", [&] { kernel_folder(folder.path()); });
  write_text(folder / "fmm_expansion.cl", "// mine\n");
  expect_error(ExitCode::bad_data, "would not be read", [&] { kernel_folder(folder.path()); });
  expect_error(ExitCode::bad_data, "nowhere", [] { kernel_folder("nowhere"); });
}

TEST(KernelFolder, all_built_in_files_are_a_folder_that_edits_nothing) {
  const ScratchFolder folder;
  for (const auto& [name, text] : embedded_kernels())
    write_text(folder / std::string(name), std::string(text));
  EXPECT_TRUE(kernel_folder(folder.path()).edited.empty());
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include <apsis/device/kernel_text.hpp>
#include <apsis/files/file.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apsis {
namespace {

using ::testing::HasSubstr;

TEST(KernelText, holds_every_embedded_kernel) {
  ASSERT_FALSE(embedded_kernels().empty());
  for (const auto& [name, text] : embedded_kernels()) {
    EXPECT_TRUE(name.ends_with(".cl")) << name;
    const KernelText whole = kernel_text(std::string(name));
    EXPECT_FALSE(whole.from_folder);
    EXPECT_EQ(whole.text.find("#include \""), std::string::npos) << name;
  }
}

TEST(KernelText, takes_each_file_once_and_keeps_the_lines) {
  const ScratchFolder folder;
  write_text(folder / "main.cl",
             "int a;\n#include \"one.cl\"\n  # include  \"two.cl\" // why\nint b;");
  write_text(folder / "one.cl", "#include \"two.cl\"\nint one;\n");
  write_text(folder / "two.cl", "int two;\n");
  const KernelText whole = kernel_text("main.cl", folder.path());
  EXPECT_TRUE(whole.from_folder);
  EXPECT_EQ(whole.text,
            "#line 1 \"main.cl\"\nint a;\n"
            "#line 1 \"one.cl\"\n"
            "#line 1 \"two.cl\"\nint two;\n"
            "#line 2 \"one.cl\"\nint one;\n"
            "#line 3 \"main.cl\"\n"
            "#line 4 \"main.cl\"\nint b;\n");
}

TEST(KernelText, survives_files_that_include_each_other) {
  const ScratchFolder folder;
  write_text(folder / "a.cl", "#include \"b.cl\"\nint a;\n");
  write_text(folder / "b.cl", "#include \"a.cl\"\nint b;\n");
  EXPECT_THAT(kernel_text("a.cl", folder.path()).text, HasSubstr("int b;"));
}

TEST(KernelText, takes_a_file_of_the_folder_before_the_embedded_one) {
  const ScratchFolder folder;
  write_text(folder / "numbers.cl", "typedef float mine;\n");
  int users = 0;
  for (const auto& [name, text] : embedded_kernels()) {
    const KernelText whole = kernel_text(std::string(name), folder.path());
    const bool uses_it = whole.text.find("typedef float mine;") != std::string::npos;
    EXPECT_EQ(whole.from_folder, uses_it) << name;
    users += uses_it ? 1 : 0;
  }
  EXPECT_GE(users, 2);
}

TEST(KernelText, takes_a_file_that_the_program_wrote_before_all_others) {
  const ScratchFolder folder;
  write_text(folder / "main.cl", "#include \"numbers.cl\"\nint a;\n");
  write_text(folder / "numbers.cl", "int of_the_folder;\n");
  const KernelText whole = kernel_text("main.cl", folder.path(), {"numbers.cl", "int written;\n"});
  EXPECT_THAT(whole.text, HasSubstr("int written;"));
  EXPECT_EQ(whole.text.find("of_the_folder"), std::string::npos);
}

TEST(KernelText, names_a_missing_file_and_who_includes_it) {
  const ScratchFolder folder;
  write_text(folder / "main.cl", "\n#include \"lost.cl\"\n");
  const auto text = error_text(ExitCode::bad_data, [&] { kernel_text("main.cl", folder.path()); });
  EXPECT_THAT(text, HasSubstr("lost.cl"));
  EXPECT_THAT(text, HasSubstr("main.cl:2"));
  EXPECT_THAT(text, HasSubstr(folder.path().string()));
  expect_error(ExitCode::bad_data, "nowhere.cl", [] { kernel_text("nowhere.cl"); });
}

}  // namespace
}  // namespace apsis

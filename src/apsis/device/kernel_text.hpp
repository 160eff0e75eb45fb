// SPDX-License-Identifier: MIT
// The text of a kernel file with everything it includes, from the binary or from a folder.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apsis {

// The files of kernels/ as they were when Apsis was built: name and text.
std::span<const std::pair<std::string_view, std::string_view>> embedded_kernels();

struct KernelText {
  std::string text;                // #line directives keep the compiler's messages right
  bool from_folder = false;        // at least one file came from the user's folder
  std::vector<std::string> files;  // that it is made of, as they were first included
};

// A file that the program writes itself when it runs: name and text.
struct WrittenKernel {
  std::string name, text;
};

// Each file is taken once, however often it is included. `written` comes before a file
// in `folder`, and that before the one in the binary. bad_data for a file that is in none.
KernelText kernel_text(const std::string& file, const std::filesystem::path& folder = {},
                       const WrittenKernel& written = {});

}  // namespace apsis

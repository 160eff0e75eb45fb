// SPDX-License-Identifier: MIT
// The program's kernels as files to edit, also where it is installed without its sources.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace apsis::lab {

// All built-in kernels; a folder that is missing is made. file_error, before anything is written,
// where one of the files is there already: somebody may have edited it.
std::vector<std::string> copy_kernels(const std::filesystem::path& folder);

}  // namespace apsis::lab

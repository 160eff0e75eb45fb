// SPDX-License-Identifier: MIT
// Files that earlier versions wrote, tests/files/VERSION: every later version reads and resumes
// them.
#pragma once

#include <filesystem>

namespace apsis::test {

inline std::filesystem::path files_of_0_1() { return APSIS_FILES_OF_0_1; }

}  // namespace apsis::test

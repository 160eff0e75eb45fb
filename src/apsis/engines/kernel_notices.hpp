// SPDX-License-Identifier: MIT
// What a user should hear of the folder of kernels that he gave.
#pragma once

#include <apsis/engines/engine.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace apsis {

// Nothing without a folder. Which of its files stand for what, which variants an edited law leaves
// out, and which files this engine does not read.
std::vector<std::string> kernel_notices(const std::filesystem::path& folder,
                                        const Resolution& engine, bool needs_jerk);

}  // namespace apsis

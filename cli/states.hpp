// SPDX-License-Identifier: MIT
// What commands that look at states are given: a snapshot, or the folder of a run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace apsis::cli {

// The snapshots of a run, the first one first, or the file itself. bad_data for a folder without.
std::vector<std::filesystem::path> states_in(const std::string& given);

}  // namespace apsis::cli

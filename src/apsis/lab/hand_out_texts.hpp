// SPDX-License-Identifier: MIT
// Inside lab/: the words of the hand-out, and the script that checks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace apsis::lab {

// Both of at least one size, rising.
std::string hand_out_readme(const std::vector<std::uint64_t>& sizes, std::uint64_t seed);
std::string hand_out_check(const std::vector<std::uint64_t>& sizes);

}  // namespace apsis::lab

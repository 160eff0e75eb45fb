// SPDX-License-Identifier: MIT
// Inside lab/: the box of ECE 459, assignment 3 (Waterloo, 2017): points in [0,1000]^3 cut into
// 10^3 bins.
#pragma once

#include <cstdint>

namespace apsis::lab {

inline constexpr double box_side = 1000, box_softening = 1;
inline constexpr int bins_a_side = 10;
inline constexpr std::uint64_t course_sizes[] = {32000, 320000};

}  // namespace apsis::lab

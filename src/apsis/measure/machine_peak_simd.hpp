// SPDX-License-Identifier: MIT
// Inside measure/: work for machine_peak.cpp in explicit vectors, of the instruction set that the
// solvers' own loops are dispatched to.
#pragma once

#include <cstddef>

namespace apsis::peak {

// Multiply-adds out of registers, `rounds` on each of the independent chains; the number of
// operations.
double multiply_adds(bool in_double, std::size_t rounds);

// Floats that are done in multiples of this.
inline constexpr std::size_t load_multiple = 256;
// Reads `count` floats `rounds` times; the number of bytes. Aligned to 64 bytes.
double loads(const float* from, std::size_t count, std::size_t rounds);

}  // namespace apsis::peak

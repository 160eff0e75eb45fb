// SPDX-License-Identifier: MIT
// The pair loops of the native direct solver in explicit vectors (Google Highway): bodies lie in
// the lanes, several vectors of them in registers, and sources are broadcast one by one. Written
// once, compiled for every instruction set of the build, chosen when the program starts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace apsis::direct {

// Bodies in the pairs' type. In mixed precision a coordinate is two floats, so that differences of
// near bodies keep float's full accuracy; the low parts are null otherwise.
template <class Pair>
struct SimdBodies {
  std::size_t count = 0;
  const Pair *x = nullptr, *y = nullptr, *z = nullptr;
  const Pair* strength = nullptr;  // not read of targets
  const Pair *low_x = nullptr, *low_y = nullptr, *low_z = nullptr;
};

// Bodies [begin, end) of an array.
struct SimdRange {
  std::size_t begin = 0, end = 0;
};

// What is added to, the first body of a range first; potential may be null.
struct SimdSums {
  double *x = nullptr, *y = nullptr, *z = nullptr, *potential = nullptr;
};

// The field of all sources at a range of targets. `own_offset` is a target's number among the
// sources less its own, or at least `sources.count` where the sets differ: a body's potential
// leaves out the body itself.
template <class Pair>
void add_simd(const SimdBodies<Pair>& sources, const SimdBodies<Pair>& targets,
              const SimdRange& range, std::size_t own_offset, double softening,
              const SimdSums& sums);

// Two ranges of one set of bodies that do not overlap, each pair once. Their lengths are whole
// multiples of this.
inline constexpr std::size_t meeting_multiple = 32;
template <class Pair>
void meet_simd(const SimdBodies<Pair>& bodies, const SimdRange& own, const SimdRange& met,
               double softening, const SimdSums& own_sums, const SimdSums& met_sums);

// Instruction sets of this build that this machine has, the best first; the first is in use.
std::vector<std::string> simd_targets();
std::string simd_target();  // for example "AVX3"
// One of them instead of the best, to compare and to test; "" for the best again.
void use_simd_target(const std::string& name);

}  // namespace apsis::direct

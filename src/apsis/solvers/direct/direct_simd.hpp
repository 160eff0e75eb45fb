// SPDX-License-Identifier: MIT
// The pair loops of the native direct solver in explicit vectors (Google Highway): bodies lie in
// the lanes, several vectors of them in registers, and sources are broadcast one by one. Written
// once, compiled for every instruction set of the build, chosen when the program starts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace apsis::direct {

// Sources in the pairs' type. In mixed precision a coordinate is two floats, so that differences of
// near bodies keep float's full accuracy; the low parts are null otherwise.
template <class Pair>
struct SimdSources {
  std::size_t count = 0;
  const Pair *x = nullptr, *y = nullptr, *z = nullptr, *strength = nullptr;
  const Pair *low_x = nullptr, *low_y = nullptr, *low_z = nullptr;
};

// Targets [begin, end) of arrays like those of the sources. `own_offset` is a target's number among
// the sources less its own, or at least `sources.count` where the sets differ: a body's potential
// leaves out the body itself.
template <class Pair>
struct SimdTargets {
  const Pair *x = nullptr, *y = nullptr, *z = nullptr;
  const Pair *low_x = nullptr, *low_y = nullptr, *low_z = nullptr;
  std::size_t begin = 0, end = 0;
  std::size_t own_offset = 0;
};

// What is added to, the first target first; potential may be null.
struct SimdSums {
  double *x = nullptr, *y = nullptr, *z = nullptr, *potential = nullptr;
};

void add_simd_f32(const SimdSources<float>& sources, const SimdTargets<float>& targets,
                  double softening, const SimdSums& sums);
void add_simd_mixed(const SimdSources<float>& sources, const SimdTargets<float>& targets,
                    double softening, const SimdSums& sums);
void add_simd_f64(const SimdSources<double>& sources, const SimdTargets<double>& targets,
                  double softening, const SimdSums& sums);

// Two blocks of one set of bodies, at most `most_block` each and whole multiples of 64: bodies far
// away with strength 0 fill them up.
inline constexpr std::size_t most_block = 1024;
struct BlockPair {
  std::size_t own_begin = 0, own_end = 0;
  std::size_t met_begin = 0, met_end = 0;
};
// Each pair of the two blocks once, softened; sums begin with the blocks.
void meet_simd_f32(const SimdSources<float>& bodies, const BlockPair& pair, double softening,
                   const SimdSums& own, const SimdSums& met);

// Instruction sets of this build that this machine has, the best first; the first is in use.
std::vector<std::string> simd_targets();
std::string simd_target();  // for example "AVX3"
// One of them instead of the best, to compare and to test; "" for the best again.
void use_simd_target(const std::string& name);

}  // namespace apsis::direct

// SPDX-License-Identifier: MIT
// The pair loops of the native direct solver: one target against a range of sources, vectorised
// by the compiler over the sources. Compiled with relaxed arithmetic (see CMakeLists.txt), so
// nothing else belongs in that file.
#pragma once

#include <cstddef>

namespace apsis::direct {

// Sources as the kernels read them; velocities only for jerk.
template <class State>
struct Sources {
  const State *x, *y, *z, *strength;
  const State *vx, *vy, *vz;
};

template <class State>
struct Target {
  State x, y, z;
  State vx, vy, vz;
};

// Sums over a range, in double whatever the pairs are in.
struct Sums {
  double x = 0, y = 0, z = 0;
  double potential = 0;
  double jerk_x = 0, jerk_y = 0, jerk_z = 0;
};

enum class Pass { field, potential, field_and_jerk };

// Adds sources [begin, end) to `sums`. Pairs are computed in Pair: float sums are kept to short
// blocks, so that they lose no more than a few units in the last place.
template <class State, class Pair, Pass pass, bool softened>
void add_range(const Sources<State>& sources, std::size_t begin, std::size_t end,
               const Target<State>& target, double softening, Sums& sums);

// The instruction set that the loops run with on this machine, for example "x86-64-v4".
const char* instruction_set();

}  // namespace apsis::direct

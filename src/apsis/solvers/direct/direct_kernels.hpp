// SPDX-License-Identifier: MIT
// The pair loops that the compiler vectorises: one target against a range of sources, over the
// sources; and a tile of targets against all sources, over the targets. Compiled with relaxed
// arithmetic (see CMakeLists.txt), so nothing else belongs in that file.
#pragma once

#include <apsis/core/radial_laws.hpp>

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

// The lengths of the law.
struct Lengths {
  double softening = 0, range = 0;
};

// Adds sources [begin, end) to `sums`. Pairs are computed in Pair: float sums are kept to short
// blocks, so that they lose no more than a few units in the last place. The law is compiled into
// the loop that this gives.
template <class State>
using AddRange = void (*)(const Sources<State>& sources, std::size_t begin, std::size_t end,
                          const Target<State>& target, const Lengths& lengths, Sums& sums);
template <class State, class Pair, Pass pass>
AddRange<State> range_loop(Radial radial, bool softened);

// Targets side by side, one per vector lane. `own` is the number of the first among the sources, or
// at least their count where the sets differ: a body's own potential is left out.
inline constexpr std::size_t tile_size = 16;
template <class State>
struct TileTargets {
  State x[tile_size], y[tile_size], z[tile_size];
  std::size_t own;
};
struct TileSums {
  double x[tile_size] = {}, y[tile_size] = {}, z[tile_size] = {}, potential[tile_size] = {};
};

// Adds all sources to the sums of a tile, vectorised over its targets: no sums across lanes.
template <class State>
using AddTile = void (*)(const Sources<State>& sources, std::size_t count,
                         const TileTargets<State>& tile, const Lengths& lengths, TileSums& sums);
template <class State, class Pair>
AddTile<State> tile_loop(Radial radial, bool softened, bool with_potential);

// The instruction set that the loops run with on this machine, for example "x86-64-v4".
const char* instruction_set();

}  // namespace apsis::direct

// SPDX-License-Identifier: MIT
#include <apsis/core/clones.hpp>
#include <apsis/solvers/direct/direct_kernels.hpp>

#include <algorithm>
#include <cmath>

namespace apsis::direct {
namespace {

// Terms of a running float sum: g++ spreads a block over at least 8 lanes; clang does not vectorise
// these loops and adds one by one, which loses 2.3e-6 of a cancelling field in blocks of 256.
#ifdef __clang__
constexpr std::size_t block_size = 32;
#else
constexpr std::size_t block_size = 256;
#endif

// The blocks take sources and target by value: pointers read through a reference inside the loop
// keep the compiler from vectorising it.

// 1/√r2, and 0 for a pair at zero distance where nothing softens it.
template <class Pair, bool softened>
[[gnu::always_inline]] inline Pair inverse_distance(Pair r2) {
  if constexpr (softened) return Pair(1) / std::sqrt(r2);
  // The root never meets a zero: fast arithmetic would make a NaN of it before the choice.
  const Pair safe = r2 > Pair(0) ? r2 : Pair(1);
  const Pair inverse = Pair(1) / std::sqrt(safe);
  return r2 > Pair(0) ? inverse : Pair(0);
}

// √r2, and 1 for such a pair: radial laws are asked about distances above 0 alone.
template <class Pair, bool softened>
[[gnu::always_inline]] inline Pair distance_of(Pair r2, Pair inverse) {
  return softened || r2 > Pair(0) ? r2 * inverse : Pair(1);
}

template <class State, class Pair, bool softened, class Falloff>
[[gnu::always_inline]] inline void field_block(const Sources<State> s, std::size_t begin,
                                               std::size_t end, const Target<State> t, Pair eps2,
                                               const Falloff radial, Sums& sums) {
  Pair fx = 0, fy = 0, fz = 0;
#pragma omp simd reduction(+ : fx, fy, fz)
  for (std::size_t j = begin; j < end; ++j) {
    const Pair dx = Pair(s.x[j] - t.x), dy = Pair(s.y[j] - t.y), dz = Pair(s.z[j] - t.z);
    const Pair r2 = dx * dx + dy * dy + dz * dz + eps2;
    const Pair inverse = inverse_distance<Pair, softened>(r2);
    const Pair factor = radial.force(distance_of<Pair, softened>(r2, inverse));
    if constexpr (softened) {
      const Pair weight = Pair(s.strength[j]) * inverse * (inverse * inverse) * factor;
      fx += weight * dx, fy += weight * dy, fz += weight * dz;
    } else {
      // r⁻³ of a float pair overflows below r = 1e-13, r⁻² only below 1e-19
      const Pair weight = Pair(s.strength[j]) * (inverse * inverse) * factor;
      fx += weight * (inverse * dx), fy += weight * (inverse * dy), fz += weight * (inverse * dz);
    }
  }
  sums.x += fx, sums.y += fy, sums.z += fz;
}

template <class State, class Pair, bool softened, class Falloff>
[[gnu::always_inline]] inline void potential_block(const Sources<State> s, std::size_t begin,
                                                   std::size_t end, const Target<State> t,
                                                   Pair eps2, const Falloff radial, Sums& sums) {
  Pair potential = 0;
#pragma omp simd reduction(+ : potential)
  for (std::size_t j = begin; j < end; ++j) {
    const Pair dx = Pair(s.x[j] - t.x), dy = Pair(s.y[j] - t.y), dz = Pair(s.z[j] - t.z);
    const Pair r2 = dx * dx + dy * dy + dz * dz + eps2;
    const Pair strength = Pair(s.strength[j]);  // before the root: the order moves bits of g++
    const Pair inverse = inverse_distance<Pair, softened>(r2);
    potential += strength * inverse * radial.potential(distance_of<Pair, softened>(r2, inverse));
  }
  sums.potential += potential;
}

template <class State, class Pair, bool softened, class Falloff>
[[gnu::always_inline]] inline void jerk_block(const Sources<State> s, std::size_t begin,
                                              std::size_t end, const Target<State> t, Pair eps2,
                                              const Falloff radial, Sums& sums) {
  Pair fx = 0, fy = 0, fz = 0, jx = 0, jy = 0, jz = 0;
#pragma omp simd reduction(+ : fx, fy, fz, jx, jy, jz)
  for (std::size_t j = begin; j < end; ++j) {
    const Pair dx = Pair(s.x[j] - t.x), dy = Pair(s.y[j] - t.y), dz = Pair(s.z[j] - t.z);
    const Pair ux = Pair(s.vx[j] - t.vx), uy = Pair(s.vy[j] - t.vy), uz = Pair(s.vz[j] - t.vz);
    const Pair r2 = dx * dx + dy * dy + dz * dz + eps2;
    const Pair inverse = inverse_distance<Pair, softened>(r2);
    const Pair inverse2 = inverse * inverse;
    const Pair distance = distance_of<Pair, softened>(r2, inverse);
    const Pair weight = Pair(s.strength[j]) * inverse * inverse2 * radial.force(distance);
    const Pair rate = radial.steepness(distance) * (dx * ux + dy * uy + dz * uz) * inverse2;
    fx += weight * dx, fy += weight * dy, fz += weight * dz;
    jx += weight * (ux - rate * dx);
    jy += weight * (uy - rate * dy);
    jz += weight * (uz - rate * dz);
  }
  sums.x += fx, sums.y += fy, sums.z += fz;
  sums.jerk_x += jx, sums.jerk_y += jy, sums.jerk_z += jz;
}

template <class State, class Pair, Pass pass, bool softened, class Falloff>
APSIS_CLONES void add_range(const Sources<State>& sources, std::size_t begin, std::size_t end,
                            const Target<State>& target, const Lengths& lengths, Sums& sums) {
  const Pair eps2 = Pair(lengths.softening * lengths.softening);
  const Falloff radial(lengths.range);
  for (std::size_t start = begin; start < end; start += block_size) {
    const std::size_t stop = std::min(end, start + block_size);
    if constexpr (pass == Pass::field) {
      field_block<State, Pair, softened>(sources, start, stop, target, eps2, radial, sums);
    } else if constexpr (pass == Pass::potential) {
      potential_block<State, Pair, softened>(sources, start, stop, target, eps2, radial, sums);
    } else {
      jerk_block<State, Pair, softened>(sources, start, stop, target, eps2, radial, sums);
    }
  }
}

// Taken by value for the same reason as above.
template <class State, class Pair, bool softened, bool with_potential, class Falloff>
[[gnu::always_inline]] inline void tile_block(const Sources<State> s, std::size_t begin,
                                              std::size_t end, const TileTargets<State> t,
                                              Pair eps2, const Falloff radial, TileSums& sums) {
  Pair fx[tile_size] = {}, fy[tile_size] = {}, fz[tile_size] = {}, potential[tile_size] = {};
  for (std::size_t j = begin; j < end; ++j) {
    const State sx = s.x[j], sy = s.y[j], sz = s.z[j];
    const Pair strength = Pair(s.strength[j]);
    // one strength a lane, 0 for the body itself: a choice inside the loop keeps the compiler from
    // making vectors
    Pair counted[tile_size];
    if constexpr (with_potential) {
      std::fill_n(counted, tile_size, strength);
      if (j - t.own < tile_size) counted[j - t.own] = 0;
    }
#pragma omp simd
    for (std::size_t k = 0; k < tile_size; ++k) {
      const Pair dx = Pair(sx - t.x[k]), dy = Pair(sy - t.y[k]), dz = Pair(sz - t.z[k]);
      const Pair r2 = dx * dx + dy * dy + dz * dz + eps2;
      const Pair inverse = inverse_distance<Pair, softened>(r2);
      const Pair distance = distance_of<Pair, softened>(r2, inverse);
      const Pair weight = strength * (inverse * inverse) * radial.force(distance);
      fx[k] += weight * (inverse * dx), fy[k] += weight * (inverse * dy);
      fz[k] += weight * (inverse * dz);
      if constexpr (with_potential) {
        potential[k] += counted[k] * inverse * radial.potential(distance);
      }
    }
  }
  for (std::size_t k = 0; k < tile_size; ++k) {
    sums.x[k] += fx[k], sums.y[k] += fy[k], sums.z[k] += fz[k];
    if constexpr (with_potential) sums.potential[k] += potential[k];
  }
}

template <class State, class Pair, bool softened, bool with_potential, class Falloff>
APSIS_CLONES void add_tile(const Sources<State>& sources, std::size_t count,
                           const TileTargets<State>& tile, const Lengths& lengths, TileSums& sums) {
  const Pair eps2 = Pair(lengths.softening * lengths.softening);
  const Falloff radial(lengths.range);
  for (std::size_t start = 0; start < count; start += block_size) {
    tile_block<State, Pair, softened, with_potential>(
        sources, start, std::min(count, start + block_size), tile, eps2, radial, sums);
  }
}

}  // namespace

template <class State, class Pair, Pass pass>
AddRange<State> range_loop(Radial radial, bool softened) {
  return with_type_of(radial, [softened]<class Falloff>() -> AddRange<State> {
    if (softened) return add_range<State, Pair, pass, true, Falloff>;
    return add_range<State, Pair, pass, false, Falloff>;
  });
}

template <class State, class Pair>
AddTile<State> tile_loop(Radial radial, bool softened, bool with_potential) {
  return with_type_of(radial, [=]<class Falloff>() -> AddTile<State> {
    if (with_potential) {
      return softened ? add_tile<State, Pair, true, true, Falloff>
                      : add_tile<State, Pair, false, true, Falloff>;
    }
    return softened ? add_tile<State, Pair, true, false, Falloff>
                    : add_tile<State, Pair, false, false, Falloff>;
  });
}

#define APSIS_INSTANTIATE(State, Pair)                                                  \
  template AddRange<State> range_loop<State, Pair, Pass::field>(Radial, bool);          \
  template AddRange<State> range_loop<State, Pair, Pass::potential>(Radial, bool);      \
  template AddRange<State> range_loop<State, Pair, Pass::field_and_jerk>(Radial, bool); \
  template AddTile<State> tile_loop<State, Pair>(Radial, bool, bool);
APSIS_INSTANTIATE(float, float)
APSIS_INSTANTIATE(double, float)
APSIS_INSTANTIATE(double, double)

const char* instruction_set() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  if (__builtin_cpu_supports("x86-64-v4")) return "x86-64-v4";
  if (__builtin_cpu_supports("x86-64-v3")) return "x86-64-v3";
  return "x86-64";
#else
  return "baseline";
#endif
}

}  // namespace apsis::direct

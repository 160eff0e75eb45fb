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

template <class State, class Pair, bool softened>
[[gnu::always_inline]] inline void field_block(const Sources<State> s, std::size_t begin,
                                               std::size_t end, const Target<State> t, Pair eps2,
                                               Sums& sums) {
  Pair fx = 0, fy = 0, fz = 0;
#pragma omp simd reduction(+ : fx, fy, fz)
  for (std::size_t j = begin; j < end; ++j) {
    const Pair dx = Pair(s.x[j] - t.x), dy = Pair(s.y[j] - t.y), dz = Pair(s.z[j] - t.z);
    const Pair r2 = dx * dx + dy * dy + dz * dz + eps2;
    const Pair inverse = inverse_distance<Pair, softened>(r2);
    if constexpr (softened) {
      const Pair weight = Pair(s.strength[j]) * inverse * (inverse * inverse);
      fx += weight * dx, fy += weight * dy, fz += weight * dz;
    } else {
      // r⁻³ of a float pair overflows below r = 1e-13, r⁻² only below 1e-19
      const Pair weight = Pair(s.strength[j]) * (inverse * inverse);
      fx += weight * (inverse * dx), fy += weight * (inverse * dy), fz += weight * (inverse * dz);
    }
  }
  sums.x += fx, sums.y += fy, sums.z += fz;
}

template <class State, class Pair, bool softened>
[[gnu::always_inline]] inline void potential_block(const Sources<State> s, std::size_t begin,
                                                   std::size_t end, const Target<State> t,
                                                   Pair eps2, Sums& sums) {
  Pair potential = 0;
#pragma omp simd reduction(+ : potential)
  for (std::size_t j = begin; j < end; ++j) {
    const Pair dx = Pair(s.x[j] - t.x), dy = Pair(s.y[j] - t.y), dz = Pair(s.z[j] - t.z);
    const Pair r2 = dx * dx + dy * dy + dz * dz + eps2;
    potential += Pair(s.strength[j]) * inverse_distance<Pair, softened>(r2);
  }
  sums.potential += potential;
}

template <class State, class Pair, bool softened>
[[gnu::always_inline]] inline void jerk_block(const Sources<State> s, std::size_t begin,
                                              std::size_t end, const Target<State> t, Pair eps2,
                                              Sums& sums) {
  Pair fx = 0, fy = 0, fz = 0, jx = 0, jy = 0, jz = 0;
#pragma omp simd reduction(+ : fx, fy, fz, jx, jy, jz)
  for (std::size_t j = begin; j < end; ++j) {
    const Pair dx = Pair(s.x[j] - t.x), dy = Pair(s.y[j] - t.y), dz = Pair(s.z[j] - t.z);
    const Pair ux = Pair(s.vx[j] - t.vx), uy = Pair(s.vy[j] - t.vy), uz = Pair(s.vz[j] - t.vz);
    const Pair r2 = dx * dx + dy * dy + dz * dz + eps2;
    const Pair inverse = inverse_distance<Pair, softened>(r2);
    const Pair inverse2 = inverse * inverse;
    const Pair weight = Pair(s.strength[j]) * inverse * inverse2;
    const Pair rate = Pair(3) * (dx * ux + dy * uy + dz * uz) * inverse2;
    fx += weight * dx, fy += weight * dy, fz += weight * dz;
    jx += weight * (ux - rate * dx);
    jy += weight * (uy - rate * dy);
    jz += weight * (uz - rate * dz);
  }
  sums.x += fx, sums.y += fy, sums.z += fz;
  sums.jerk_x += jx, sums.jerk_y += jy, sums.jerk_z += jz;
}

}  // namespace

template <class State, class Pair, Pass pass, bool softened>
APSIS_CLONES void add_range(const Sources<State>& sources, std::size_t begin, std::size_t end,
                            const Target<State>& target, double softening, Sums& sums) {
  const Pair eps2 = Pair(softening * softening);
  for (std::size_t start = begin; start < end; start += block_size) {
    const std::size_t stop = std::min(end, start + block_size);
    if constexpr (pass == Pass::field) {
      field_block<State, Pair, softened>(sources, start, stop, target, eps2, sums);
    } else if constexpr (pass == Pass::potential) {
      potential_block<State, Pair, softened>(sources, start, stop, target, eps2, sums);
    } else {
      jerk_block<State, Pair, softened>(sources, start, stop, target, eps2, sums);
    }
  }
}

// Taken by value for the same reason as above.
template <class State, class Pair, bool softened, bool with_potential>
[[gnu::always_inline]] inline void tile_block(const Sources<State> s, std::size_t begin,
                                              std::size_t end, const TileTargets<State> t,
                                              Pair eps2, TileSums& sums) {
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
      const Pair weight = strength * (inverse * inverse);
      fx[k] += weight * (inverse * dx), fy[k] += weight * (inverse * dy);
      fz[k] += weight * (inverse * dz);
      if constexpr (with_potential) potential[k] += counted[k] * inverse;
    }
  }
  for (std::size_t k = 0; k < tile_size; ++k) {
    sums.x[k] += fx[k], sums.y[k] += fy[k], sums.z[k] += fz[k];
    if constexpr (with_potential) sums.potential[k] += potential[k];
  }
}

template <class State, class Pair, bool softened, bool with_potential>
APSIS_CLONES void add_tile(const Sources<State>& sources, std::size_t count,
                           const TileTargets<State>& tile, double softening, TileSums& sums) {
  const Pair eps2 = Pair(softening * softening);
  for (std::size_t start = 0; start < count; start += block_size) {
    tile_block<State, Pair, softened, with_potential>(
        sources, start, std::min(count, start + block_size), tile, eps2, sums);
  }
}

#define APSIS_INSTANTIATE_TILE(State, Pair, softened, with_potential) \
  template void add_tile<State, Pair, softened, with_potential>(      \
      const Sources<State>&, std::size_t, const TileTargets<State>&, double, TileSums&);
#define APSIS_INSTANTIATE_TILES(State, Pair)       \
  APSIS_INSTANTIATE_TILE(State, Pair, true, true)  \
  APSIS_INSTANTIATE_TILE(State, Pair, true, false) \
  APSIS_INSTANTIATE_TILE(State, Pair, false, true) \
  APSIS_INSTANTIATE_TILE(State, Pair, false, false)
APSIS_INSTANTIATE_TILES(float, float)
APSIS_INSTANTIATE_TILES(double, float)
APSIS_INSTANTIATE_TILES(double, double)

#define APSIS_INSTANTIATE(State, Pair, pass)                                                 \
  template void add_range<State, Pair, pass, true>(                                          \
      const Sources<State>&, std::size_t, std::size_t, const Target<State>&, double, Sums&); \
  template void add_range<State, Pair, pass, false>(                                         \
      const Sources<State>&, std::size_t, std::size_t, const Target<State>&, double, Sums&);
#define APSIS_INSTANTIATE_PASSES(State, Pair)     \
  APSIS_INSTANTIATE(State, Pair, Pass::field)     \
  APSIS_INSTANTIATE(State, Pair, Pass::potential) \
  APSIS_INSTANTIATE(State, Pair, Pass::field_and_jerk)

APSIS_INSTANTIATE_PASSES(float, float)
APSIS_INSTANTIATE_PASSES(double, float)
APSIS_INSTANTIATE_PASSES(double, double)

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

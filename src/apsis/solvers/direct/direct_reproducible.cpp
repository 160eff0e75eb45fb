// SPDX-License-Identifier: MIT
#include <apsis/core/clones.hpp>
#include <apsis/solvers/direct/direct_reproducible.hpp>

#include <algorithm>
#include <cmath>

namespace apsis::direct {
namespace {

// As in kernels/pair_sum.cl and the plan of the OpenCL solver.
constexpr std::size_t chunk = 32, block = 32 * chunk, part = 4096;

template <bool softened, class Falloff>
[[gnu::always_inline]] inline void add_source(const ReproducibleSources& s, std::size_t j,
                                              const LaneTargets& t, double eps2,
                                              const Falloff radial, LaneSums& sums) {
  const double sx = s.x[j], sy = s.y[j], sz = s.z[j], strength = s.strength[j];
#pragma omp simd
  for (std::size_t k = 0; k < lanes; ++k) {
    const double dx = sx - t.x[k], dy = sy - t.y[k], dz = sz - t.z[k];
    const double r2 = __builtin_fma(dx, dx, __builtin_fma(dy, dy, __builtin_fma(dz, dz, eps2)));
    const double root = 1.0 / std::sqrt(softened || r2 > 0 ? r2 : 1.0);
    const double inverse = softened || r2 > 0 ? root : 0.0;
    const double distance = inverse > 0 ? 1.0 / inverse : 1.0;
    const double newtons = softened ? inverse * (inverse * inverse) : inverse * inverse;
    const double weight = strength * (newtons * radial.force(distance));
    sums.x[k] = __builtin_fma(weight, softened ? dx : dx * inverse, sums.x[k]);
    sums.y[k] = __builtin_fma(weight, softened ? dy : dy * inverse, sums.y[k]);
    sums.z[k] = __builtin_fma(weight, softened ? dz : dz * inverse, sums.z[k]);
    const double counted = j == t.first + k ? 0.0 : strength;
    sums.potential[k] =
        __builtin_fma(counted, inverse * radial.potential(distance), sums.potential[k]);
  }
}

[[gnu::always_inline]] inline void add_sums(const LaneSums& from, LaneSums& to) {
  for (std::size_t k = 0; k < lanes; ++k) {
    to.x[k] += from.x[k], to.y[k] += from.y[k], to.z[k] += from.z[k];
    to.potential[k] += from.potential[k];
  }
}

// fma is one instruction from x86-64-v3 on; below, the library's gives the same bits, slowly.
template <bool softened, class Falloff>
APSIS_CLONES void add_all(const ReproducibleSources& sources, const LaneTargets& targets,
                          double eps2, const Falloff radial, LaneSums& sums) {
  for (std::size_t begin = 0; begin < sources.count; begin += part) {
    LaneSums of_part{}, of_block{};
    const std::size_t end = std::min(sources.count, begin + part);
    for (std::size_t start = begin; start < end; start += chunk) {
      LaneSums of_chunk{};
      for (std::size_t j = start; j < std::min(end, start + chunk); ++j) {
        add_source<softened>(sources, j, targets, eps2, radial, of_chunk);
      }
      add_sums(of_chunk, of_block);
      if ((start - begin + chunk) % block == 0) {
        add_sums(of_block, of_part);
        of_block = {};
      }
    }
    add_sums(of_block, of_part);
    add_sums(of_part, sums);
  }
}

}  // namespace

void reproducible_sums(const ReproducibleSources& sources, const LaneTargets& targets,
                       double softening, const RadialLaw& law, LaneSums& sums) {
  with_radial(law, [&](auto radial) {
    if (softening > 0) {
      add_all<true>(sources, targets, softening * softening, radial, sums);
    } else {
      add_all<false>(sources, targets, 0, radial, sums);
    }
  });
}

}  // namespace apsis::direct

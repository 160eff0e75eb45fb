// SPDX-License-Identifier: MIT
// Double sums in one order with correctly rounded operations: bit for bit what the one-sided
// kernels of kernels/ give on any device in `reproducible` mode (parts of 4096 sources, chunks of
// 32, fma where the kernels say fma).
#pragma once

#include <apsis/core/radial_laws.hpp>

#include <cstddef>

namespace apsis::direct {

struct ReproducibleSources {
  std::size_t count;
  const double *x, *y, *z, *strength;
};

// Targets side by side, one per vector lane; `first` is the number of the first among the sources,
// whose own potential is left out, or count where sources and targets differ.
inline constexpr std::size_t lanes = 16;
struct LaneTargets {
  double x[lanes], y[lanes], z[lanes];
  std::size_t first;
};
struct LaneSums {
  double x[lanes], y[lanes], z[lanes], potential[lanes];
};

void reproducible_sums(const ReproducibleSources& sources, const LaneTargets& targets,
                       double softening, const RadialLaw& law, LaneSums& sums);

}  // namespace apsis::direct

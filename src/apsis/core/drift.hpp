// SPDX-License-Identifier: MIT
// How far a state has drifted in what its own forces cannot change: momentum, angular momentum, and
// the even motion of the centre of mass.
#pragma once

#include <apsis/core/energies.hpp>

#include <optional>

namespace apsis {

// How much there is of the bodies at the start of a run, for figures that are shares of it.
struct Extent {
  double mass = 0;
  double radius = 0;  // root mean square distance from the centre of mass, by mass
};

// Sums in a fixed order: the same bits with any number of threads.
Extent extent_of(const Bodies& bodies, int threads = 0);

// Shares; nothing where there is nothing to compare with (no mass, all bodies in one place).
struct Drift {
  // |C - C0 - P0/M (t - t0)| of the radius
  std::optional<double> center_of_mass;
  // |P - P0| of sqrt(2 M (K0 + |U0|)), which no motion with those energies exceeds
  std::optional<double> momentum;
  // |L - L0| of that times the radius
  std::optional<double> angular_momentum;
};

// `passed`: the time between the two.
Drift drift_of(const Energies& now, const Energies& start, const Extent& extent, double passed);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// Screened: potential exp(-u)/r with u = r/RANGE, force (1 + u) exp(-u)/r². On the host:
// core/radial/yukawa.hpp.
#pragma once
#include "numbers.cl"

#ifndef RANGE
#define RANGE 1
#endif

// No more than what leaves nothing beside newton's.
inline real ranges(real r) { return fmin(r * (1 / (real)RANGE), MOST_EXPONENT); }

inline real radial_force(real r) {
  const real u = ranges(r);
  return (1 + u) * exp_of_minus(u);
}
inline real radial_potential(real r) { return exp_of_minus(ranges(r)); }
inline real radial_steepness(real r) {
  const real u = ranges(r);
  return 3 + u * u / (1 + u);
}

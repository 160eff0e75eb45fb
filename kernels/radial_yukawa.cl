// SPDX-License-Identifier: MIT
// Screened: potential exp(-u)/r with u = r/RANGE, force (1 + u) exp(-u)/r². On the host:
// core/radial/yukawa.hpp.
#pragma once
#include "numbers.cl"

#ifndef RANGE
#define RANGE 1
#endif

// No more than what leaves nothing beside newton's; what has no distance gets 1.
inline real ranges(real inverse) {
  const real r = inverse > 0 ? 1 / inverse : (real)1;
  return fmin(r * (1 / (real)RANGE), MOST_EXPONENT);
}

inline real radial_force(real newtons, real inverse) {
  const real u = ranges(inverse);
  return newtons * ((1 + u) * exp_of_minus(u));
}
inline real radial_potential(real newtons, real inverse) { return newtons * exp_of_minus(ranges(inverse)); }
inline real radial_steepness(real inverse) {
  const real u = ranges(inverse);
  return 3 + u * u / (1 + u);
}

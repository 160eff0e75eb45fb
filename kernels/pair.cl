// SPDX-License-Identifier: MIT
// The pair law: what a pair adds to the field is strength · falloff · direction, and to the potential
// strength · potential_falloff. Whoever edits one of them edits the other, or energies are those of
// another law. Both stay finite at 1e18 lengths (1e150 in f64), where the padding rests.
#pragma once
#include "numbers.cl"

#ifndef SOFTENED
#define SOFTENED 1 // 0: no softening
#endif
#ifndef POTENTIAL
#define POTENTIAL 0 // 1: sums hold the potential too, in w
#endif

inline real square_distance(real4 d, real eps2) {
  return fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, eps2)));
}

// With softening a pair at zero distance gives no force by itself. Without, it gives nothing at all,
// and its root is never taken.
inline real inverse_distance(real r2) {
  if (SOFTENED) return inverse_root(r2);
  const bool apart = r2 > 0;
  const real inverse = inverse_root(apart ? r2 : (real)1);
  return apart ? inverse : (real)0;
}
// r⁻³ of a float pair overflows below r = 1e-13, r⁻² only below 1e-19: without softening falloff is
// r⁻² and direction a unit vector.
inline real falloff(real inverse) {
  return SOFTENED ? inverse * (inverse * inverse) : inverse * inverse;
}
inline real4 direction(real4 offset, real inverse) {
  return SOFTENED ? offset : offset * inverse;
}
#define HAS_POTENTIAL_FALLOFF 1
inline real potential_falloff(real inverse) { return inverse; }

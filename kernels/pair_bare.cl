// SPDX-License-Identifier: MIT
// The pair law without softening: a pair at zero distance gives nothing, and its root is never
// taken. r⁻³ of a float pair overflows below r = 1e-13, r⁻² only below 1e-19: hence unit vectors.
#include "numbers.cl"

inline real inverse_distance(real r2) {
  const bool apart = r2 > 0;
  const real inverse = inverse_root(apart ? r2 : (real)1);
  return apart ? inverse : (real)0;
}
inline real falloff(real inverse) { return inverse * inverse; }
inline real4 direction(real4 offset, real inverse) { return offset * inverse; }

// SPDX-License-Identifier: MIT
// What one source adds to the sum of one target: field in x, y, z, potential in w.
#pragma once
#include "pair.cl"

#define CHUNK 32 // pairs in one running sum of reals; such sums are added in accums

// A body's potential leaves out the body itself; its force on itself is zero anyway.
inline real4 with_pair(real4 sum, body target, body source, real eps2, bool itself) {
  const real4 d = offset_between(target, source);
  const real inverse = inverse_distance(square_distance(d, eps2));
  const real4 e = direction(d, inverse);
  const real weight = strength_of(source) * falloff(inverse);
  sum.x = fma(weight, e.x, sum.x);
  sum.y = fma(weight, e.y, sum.y);
  sum.z = fma(weight, e.z, sum.z);
  if (POTENTIAL) sum.w = fma(itself ? (real)0 : strength_of(source), inverse, sum.w);
  return sum;
}

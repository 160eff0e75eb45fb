// SPDX-License-Identifier: MIT
// What one source adds to the sum of one target: field in x, y, z, potential in w.
#pragma once
#include "radial.cl"

// Sums in three steps, so that float keeps its digits over a million bodies: 32 pairs in reals, 32
// such chunks in accums, and those in accums again. With a CHUNK of 1 it is one running sum, as the
// tutorials have it: the lesson on precision shows what that loses.
#ifndef CHUNK
#define CHUNK 32 // 1 or 32
#endif
#define CHUNKS CHUNK
typedef struct {
  accum4 total, block;
} long_sum;

inline long_sum no_sum(void) {
  long_sum none;
  none.total = none.block = (accum4)(0);
  return none;
}
// Chunks are numbered from the first of their part.
inline long_sum with_chunk(long_sum to, real4 chunk, int number) {
  to.block += widened(chunk);
  if (number % CHUNKS == CHUNKS - 1) {
    to.total += to.block;
    to.block = (accum4)(0);
  }
  return to;
}
inline accum4 value_of(long_sum sum) { return sum.total + sum.block; }

// A body's potential leaves out the body itself; its force on itself is zero anyway.
inline real4 with_pair(real4 sum, body target, body source, real eps2, bool itself) {
  const real4 d = offset_between(target, source);
  const real inverse = inverse_distance(square_distance(d, eps2));
  const real4 e = direction(d, inverse);
  const real weight = strength_of(source) * pair_force(inverse);
  sum.x = fma(weight, e.x, sum.x);
  sum.y = fma(weight, e.y, sum.y);
  sum.z = fma(weight, e.z, sum.z);
  if (POTENTIAL) {
    sum.w = fma(itself ? (real)0 : strength_of(source), pair_potential(inverse), sum.w);
  }
  return sum;
}

// SPDX-License-Identifier: MIT
// Kicks and drifts. Neighbouring ones of several steps share a launch but stay operations of their
// own, so that the result does not depend on where the list was cut. The same operations in the same
// order as on the host.
#include "field_sum.cl"

#define KICK 1
#define DRIFT 2
#define OPERATIONS 4 // a launch; two bits each, the first in the lowest

// With parts > 0 the acceleration is taken from the solver's sums first, and kept.
kernel void motion(int count, int padded, int parts, global const accum4* restrict sums,
                   global const state* restrict coupling, int coupling_stride,
                   global state4* restrict place, global state4* restrict velocity,
                   global state4* restrict acceleration, int operations, state h0, state h1,
                   state h2, state h3) {
  const int i = get_global_id(0);
  if (i >= count) return; // padding stays where it is
  state4 a = acceleration[i];
  if (parts > 0) {
    a = sum_of_parts(sums, parts, padded, i) * coupling[i * coupling_stride];
    acceleration[i] = a;
  }
  if (operations == 0) return;
  const state lengths[OPERATIONS] = {h0, h1, h2, h3};
  state4 p = place[i], v = velocity[i];
  for (int k = 0; k < OPERATIONS; ++k) {
    const int operation = (operations >> (2 * k)) & 3;
    if (operation == KICK) v.xyz = v.xyz + a.xyz * lengths[k];
    if (operation == DRIFT) p.xyz = p.xyz + v.xyz * lengths[k];
  }
  place[i] = p;
  velocity[i] = v;
}

// A field on its own, for jerks and for looks at accelerations.
kernel void couple_field(int count, int padded, int parts, global const accum4* restrict sums,
                         global const state* restrict coupling, int coupling_stride,
                         global state4* restrict result) {
  const int i = get_global_id(0);
  if (i >= count) return;
  result[i] = sum_of_parts(sums, parts, padded, i) * coupling[i * coupling_stride];
}

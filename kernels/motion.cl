// SPDX-License-Identifier: MIT
// Kicks and drifts. Neighbouring ones of several steps share a launch but stay operations of their
// own, so that the result does not depend on where the list was cut. The same operations in the same
// order as on the host.
#include "field_sum.cl"
#include "moved.cl"

inline void apply(int kick, int drift, state h, state4 a, state4* p, state4* v) {
  if (kick) *v = moved(*v, a, h);
  if (drift) *p = moved(*p, *v, h);
}

// Of bodies [first, end), as all kernels of motion: up to four operations in order; bit k of `kicks` or `drifts` says what the k-th is.
// With parts > 0 the acceleration is taken from the solver's sums first, and kept.
kernel void motion(int first, int end, int padded, int parts, global const accum4* restrict sums,
                   global const state* restrict coupling, int coupling_stride,
                   global state4* restrict place, global state4* restrict velocity,
                   global state4* restrict acceleration, int kicks, int drifts, state h0, state h1,
                   state h2, state h3) {
  const int i = first + (int)get_global_id(0);
  if (i >= end) return; // padding stays where it is
  state4 a = acceleration[i];
  if (parts > 0) {
    a = sum_of_parts(sums, parts, padded, i) * coupling[i * coupling_stride];
    acceleration[i] = a;
  }
  if (kicks == 0 && drifts == 0) return;
  state4 p = place[i], v = velocity[i];
  apply(kicks & 1, drifts & 1, h0, a, &p, &v);
  apply(kicks & 2, drifts & 2, h1, a, &p, &v);
  apply(kicks & 4, drifts & 4, h2, a, &p, &v);
  apply(kicks & 8, drifts & 8, h3, a, &p, &v);
  place[i] = p;
  velocity[i] = v;
}

// A field on its own, for jerks and for looks at accelerations.
kernel void couple_field(int first, int end, int padded, int parts, global const accum4* restrict sums,
                         global const state* restrict coupling, int coupling_stride,
                         global state4* restrict result) {
  const int i = first + (int)get_global_id(0);
  if (i >= end) return;
  result[i] = sum_of_parts(sums, parts, padded, i) * coupling[i * coupling_stride];
}

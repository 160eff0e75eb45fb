// SPDX-License-Identifier: MIT
// All pairs with positions stored x, y, z behind one another and strengths apart: no padding to
// four, and no aligned vector loads.
#define SOURCES global const state* restrict places, global const state* restrict strengths
#define SOURCE(j) ((state4)(vload3(j, places), strengths[j]))
#include "one_body_an_item.cl"

kernel void pack(global const state4* restrict bodies, global state* restrict places,
                 global state* restrict strengths) {
  const int i = get_global_id(0);
  const state4 b = bodies[i];
  vstore3(b.xyz, i, places);
  strengths[i] = b.w;
}

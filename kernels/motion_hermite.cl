// SPDX-License-Identifier: MIT
// Hermite's two halves of a step. The accepted state that both start from lies in `base`: places,
// velocities, accelerations and jerks as four planes of `padded` entries.
#include "numbers.cl"

kernel void hermite_predict(int count, int padded, global state4* restrict place,
                            global state4* restrict velocity,
                            global const state4* restrict acceleration,
                            global const state4* restrict jerk, global state4* restrict base,
                            state h, state half_h, state third_h) {
  const int i = get_global_id(0);
  if (i >= count) return;
  const state4 p = place[i], v = velocity[i], a = acceleration[i], j = jerk[i];
  base[i] = p;
  base[i + padded] = v;
  base[i + 2 * padded] = a;
  base[i + 3 * padded] = j;
  place[i].xyz = p.xyz + h * (v.xyz + half_h * (a.xyz + third_h * j.xyz));
  velocity[i].xyz = v.xyz + h * (a.xyz + half_h * j.xyz);
}

// Makino & Aarseth 1992: the trapezium with its first derivative correction, fourth order.
kernel void hermite_correct(int count, int padded, global state4* restrict place,
                            global state4* restrict velocity,
                            global const state4* restrict acceleration,
                            global const state4* restrict jerk, global const state4* restrict base,
                            state half_h, state twelfth_h2) {
  const int i = get_global_id(0);
  if (i >= count) return;
  const state4 p0 = base[i], v0 = base[i + padded];
  const state4 a0 = base[i + 2 * padded], j0 = base[i + 3 * padded];
  const state4 a1 = acceleration[i], j1 = jerk[i];
  state4 p = p0, v = v0;
  v.xyz = v0.xyz + half_h * (a0.xyz + a1.xyz) + twelfth_h2 * (j0.xyz - j1.xyz);
  p.xyz = p0.xyz + half_h * (v0.xyz + v.xyz) + twelfth_h2 * (a0.xyz - a1.xyz);
  place[i] = p;
  velocity[i] = v;
}

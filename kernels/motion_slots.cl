// SPDX-License-Identifier: MIT
// Runge-Kutta's slots: places, velocities and accelerations as three planes of `padded` entries.
#include "moved.cl"

kernel void save_slot(int first, int end, int padded, global const state4* restrict place,
                      global const state4* restrict velocity,
                      global const state4* restrict acceleration, global state4* restrict slot) {
  const int i = first + (int)get_global_id(0);
  if (i >= end) return;
  slot[i] = place[i];
  slot[i + padded] = velocity[i];
  slot[i + 2 * padded] = acceleration[i];
}

// What a slot's slopes add.
inline void add_slopes(global const state4* slot, int padded, int i, state h, state4* p,
                       state4* v) {
  *p = moved(*p, slot[i + padded], h);
  *v = moved(*v, slot[i + 2 * padded], h);
}

kernel void combine_slots(int first, int end, int padded, global state4* restrict place,
                          global state4* restrict velocity, global const state4* base, int terms,
                          global const state4* slot0, state h0, global const state4* slot1,
                          state h1, global const state4* slot2, state h2,
                          global const state4* slot3, state h3) {
  const int i = first + (int)get_global_id(0);
  if (i >= end) return;
  state4 p = base[i], v = base[i + padded];
  if (terms > 0) add_slopes(slot0, padded, i, h0, &p, &v);
  if (terms > 1) add_slopes(slot1, padded, i, h1, &p, &v);
  if (terms > 2) add_slopes(slot2, padded, i, h2, &p, &v);
  if (terms > 3) add_slopes(slot3, padded, i, h3, &p, &v);
  place[i] = p;
  velocity[i] = v;
}

// SPDX-License-Identifier: MIT
// States of some bodies, by their numbers: to the host and back; and who is beyond a wall.
#include "numbers.cl"

// Place and velocity, one after the other.
kernel void gather_bodies(int some, global const uint* restrict numbers, global const state4* restrict place,
                          global const state4* restrict velocity, global state4* restrict states) {
  const int k = get_global_id(0);
  if (k >= some) return;
  states[2 * k] = place[numbers[k]];
  states[2 * k + 1] = velocity[numbers[k]];
}

// w, which holds a strength or a mass, stays.
kernel void scatter_bodies(int some, global const uint* restrict numbers, global const state4* restrict states,
                           global state4* restrict place, global state4* restrict velocity) {
  const int k = get_global_id(0);
  if (k >= some) return;
  const uint i = numbers[k];
  const state4 p = states[2 * k], v = states[2 * k + 1];
  place[i] = (state4)(p.x, p.y, p.z, place[i].w);
  velocity[i] = (state4)(v.x, v.y, v.z, velocity[i].w);
}

kernel void bodies_beyond(int bodies, global const state4* restrict place, global const float* restrict radius,
                          state x0, state x1, state y0, state y1, state z0, state z1, global uint* restrict found,
                          int most, global uint* restrict numbers) {
  const int i = get_global_id(0);
  if (i >= bodies) return;
  const state4 p = place[i];
  const state r = radius[i];
  const int beyond = p.x - r <= x0 || p.x + r >= x1 || p.y - r <= y0 || p.y + r >= y1 || p.z - r <= z0 || p.z + r >= z1;
  if (!beyond) return;
  const uint at = atomic_inc(found);
  if (at < (uint)most) numbers[at] = (uint)i;
}

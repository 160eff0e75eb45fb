// SPDX-License-Identifier: MIT
// Hermite's two halves of a step. The accepted state that both start from lies in `base`: places,
// velocities, accelerations and jerks as four planes of `padded` entries. Strengths and masses lie
// in w and stay.
#include "numbers.cl"

inline state taylor_place(state p, state v, state a, state j, state h, state half_h,
                          state third_h) {
  return p + h * (v + half_h * (a + third_h * j));
}
inline state taylor_velocity(state v, state a, state j, state h, state half_h) {
  return v + h * (a + half_h * j);
}

kernel void hermite_predict(int first, int end, int padded, global state4* restrict place,
                            global state4* restrict velocity,
                            global const state4* restrict acceleration,
                            global const state4* restrict jerk, global state4* restrict base,
                            state h, state half_h, state third_h) {
  const int i = first + (int)get_global_id(0);
  if (i >= end) return;
  const state4 p = place[i], v = velocity[i], a = acceleration[i], j = jerk[i];
  base[i] = p;
  base[i + padded] = v;
  base[i + 2 * padded] = a;
  base[i + 3 * padded] = j;
  place[i] = (state4)(taylor_place(p.x, v.x, a.x, j.x, h, half_h, third_h),
                      taylor_place(p.y, v.y, a.y, j.y, h, half_h, third_h),
                      taylor_place(p.z, v.z, a.z, j.z, h, half_h, third_h), p.w);
  velocity[i] = (state4)(taylor_velocity(v.x, a.x, j.x, h, half_h),
                         taylor_velocity(v.y, a.y, j.y, h, half_h),
                         taylor_velocity(v.z, a.z, j.z, h, half_h), v.w);
}

// x1 from x0 and the first two derivatives at both ends (Makino & Aarseth 1992): the trapezium with
// its derivative correction, fourth order.
inline state trapezium(state x0, state first0, state first1, state second0, state second1,
                       state half_h, state twelfth_h2) {
  return x0 + half_h * (first0 + first1) + twelfth_h2 * (second0 - second1);
}

kernel void hermite_correct(int first, int end, int padded, global state4* restrict place,
                            global state4* restrict velocity,
                            global const state4* restrict acceleration,
                            global const state4* restrict jerk, global const state4* restrict base,
                            state half_h, state twelfth_h2) {
  const int i = first + (int)get_global_id(0);
  if (i >= end) return;
  const state4 p0 = base[i], v0 = base[i + padded];
  const state4 a0 = base[i + 2 * padded], j0 = base[i + 3 * padded];
  const state4 a1 = acceleration[i], j1 = jerk[i];
  const state vx = trapezium(v0.x, a0.x, a1.x, j0.x, j1.x, half_h, twelfth_h2);
  const state vy = trapezium(v0.y, a0.y, a1.y, j0.y, j1.y, half_h, twelfth_h2);
  const state vz = trapezium(v0.z, a0.z, a1.z, j0.z, j1.z, half_h, twelfth_h2);
  velocity[i] = (state4)(vx, vy, vz, v0.w);
  place[i] = (state4)(trapezium(p0.x, v0.x, vx, a0.x, a1.x, half_h, twelfth_h2),
                      trapezium(p0.y, v0.y, vy, a0.y, a1.y, half_h, twelfth_h2),
                      trapezium(p0.z, v0.z, vz, a0.z, a1.z, half_h, twelfth_h2), p0.w);
}

// SPDX-License-Identifier: MIT
// Adds what an external field gives to bodies [first, end) on top of their accelerations, and jerks
// where there are some. Included at the end of the files of the fields, external_*.cl, which give
// external_acceleration and external_jerk; c0 to c5 are the field at one moment.

kernel void add_external(int first, int end, global const state4* restrict place,
                         global const state4* restrict velocity,
                         global state4* restrict acceleration, int with_jerk, global state4* jerk,
                         state c0, state c1, state c2, state c3, state c4, state c5) {
  const int i = first + (int)get_global_id(0);
  if (i >= end) return;
  const state8 c = (state8)(c0, c1, c2, c3, c4, c5, 0, 0);
  const state4 a = external_acceleration(c, place[i]);
  acceleration[i] = acceleration[i] + (state4)(a.x, a.y, a.z, 0);
  if (!with_jerk) return;
  const state4 j = external_jerk(c, place[i], velocity[i]);
  jerk[i] = jerk[i] + (state4)(j.x, j.y, j.z, 0);
}

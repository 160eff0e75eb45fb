// SPDX-License-Identifier: MIT
// Global figures of the state. Always GROUPS groups of ITEMS work-items: body i goes to work-item
// i mod GROUPS·ITEMS, a group adds its work-items up as a tree, and the host adds the groups in
// order, so that every device sums in the same order.
#include "field_sum.cl"

#ifndef TOTAL
#define TOTAL float // double where the device has it
#define TOTAL4 float4
#endif
#ifndef ITEMS
#define ITEMS 64
#endif
#define QUANTITIES 4

typedef TOTAL total;
typedef TOTAL4 total4;

// The tree leaves the group's sum in the first entry.
inline void add_up(local total4* sums, int item) {
  for (int half_of = ITEMS / 2; half_of > 0; half_of /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_of) sums[item] = sums[item] + sums[item + half_of];
  }
}

// Velocities carry the mass in w, places the strength, the field the potential. Bodies are added in
// the user's order; where they are stored in another one (`ordered`), order[k] is the k-th.
// Out, for each group: (mass, kinetic, strength·potential, 0), momentum, angular momentum, moment.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void sum_energies(int count, int padded, int parts, global const accum4* restrict field,
                  global const state4* restrict place, global const state4* restrict velocity,
                  int ordered, global const int* restrict order, global total4* restrict out) {
  local total4 sums[QUANTITIES * ITEMS];
  const int item = get_local_id(0);
  total4 figures = (total4)(0), momentum = (total4)(0), spin = (total4)(0), moment = (total4)(0);
  for (int k = get_global_id(0); k < count; k += get_global_size(0)) {
    const int i = ordered ? order[k] : k;
    const state4 p = place[i], w = velocity[i];
    const total4 x = (total4)((total)p.x, (total)p.y, (total)p.z, 0);
    const total4 v = (total4)((total)w.x, (total)w.y, (total)w.z, 0);
    const total mass = (total)w.w;
    const total potential = (total)sum_of_parts(field, parts, padded, i).w;
    figures = figures + (total4)(mass, (total)0.5f * mass * (v.x * v.x + v.y * v.y + v.z * v.z),
                                 (total)p.w * potential, 0);
    momentum = momentum + mass * v;
    spin = spin + mass * (total4)(x.y * v.z - x.z * v.y, x.z * v.x - x.x * v.z,
                                  x.x * v.y - x.y * v.x, 0);
    moment = moment + mass * x;
  }
  sums[item] = figures;
  sums[item + ITEMS] = momentum;
  sums[item + 2 * ITEMS] = spin;
  sums[item + 3 * ITEMS] = moment;
  for (int q = 0; q < QUANTITIES; ++q) add_up(sums + q * ITEMS, item);
  if (item == 0) {
    for (int q = 0; q < QUANTITIES; ++q) out[get_group_id(0) * QUANTITIES + q] = sums[q * ITEMS];
  }
}

// How many bodies of [first, end), by group, have a place or velocity that is not finite.
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void count_bad(int first, int end, global const state4* restrict place,
               global const state4* restrict velocity, global int* restrict out) {
  local int found[ITEMS];
  const int item = get_local_id(0);
  int bad = 0;
  for (int i = first + (int)get_global_id(0); i < end; i += get_global_size(0)) {
    bad += all(isfinite(place[i])) && all(isfinite(velocity[i])) ? 0 : 1;
  }
  found[item] = bad;
  for (int half_of = ITEMS / 2; half_of > 0; half_of /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < half_of) found[item] += found[item + half_of];
  }
  if (item == 0) out[get_group_id(0)] = found[0];
}

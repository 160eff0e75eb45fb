// SPDX-License-Identifier: MIT
// The forces of the solver `bins`: a body's own bin and those that touch it pair by pair, all others
// as one body each. A work-item is a body in the order of the bins, so that its neighbours read the
// same near bodies.
#include "bins_fields.cl"

kernel void bins_forces(global const state4* restrict grid, int bins,
                        global const int* restrict starts, global const state4* restrict sources,
                        global const int* restrict numbers,
                        global const state4* restrict centres,
                        global const state4* restrict dipoles,
                        global const state4* restrict targets,
                        global const int* restrict came_from, int first_target, int last_target,
                        int same, real eps2, global accum4* restrict sums, int part, int stride) {
  const int t = first_target + (int)get_global_id(0);
  if (t > last_target) return;
  const body target = body_of(targets[t]);
  const int4 own = bin_place(targets[t], grid, bins);
  const accum4 far_sum = far_field(target, own, bins, centres, dipoles, eps2);
  const accum4 near_sum = near_field(target, same ? came_from[t] : -1, own, bins, starts,
                                     sources, numbers, eps2);
  sums[(size_t)part * stride + came_from[t]] = near_sum + far_sum;
}

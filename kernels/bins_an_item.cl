// SPDX-License-Identifier: MIT
// As bins_forces.cl with a work-item for each bin, which takes the bodies of its bin one after the
// other: of a thousand bins only a thousand work-items have anything to do, and the fullest bin
// ends last.
#include "bins_fields.cl"

// ends: where the bodies of each bin and chunk end. Out: where each bin starts, and one more.
kernel void find_starts(int bin_count, int chunks, global const int* restrict ends,
                        global int* restrict starts) {
  const int b = get_global_id(0);
  if (b <= bin_count) starts[b] = b == 0 ? 0 : ends[b * chunks - 1];
}

// Of each bin the targets [first, first + most), so that no launch takes long.
kernel void bins_forces_by_bins(
    int bins, global const int* restrict starts, global const state4* restrict sources,
    global const int* restrict numbers, global const state4* restrict centres,
    global const state4* restrict dipoles, global const int* restrict target_starts,
    global const state4* restrict targets, global const int* restrict came_from, int first,
    int most, int same, real eps2, global accum4* restrict sums, int part, int stride) {
  const int b = get_global_id(0);
  if (b >= bins * bins * bins) return;
  const int4 own = (int4)(b % bins, b / bins % bins, b / (bins * bins), 0);
  const int begin = target_starts[b] + first, end = min(target_starts[b + 1], begin + most);
  for (int t = begin; t < end; ++t) {
    const body target = body_of(targets[t]);
    const accum4 far_sum = far_field(target, own, bins, centres, dipoles, eps2);
    const accum4 near_sum =
        near_field(target, same ? came_from[t] : -1, own, bins, starts, sources, numbers, eps2);
    sums[(size_t)part * stride + came_from[t]] = near_sum + far_sum;
  }
}

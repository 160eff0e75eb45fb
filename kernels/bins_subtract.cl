// SPDX-License-Identifier: MIT
// As bins_forces.cl, but all bins are summed from afar, and what the near ones added is taken off
// again. No bin is asked whether it is near. Beside the centre of its own bin a body pays with
// digits: a large number comes and goes, and leaves its rounding behind.
#include "bins_fields.cl"

inline real4 with_bin(real4 sum, body target, int bin, global const state4* restrict centres,
                      global const state4* restrict dipoles, real eps2) {
  const state4 centre = centres[bin];
  const state4 dipole = DIPOLE ? dipoles[bin] : (state4)(0);
  return with_centre(sum, target, centre,
                     (real4)((real)dipole.x, (real)dipole.y, (real)dipole.z, 0), eps2,
                     centre.w != 0 || dipole.w > 0);
}

inline accum4 far_field_by_difference(body target, int4 own, int bins,
                                      global const state4* restrict centres,
                                      global const state4* restrict dipoles, real eps2) {
  long_sum total = no_sum();
  int chunks = 0;
  for (int row = 0; row < bins * bins * bins; row += bins) {
    real4 all = (real4)(0);
    for (int x = 0; x < bins; ++x) {
      all = with_bin(all, target, row + x, centres, dipoles, eps2);
    }
    total = with_chunk(total, all, chunks++);
  }
  const int4 last = (int4)(bins - 1);
  const int4 low = max(own - 1, (int4)(0)), high = min(own + 1, last);
  for (int z = low.z; z <= high.z; ++z) {
    for (int y = low.y; y <= high.y; ++y) {
      const int row = (z * bins + y) * bins;
      real4 near_by = (real4)(0);
      for (int x = low.x; x <= high.x; ++x) {
        near_by = with_bin(near_by, target, row + x, centres, dipoles, eps2);
      }
      total = with_chunk(total, -near_by, chunks++);
    }
  }
  return value_of(total);
}

kernel void bins_forces(global const state4* restrict grid, int bins,
                        global const int* restrict starts, global const state4* restrict sources,
                        global const int* restrict numbers, global const state4* restrict centres,
                        global const state4* restrict dipoles,
                        global const state4* restrict targets, global const int* restrict came_from,
                        int first_target, int last_target, int same, real eps2,
                        global accum4* restrict sums, int part, int stride) {
  const int t = first_target + (int)get_global_id(0);
  if (t > last_target) return;
  const body target = body_of(targets[t]);
  const int4 own = bin_place(targets[t], grid, bins);
  const accum4 far_sum = far_field_by_difference(target, own, bins, centres, dipoles, eps2);
  const accum4 near_sum =
      near_field(target, same ? came_from[t] : -1, own, bins, starts, sources, numbers, eps2);
  sums[(size_t)part * stride + came_from[t]] = near_sum + far_sum;
}

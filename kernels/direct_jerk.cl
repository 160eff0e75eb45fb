// SPDX-License-Identifier: MIT
// Field and its change in time (jerk) together, one-sided and through local memory, for integrators
// that need both.
#include "pair_sum.cl"

#ifndef GROUP
#define GROUP 64 // a divisor or a multiple of CHUNK
#endif
#if GROUP < CHUNK // as in direct_rows.cl
#define TILE CHUNK
#else
#define TILE GROUP
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void direct_jerk(global const state4* restrict sources, global const state4* restrict source_speeds,
                 int source_end, int part_length, global const state4* restrict targets,
                 global const state4* restrict target_speeds, int first_target, int last_target,
                 int own_offset, real eps2, global accum4* restrict sums,
                 global accum4* restrict jerks, int first_part, int stride) {
  local body tile[TILE];
  local body speeds[TILE];
  const int t = get_local_id(0);
  const int i = first_target + (int)get_global_id(0), clamped = min(i, last_target);
  const int part = get_group_id(1), begin = part * part_length;
  const int end = min(begin + part_length, source_end);
  const body target = body_of(targets[clamped]), speed = body_of(target_speeds[clamped]);
  long_sum total = no_sum(), total_jerk = no_sum();
  for (int start = begin; start < end; start += TILE) {
#if GROUP < CHUNK
    for (int k = t; k < TILE; k += GROUP) {
      const int loaded = min(start + k, end - 1);
      tile[k] = body_of(sources[loaded]);
      speeds[k] = body_of(source_speeds[loaded]);
    }
#else
    const int loaded = min(start + t, end - 1);
    tile[t] = body_of(sources[loaded]);
    speeds[t] = body_of(source_speeds[loaded]);
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    const int filled = min(TILE, end - start);
    for (int chunk = 0; chunk < filled; chunk += CHUNK) {
      real4 sum = (real4)(0), jerk = (real4)(0);
      for (int k = chunk; k < chunk + CHUNK; ++k) {
        const bool itself = start + k == i + own_offset;
        const real4 d = offset_between(target, tile[k]), u = offset_between(speed, speeds[k]);
        const real inverse = inverse_distance(square_distance(d, eps2));
        const real square = inverse * inverse, strength = strength_of(tile[k]);
        const real weight = strength * radial_force(inverse * square, inverse);
        const real rate = radial_steepness(inverse) * fma(d.x, u.x, fma(d.y, u.y, d.z * u.z)) * square;
        sum.x = fma(weight, d.x, sum.x);
        sum.y = fma(weight, d.y, sum.y);
        sum.z = fma(weight, d.z, sum.z);
        if (POTENTIAL) sum.w = fma(itself ? (real)0 : strength, pair_potential(inverse), sum.w);
        jerk.x = fma(weight, fma(-rate, d.x, u.x), jerk.x);
        jerk.y = fma(weight, fma(-rate, d.y, u.y), jerk.y);
        jerk.z = fma(weight, fma(-rate, d.z, u.z), jerk.z);
      }
      const int number = (start - begin + chunk) / CHUNK;
      total = with_chunk(total, sum, number);
      total_jerk = with_chunk(total_jerk, jerk, number);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i > last_target) return;
  sums[(size_t)(first_part + part) * stride + i] = value_of(total);
  jerks[(size_t)(first_part + part) * stride + i] = value_of(total_jerk);
}

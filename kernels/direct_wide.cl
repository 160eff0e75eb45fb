// SPDX-License-Identifier: MIT
// All pairs for CPU devices: a work-item owns ROWS vectors of WIDTH bodies, and the others are
// broadcast to them one by one. A lane adds its pairs in the same order whatever the sizes. Every loop
// over rows is written out: one that is not keeps all vectors in memory, at a tenth of the speed.
#include "pair_sum.cl"
#include "vectors.cl"

#ifndef ROWS
#define ROWS 2
#endif

inline reals inverse_distances(reals r2) {
  if (SOFTENED) return inverse_roots(r2);
  const reals inverse = inverse_roots(r2 > 0 ? r2 : (reals)(1));
  return r2 > 0 ? inverse : (reals)(0);
}

kernel void direct(global const state* restrict sources, int source_end, int part_length,
                   global const state4* restrict targets, int first_target, int last_target,
                   int own_offset, real eps2, global accum* restrict sums, int first_part, int stride) {
  const int first = first_target + (int)get_global_id(0) * WIDTH * ROWS;
  const int part = get_global_id(1), begin = part * part_length;
  const int end = min(begin + part_length, source_end);
  states px[ROWS], py[ROWS], pz[ROWS];
  states tx[ROWS], ty[ROWS], tz[ROWS], tw[ROWS]; // as in long_sum
  states bx[ROWS], by[ROWS], bz[ROWS], bw[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    state buffer[3][WIDTH];
    for (int k = 0; k < WIDTH; ++k) {
      const state4 b = targets[min(first + r * WIDTH + k, last_target)];
      buffer[0][k] = b.x;
      buffer[1][k] = b.y;
      buffer[2][k] = b.z;
    }
    px[r] = load_states(0, buffer[0]);
    py[r] = load_states(0, buffer[1]);
    pz[r] = load_states(0, buffer[2]);
    tx[r] = ty[r] = tz[r] = tw[r] = (states)(0);
    bx[r] = by[r] = bz[r] = bw[r] = (states)(0);
  }
  for (int start = begin; start < end; start += CHUNK) {
    reals ax[ROWS], ay[ROWS], az[ROWS], aw[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) ax[r] = ay[r] = az[r] = aw[r] = (reals)(0);
    for (int j = start; j < start + CHUNK; ++j) {
      const state x = sources[4 * j], y = sources[4 * j + 1], z = sources[4 * j + 2];
      const real strength = (real)sources[4 * j + 3];
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        const reals dx = to_reals(x - px[r]), dy = to_reals(y - py[r]), dz = to_reals(z - pz[r]);
        const reals r2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, (reals)(eps2))));
        if (SOFTENED) {
          const reals weight = inverse_cubes(r2, strength);
          ax[r] = fma(weight, dx, ax[r]);
          ay[r] = fma(weight, dy, ay[r]);
          az[r] = fma(weight, dz, az[r]);
        } else {
          const reals inverse = inverse_distances(r2);
          const reals weight = strength * (inverse * inverse);
          ax[r] = fma(weight, dx * inverse, ax[r]);
          ay[r] = fma(weight, dy * inverse, ay[r]);
          az[r] = fma(weight, dz * inverse, az[r]);
        }
        if (POTENTIAL) {
          const reals inverse = inverse_distances(r2);
          const masks itself = lane_numbers + (first + r * WIDTH + own_offset) == (masks)(j);
          aw[r] = fma(itself ? (reals)(0) : (reals)(strength), inverse, aw[r]);
        }
      }
    }
    const bool full = (start - begin) / CHUNK % CHUNKS == CHUNKS - 1 || start + CHUNK >= end;
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      bx[r] += to_states(ax[r]);
      by[r] += to_states(ay[r]);
      bz[r] += to_states(az[r]);
      if (POTENTIAL) bw[r] += to_states(aw[r]);
      if (!full) continue;
      tx[r] += bx[r];
      ty[r] += by[r];
      tz[r] += bz[r];
      if (POTENTIAL) tw[r] += bw[r];
      bx[r] = by[r] = bz[r] = bw[r] = (states)(0);
    }
  }
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    state buffer[4][WIDTH];
    store_states(tx[r], 0, buffer[0]);
    store_states(ty[r], 0, buffer[1]);
    store_states(tz[r], 0, buffer[2]);
    store_states(tw[r], 0, buffer[3]);
    for (int k = 0; k < WIDTH; ++k) {
      const int i = first + r * WIDTH + k;
      if (i > last_target) continue;
      const accum4 sum = (accum4)(buffer[0][k], buffer[1][k], buffer[2][k], buffer[3][k]);
      vstore4(sum, (size_t)(first_part + part) * stride + i, sums);
    }
  }
}

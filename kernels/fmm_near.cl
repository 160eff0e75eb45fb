// SPDX-License-Identifier: MIT
// Near pairs, body by body (P2P), added to the far field and put where the caller's body is. A
// work-group a leaf: its work-items are columns of ROWS targets times splits of the sources.
#include "pair_sum.cl"

#ifndef NEAR_GROUP
#define NEAR_GROUP 64
#endif
#ifndef NEAR_ROWS
#define NEAR_ROWS 3
#endif
#ifndef NEAR_TILE
#define NEAR_TILE 512 // sources in local memory
#endif
#define COPIERS 16 // work-items that copy a leaf
#define FAR_AWAY 1e18f

inline body nobody(void) {
  return joined((real4)(FAR_AWAY, 0, 0, 0), (real4)(0));
}

// In units of the tree (tree_keys.cl) a length is `unit` times as long.
inline accum4 in_units_of_caller(real4 sum, global const state4* box) {
  const accum unit = box[1].x;
  const accum4 wide = widened(sum);
  return (accum4)(wide.x * unit * unit, wide.y * unit * unit, wide.z * unit * unit, wide.w * unit);
}

// Bodies [first_target, ...) of the input are targets, the others only sources.
kernel __attribute__((reqd_work_group_size(NEAR_GROUP, 1, 1)))
void fmm_near(global const uint2* restrict range, global const uint* restrict child,
              global const uint2* restrict near, global const body* restrict places,
              global const int* restrict order, global const int* restrict pool,
              global const int* restrict list_start, global const int4* restrict list_counts,
              global const real4* restrict far, real softening, global const state4* restrict box,
              int first_target, global accum4* restrict out, int out_start) {
  local body tile[NEAR_TILE + NEAR_GROUP];
  local int number[POTENTIAL ? NEAR_TILE + NEAR_GROUP : 1];
  local int upto[NEAR_GROUP], shift[NEAR_GROUP];
  local real4 sums[NEAR_ROWS * NEAR_GROUP];
  const int t = get_local_id(0), s = get_group_id(0);
  const uint2 own = child[s] == 0 ? range[s] : (uint2)(0);
  const int4 counts = list_counts[s];
  const int leaves = counts.y, start = list_start[s] + counts.x;
  const real scaled = softening * (real)box[1].x, eps2 = scaled * scaled;
  for (uint block = own.x; block < own.y; block += NEAR_ROWS * NEAR_GROUP) {
    const int targets = min(NEAR_ROWS * NEAR_GROUP, (int)(own.y - block));
    const int columns = (targets + NEAR_ROWS - 1) / NEAR_ROWS, splits = NEAR_GROUP / columns;
    const int split = t / columns, column = t % columns;
    body target[NEAR_ROWS];
    real4 sum[NEAR_ROWS];
    int index[NEAR_ROWS];
#pragma unroll
    for (int r = 0; r < NEAR_ROWS; ++r) {
      index[r] = (int)min(block + (uint)(column + r * columns), own.y - 1);
      target[r] = places[index[r]];
      sum[r] = (real4)(0);
    }
    for (int first = 0; first < leaves; first += NEAR_GROUP) {
      // bodies of these leaves, one behind the other: leaf k ends at upto[k]
      uint2 bodies = (uint2)(0);
      if (first + t < leaves) bodies = near[pool[start + first + t]];
      const int length = (int)(bodies.y - bodies.x);
      upto[t] = length;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int step = 1; step < NEAR_GROUP; step *= 2) {
        const int more = t >= step ? upto[t - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        upto[t] += more;
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      shift[t] = (int)bodies.x - (upto[t] - length);
      barrier(CLK_LOCAL_MEM_FENCE);
      const int all = upto[NEAR_GROUP - 1], used = min(NEAR_GROUP, leaves - first);
      for (int begin = 0; begin < all; begin += NEAR_TILE) {
        const int filled = min(NEAR_TILE, all - begin), turns = (filled + splits - 1) / splits;
        int low = 0, high = used - 1; // the first leaf of this tile
        while (low < high) {
          const int middle = (low + high) / 2;
          if (upto[middle] > begin) high = middle;
          else low = middle + 1;
        }
        for (int k = low + t / COPIERS; k < used; k += NEAR_GROUP / COPIERS) {
          const int from = k > 0 ? upto[k - 1] : 0, to = min(upto[k], begin + NEAR_TILE);
          for (int i = max(from, begin) + t % COPIERS; i < to; i += COPIERS) {
            tile[i - begin] = places[shift[k] + i];
            if (POTENTIAL) number[i - begin] = shift[k] + i;
          }
        }
        for (int i = filled + t; i < turns * splits; i += NEAR_GROUP) {
          tile[i] = nobody();
          if (POTENTIAL) number[i] = -1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (split < splits) {
          real4 part[NEAR_ROWS]; // a sum a tile: long running sums in float lose digits
#pragma unroll
          for (int r = 0; r < NEAR_ROWS; ++r) part[r] = (real4)(0);
#pragma unroll 4
          for (int k = 0; k < turns; ++k) {
            const int i = split + k * splits;
            const body source = tile[i];
#pragma unroll
            for (int r = 0; r < NEAR_ROWS; ++r) {
              const bool itself = POTENTIAL && number[POTENTIAL ? i : 0] == index[r];
              part[r] = with_pair(part[r], target[r], source, eps2, itself);
            }
          }
#pragma unroll
          for (int r = 0; r < NEAR_ROWS; ++r) sum[r] += part[r];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    }
#pragma unroll
    for (int r = 0; r < NEAR_ROWS; ++r) sums[r * NEAR_GROUP + t] = sum[r];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = t; k < targets; k += NEAR_GROUP) {
      const uint i = block + (uint)k;
      real4 total = far[i];
      for (int j = 0; j < splits; ++j) {
        total += sums[k / columns * NEAR_GROUP + k % columns + j * columns];
      }
      // bodies in one place are one source, which holds the target too
      const bool joined_source = near[s].x != own.x;
      if (POTENTIAL && SOFTENED && joined_source) {
        total.w -= strength_of(places[i]) * inverse_root(eps2);
      }
      const int caller = order[i] - first_target;
      if (caller >= 0) out[out_start + caller] = in_units_of_caller(total, box);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

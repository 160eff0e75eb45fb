// SPDX-License-Identifier: MIT
// All pairs with reuse: a work-group loads a tile of bodies into local memory once, and each of its
// work-items uses all of it for ROWS bodies of its own. ROWS 1 is the tutorials' tiled kernel, and
// UNROLL writes that many pairs out one after the other.
#include "pair_sum.cl"

#ifndef GROUP
#define GROUP 64 // a divisor or a multiple of CHUNK
#endif
// A tile holds whole chunks, so that the size of a group changes no sum.
#if GROUP < CHUNK
#define TILE CHUNK
#else
#define TILE GROUP
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef UNROLL
#define UNROLL 1
#endif

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void direct(global const state4* restrict sources, int source_end, int part_length,
            global const state4* restrict targets, int first_target, int last_target,
            int own_offset, real eps2, global accum4* restrict sums, int first_part, int stride) {
  local body tile[TILE];
  const int t = get_local_id(0);
  const int first = first_target + (int)get_group_id(0) * GROUP * ROWS + t;
  const int part = get_group_id(1), begin = part * part_length;
  const int end = min(begin + part_length, source_end);
  body target[ROWS];
  long_sum total[ROWS];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    target[r] = body_of(targets[min(first + r * GROUP, last_target)]);
    total[r] = no_sum();
  }
  for (int start = begin; start < end; start += TILE) {
#if GROUP < CHUNK // a loop of one round costs a GPU a quarter of its speed
    for (int k = t; k < TILE; k += GROUP) tile[k] = body_of(sources[min(start + k, end - 1)]);
#else
    tile[t] = body_of(sources[min(start + t, end - 1)]);
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    const int filled = min(TILE, end - start);
    for (int chunk = 0; chunk < filled; chunk += CHUNK) {
      real4 sum[ROWS];
#pragma unroll
      for (int r = 0; r < ROWS; ++r) sum[r] = (real4)(0);
#pragma unroll UNROLL
      for (int k = 0; k < CHUNK; ++k) {
        const body source = tile[chunk + k];
        const int j = start + chunk + k - own_offset;
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
          sum[r] = with_pair(sum[r], target[r], source, eps2, j == first + r * GROUP);
        }
      }
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        total[r] = with_chunk(total[r], sum[r], (start - begin + chunk) / CHUNK);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const int i = first + r * GROUP;
    if (i <= last_target) sums[(size_t)(first_part + part) * stride + i] = value_of(total[r]);
  }
}

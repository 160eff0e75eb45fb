// SPDX-License-Identifier: MIT
// One pass of a stable radix sort of 64-bit items by RADIX_BITS of them: count the digits of each
// tile, add the counts up over tiles, and move every item to its place. A tile is sorted in local
// memory first, so that neighbours move to neighbouring places.
#include "radix_scan.cl"

#ifndef RADIX_BITS
#define RADIX_BITS 6
#endif
#ifndef RADIX_GROUP
#define RADIX_GROUP 128 // work-items a tile
#endif
#ifndef RADIX_EACH
#define RADIX_EACH 16 // items a work-item
#endif
#define ROW_GROUP 64 // work-items that add up the tiles' counts of a digit
#define DIGITS (1 << RADIX_BITS)
#define RADIX_TILE (RADIX_GROUP * RADIX_EACH)
// One word in 16 is left free, so that work-items in step do not meet in a bank of local memory.
#define SPACED(i) ((i) + ((i) >> 4))
#define COUNTER(j) ((j) + 2 * ((j) / DIGITS))

inline int digit_of(ulong item, int shift) { return (int)(item >> shift) & (DIGITS - 1); }

// counts[digit][tile]
kernel __attribute__((reqd_work_group_size(RADIX_GROUP, 1, 1)))
void radix_count(global const ulong* restrict items, int count, int shift,
                 global uint* restrict counts, int tiles) {
  local uint found[DIGITS];
  const int t = get_local_id(0), tile = get_group_id(0);
  for (int d = t; d < DIGITS; d += RADIX_GROUP) found[d] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < RADIX_EACH; ++j) {
    const int i = tile * RADIX_TILE + j * RADIX_GROUP + t;
    if (i < count) atomic_inc(&found[digit_of(items[i], shift)]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = t; d < DIGITS; d += RADIX_GROUP) counts[d * tiles + tile] = found[d];
}

// A work-group a digit: in place of each count the sum of those before it, and the sum of all.
kernel __attribute__((reqd_work_group_size(ROW_GROUP, 1, 1)))
void radix_offsets(global uint* restrict counts, int tiles, global uint* restrict totals) {
  local uint sums[ROW_GROUP];
  const int t = get_local_id(0), digit = get_group_id(0);
  const uint all = scan_by_group(counts + (size_t)digit * tiles, tiles, sums, t, ROW_GROUP);
  if (t == 0) totals[digit] = all;
}

kernel __attribute__((reqd_work_group_size(RADIX_GROUP, 1, 1)))
void radix_scatter(global const ulong* restrict items, global ulong* restrict sorted, int count,
                   int shift, global const uint* restrict counts, int tiles,
                   global const uint* restrict totals) {
  local ulong tile[RADIX_TILE + RADIX_TILE / 16 + 1];
  local ushort places[DIGITS * RADIX_GROUP + 2 * RADIX_GROUP + 2];
  local uint base[DIGITS], total[DIGITS], sums[RADIX_GROUP];
  const int t = get_local_id(0), first = (int)get_group_id(0) * RADIX_TILE;
  const int here = min(RADIX_TILE, count - first);
  for (int j = 0; j < DIGITS; ++j) places[COUNTER(j * RADIX_GROUP + t)] = 0;
  for (int j = 0; j < RADIX_EACH; ++j) {
    const int i = j * RADIX_GROUP + t;
    tile[SPACED(i)] = i < here ? items[first + i] : ~0UL; // behind all others, and never written
  }
  for (int d = t; d < DIGITS; d += RADIX_GROUP) total[d] = totals[d];
  barrier(CLK_LOCAL_MEM_FENCE);
  // each work-item ranks a run of items that lie one behind the other
  ulong item[RADIX_EACH];
  ushort rank[RADIX_EACH];
#pragma unroll
  for (int j = 0; j < RADIX_EACH; ++j) {
    item[j] = tile[SPACED(t * RADIX_EACH + j)];
    const int place = COUNTER(digit_of(item[j], shift) * RADIX_GROUP + t);
    rank[j] = places[place];
    places[place] = rank[j] + 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint own = 0;
  for (int j = 0; j < DIGITS; ++j) own += places[COUNTER(t * DIGITS + j)];
  uint before = sum_upto(sums, own, t, RADIX_GROUP) - own;
  for (int j = 0; j < DIGITS; ++j) {
    const int place = COUNTER(t * DIGITS + j);
    const uint here_too = places[place];
    places[place] = (ushort)before;
    before += here_too;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = t; d < DIGITS; d += RADIX_GROUP) {
    uint smaller = 0;
    for (int j = 0; j < d; ++j) smaller += total[j];
    base[d] = smaller + counts[d * tiles + get_group_id(0)] - places[COUNTER(d * RADIX_GROUP)];
  }
#pragma unroll
  for (int j = 0; j < RADIX_EACH; ++j) {
    const int place = COUNTER(digit_of(item[j], shift) * RADIX_GROUP + t);
    tile[SPACED((int)places[place] + (int)rank[j])] = item[j];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = 0; j < RADIX_EACH; ++j) {
    const int i = j * RADIX_GROUP + t;
    if (i < here) {
      const ulong moved = tile[SPACED(i)];
      sorted[base[digit_of(moved, shift)] + i] = moved;
    }
  }
}

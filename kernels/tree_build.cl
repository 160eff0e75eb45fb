// SPDX-License-Identifier: MIT
// An octree over sorted keys, without a loop over levels. A cell with more than `leaf` bodies is
// divided, so the leaf of body i lies one level below the deepest cell that holds leaf + 1 bodies in
// a row around i. Each body begins the cells that its predecessor is not in; one running sum numbers
// them depth first, and one pass of the radix sort puts them in order of level, children together.
#include "radix_scan.cl"
#include "tree_build_keys.cl"
#include "tree_link.cl"

#define LARGEST_LEAF 256
#define TREE_TILE (4 * SCAN_GROUP)
#define LEAF_BIT 0x80000000UL

// Whether a body behind body i is not in its cell of a level.
inline bool is_beyond(global const ulong* keys, int count, int other, int i, int level, int depth) {
#if KEY_WORDS == 1
  const int shift = 3 * (depth - level);
  return keys[other] >> shift > keys[i] >> shift;
#else
  return common_levels(keys, count, other, i, depth) < level;
#endif
}

kernel __attribute__((reqd_work_group_size(SCAN_GROUP, 1, 1)))
void tree_begins(global const ulong* restrict keys, int count, int depth, int leaf,
                 global uint* restrict begins, global uint* restrict tile_sums,
                 volatile global uint* restrict counters) {
  local char shared_levels[TREE_TILE + LARGEST_LEAF];
  local uint sums[SCAN_GROUP], level_counts[DEEPEST + 1];
  const int t = get_local_id(0), first = (int)get_group_id(0) * TREE_TILE;
  if (t <= DEEPEST) level_counts[t] = 0;
  for (int q = t; q < TREE_TILE + leaf; q += SCAN_GROUP) {
    const int j = first - leaf + q;
    const bool inside = j >= 0 && j < count - leaf;
    const int levels = inside ? common_levels(keys, count, j, j + leaf, depth) : -1;
    if (levels == depth) atomic_or(&counters[TOO_SHALLOW], 1u);
    shared_levels[q] = (char)levels;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint begun[4], leaf_level[4], all = 0;
  for (int r = 0; r < 4; ++r) {
    const int q = 4 * t + r, i = first + q;
    int deepest = -1;
    for (int w = 0; w <= leaf; ++w) deepest = max(deepest, (int)shared_levels[q + w]);
    leaf_level[r] = (uint)min(depth, deepest + 1);
    const int before = i > 0 && i < count ? common_levels(keys, count, i - 1, i, depth) : -1;
    begun[r] = i < count && (int)leaf_level[r] > before ? leaf_level[r] - (uint)before : 0;
    for (uint k = 0; k < begun[r]; ++k) atomic_inc(&level_counts[leaf_level[r] - k]);
    all += begun[r];
  }
  uint running = sum_upto(sums, all, t, SCAN_GROUP) - all;
  for (int r = 0; r < 4; ++r) {
    const int i = first + 4 * t + r;
    if (i < count) begins[i] = BEGINS(leaf_level[r], begun[r], running);
    running += begun[r];
  }
  if (t == 0) tile_sums[get_group_id(0)] = sums[SCAN_GROUP - 1];
  if (t <= DEEPEST && level_counts[t] > 0) {
    atomic_add(&counters[LEVEL_COUNTS + t], level_counts[t]);
  }
}

// A node by its number depth first: its bodies, and what the sort by level moves.
kernel void tree_nodes(global const ulong* restrict keys, int count, int depth,
                       global const uint* restrict begins, global const uint* restrict tile_sums,
                       global ulong* restrict items, global uint2* restrict ranges) {
  const int i = get_global_id(0);
  if (i >= count) return;
  const int begun = BEGUN(begins[i]), leaf_level = LEAF_LEVEL(begins[i]);
  uint node = tile_sums[i / TREE_TILE] + BEGUN_BEFORE(begins[i]);
  int end = count;
  for (int level = leaf_level - begun + 1; level <= leaf_level; ++level, ++node) {
    int low = i + 1, high = end;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      if (is_beyond(keys, count, middle, i, level, depth)) high = middle;
      else low = middle + 1;
    }
    end = low;
    items[node] = (ulong)level << 32 | (level == leaf_level ? LEAF_BIT : 0UL) | node;
    ranges[node] = (uint2)((uint)i, (uint)end);
  }
}

kernel void tree_numbers(global const ulong* restrict items, int nodes,
                         global uint* restrict number) {
  const int s = get_global_id(0);
  if (s < nodes) number[(uint)items[s] & ~(uint)LEAF_BIT] = (uint)s;
}

// Nodes in order of level: bodies, children, parent.
kernel void tree_links(global const ulong* restrict items, int nodes,
                       global const uint2* restrict ranges, global const uint* restrict number,
                       global uint2* restrict range, global uint* restrict child,
                       global int* restrict parent) {
  const int s = get_global_id(0);
  if (s >= nodes) return;
  const ulong item = items[s];
  const uint node = (uint)item & ~(uint)LEAF_BIT, level = (uint)(item >> 32);
  const uint2 own = ranges[node];
  range[s] = own;
  if (s == 0) parent[0] = -1;
  uint first = 0, children = 0;
  if ((item & LEAF_BIT) == 0) {
    first = number[node + 1]; // depth first, the first child follows its parent
    while (children < 8 && first + children < (uint)nodes) {
      const ulong next = items[first + children];
      const bool ours = (uint)(next >> 32) == level + 1 &&
                        ranges[(uint)next & ~(uint)LEAF_BIT].x < own.y;
      if (!ours) break;
      parent[first + children] = s;
      ++children;
    }
  }
  child[s] = children == 0 ? 0 : children << CHILDREN | first;
}

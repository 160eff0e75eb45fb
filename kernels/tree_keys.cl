// SPDX-License-Identifier: MIT
// The cube around all bodies, their Morton keys in it, and the bodies in the order of the keys.
// Bodies come in two lists, one behind the other: sources, and targets that are not among them.
//   box[0]  lowest corner, side     box[1]  unit, 1/unit, cells of the finest level in a length, -
//   box[2]  origin of the grid of fine levels (tree_fine_keys.cl)
// A unit is a power of two that makes the cube 2^width to twice that wide. With 2^10 no power of a
// distance leaves the range of float down to the 21st level.
#include "tree_places.cl"

#ifndef BOX_GROUP
#define BOX_GROUP 256
#endif

// The lowest and highest corner of the group's bodies end in low[0] and high[0].
inline void join_corners(local state4* low, local state4* high, int t) {
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_of = BOX_GROUP / 2; half_of > 0; half_of /= 2) {
    if (t < half_of) {
      low[t] = fmin(low[t], low[t + half_of]);
      high[t] = fmax(high[t], high[t + half_of]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

kernel __attribute__((reqd_work_group_size(BOX_GROUP, 1, 1)))
void tree_corners(global const state4* restrict first, int first_count,
                  global const state4* restrict second, int count, global state4* restrict out) {
  local state4 low[BOX_GROUP], high[BOX_GROUP];
  const int t = get_local_id(0);
  state4 least = place_of(first, first_count, second, 0), most = least;
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) {
    const state4 place = place_of(first, first_count, second, i);
    least = fmin(least, place);
    most = fmax(most, place);
  }
  low[t] = least;
  high[t] = most;
  join_corners(low, high, t);
  if (t == 0) {
    out[2 * get_group_id(0)] = low[0];
    out[2 * get_group_id(0) + 1] = high[0];
  }
}

// A softening that is wider than the cube sets the unit: then no distance matters beside it.
kernel __attribute__((reqd_work_group_size(BOX_GROUP, 1, 1)))
void tree_box(global const state4* restrict corners, int parts, real softening, int width,
              global state4* restrict box) {
  local state4 low[BOX_GROUP], high[BOX_GROUP];
  const int t = get_local_id(0);
  state4 least = corners[0], most = corners[1];
  for (int k = t; k < parts; k += BOX_GROUP) {
    least = fmin(least, corners[2 * k]);
    most = fmax(most, corners[2 * k + 1]);
  }
  low[t] = least;
  high[t] = most;
  join_corners(low, high, t);
  if (t == 0) {
    const state4 extent = high[0] - low[0];
    const state widest = fmax(extent.x, fmax(extent.y, extent.z)) * (state)1.00001;
    const state side = widest > 0 ? widest : (state)1;
    const state unit = ldexp((state)1, width - ilogb(fmax(side, (state)softening)));
    const state4 corner = (state)0.5 * (low[0] + high[0]) - (state)0.5 * side;
    box[0] = (state4)(corner.x, corner.y, corner.z, side);
    // the origin is 0 unless all bodies are further from it than the cube is wide; no body is then
    // further from the origin than three sides, whose finest cells a long can count
    const int power = ilogb(side);
    const state wide = ldexp((state)1, power + 2);
    const state4 origin = rint((low[0] + high[0]) / (2 * wide)) * wide;
    box[1] = (state4)(unit, 1 / unit, ldexp((state)1, 59 - power), 0);
    box[2] = (state4)(origin.x, origin.y, origin.z, 0);
  }
}

// Every third bit.
inline ulong spread(uint coordinate) {
  ulong x = coordinate;
  x = (x | (x << 32)) & 0x1f00000000ffffUL;
  x = (x | (x << 16)) & 0x1f0000ff0000ffUL;
  x = (x | (x << 8)) & 0x100f00f00f00f00fUL;
  x = (x | (x << 4)) & 0x10c30c30c30c30c3UL;
  return (x | (x << 2)) & 0x1249249249249249UL;
}
inline ulong key_of(state4 place, state4 box, int depth) {
  const state cells = (state)(1 << depth) / box.w;
  return spread(cell_of(place.x - box.x, cells, depth)) << 2 |
         spread(cell_of(place.y - box.y, cells, depth)) << 1 |
         spread(cell_of(place.z - box.z, cells, depth));
}

// Bodies that are not stored in the order in which they shall stand in a leaf: order[k] is the k-th.
kernel void tree_ordered_items(global const int* restrict order, int count,
                               global ulong* restrict items) {
  const int i = get_global_id(0);
  if (i < count) items[i] = (ulong)order[i];
}

// What the radix sort moves: key_bits of the key above first_bit, and the body's number. The bodies
// come as they are stored, or (`again`) as the items have them by now.
kernel void tree_items(global const state4* restrict first, int first_count,
                       global const state4* restrict second, int count,
                       global const state4* restrict box, int depth, int first_bit, int key_bits,
                       int index_bits, int again, global ulong* restrict items) {
  const int i = get_global_id(0);
  if (i >= count) return;
  const ulong index = again ? items[i] & ((1UL << index_bits) - 1) : (ulong)i;
  const ulong key = key_of(place_of(first, first_count, second, (int)index), box[0], depth);
  items[i] = (key >> first_bit & ((1UL << key_bits) - 1)) << index_bits | index;
}

kernel void tree_sorted_keys(global const state4* restrict first, int first_count,
                             global const state4* restrict second, int count,
                             global const state4* restrict box, int depth, int index_bits,
                             global const ulong* restrict items, global ulong* restrict keys,
                             global int* restrict order) {
  const int i = get_global_id(0);
  if (i >= count) return;
  const int index = (int)(items[i] & ((1UL << index_bits) - 1));
  keys[i] = key_of(place_of(first, first_count, second, index), box[0], depth);
  order[i] = index;
}

// Bodies in the tree's units. Those of the second list are targets only.
kernel void tree_bodies(global const state4* restrict first, int first_count,
                        global const state4* restrict second, int count,
                        global const state4* restrict box, global const int* restrict order,
                        global body* restrict bodies) {
  const int i = get_global_id(0);
  if (i >= count) return;
  const int index = order[i];
  state4 place = place_of(first, first_count, second, index) * box[1].x;
  place.w = index < first_count ? first[index].w : 0;
  bodies[i] = body_of(place);
}

// SPDX-License-Identifier: MIT
// Keys of bodies that 21 levels of one cube do not tell apart, as where one body is far from all
// others: 40 more levels, and of all 61 only those at which a crowded cell is divided. Then a cell's
// child may be a millionth of it, and the tree is no deeper than for bodies without the one.
// Cells are those of another cube, whose walls are powers of two from an origin (box[2]): floats keep
// all their digits in such a grid, and of a cluster around the origin all parts are alike.
// A key is in words of 21 of the chosen levels: word w of body i is keys[w * count + i].
#include "tree_build_keys.cl"
#include "tree_places.cl"

#define CUBE_LEVELS 21
#define FINE_LEVELS 61
#define CHECK_GROUP 64
#define LOOK 16 // leaves to either side in which a work-group looks for a crowd

#define CUBE_BITS 59 // the cube of all bodies is 1 to 2 times 2^CUBE_BITS of the finest cells wide

// A bit a fine level, the coarsest highest.
inline ulong fine_coordinate(state at, state corner, state origin, state cells_a_length) {
  const long first = convert_long_rtn((corner - origin) * cells_a_length) & -(1L << CUBE_BITS);
  const long own = convert_long_rtn((at - origin) * cells_a_length);
  return (ulong)clamp(own - first, 0L, (1L << FINE_LEVELS) - 1);
}
typedef struct {
  ulong x, y, z;
} fine_place;
inline fine_place fine_place_of(state4 at, global const state4* box) {
  const state4 corner = box[0], origin = box[2];
  const state cells = box[1].z;
  fine_place out;
  out.x = fine_coordinate(at.x, corner.x, origin.x, cells);
  out.y = fine_coordinate(at.y, corner.y, origin.y, cells);
  out.z = fine_coordinate(at.z, corner.z, origin.z, cells);
  return out;
}
// The chosen levels [first, end) of a place.
inline ulong key_of_levels(fine_place at, global const int* levels, int first, int end) {
  ulong key = 0;
  for (int d = first; d < end; ++d) {
    const int bit = FINE_LEVELS - levels[d];
    key = key << 3 | (at.x >> bit & 1) << 2 | (at.y >> bit & 1) << 1 | (at.z >> bit & 1);
  }
  return key;
}
// Fine levels that two places have in common.
inline int common_fine_levels(fine_place a, fine_place b) {
  const ulong differing = (a.x ^ b.x) | (a.y ^ b.y) | (a.z ^ b.z);
  return differing == 0 ? FINE_LEVELS : FINE_LEVELS - 64 + (int)clz(differing);
}

// As tree_items, of one word of the key.
kernel void tree_fine_items(global const state4* restrict first, int first_count,
                            global const state4* restrict second, int count,
                            global const state4* restrict box, global const int* restrict levels,
                            int first_level, int end_level, int first_bit, int key_bits,
                            int index_bits, int again, global ulong* restrict items) {
  const int i = get_global_id(0);
  if (i >= count) return;
  const ulong index = again ? items[i] & ((1UL << index_bits) - 1) : (ulong)i;
  const state4 at = place_of(first, first_count, second, (int)index);
  const ulong key = key_of_levels(fine_place_of(at, box), levels, first_level, end_level);
  items[i] = (key >> first_bit & ((1UL << key_bits) - 1)) << index_bits | index;
}

kernel void tree_fine_sorted_keys(global const state4* restrict first, int first_count,
                                  global const state4* restrict second, int count,
                                  global const state4* restrict box,
                                  global const int* restrict levels, int depth, int index_bits,
                                  global const ulong* restrict items, global ulong* restrict keys,
                                  global int* restrict order) {
  const int i = get_global_id(0);
  if (i >= count) return;
  const int index = (int)(items[i] & ((1UL << index_bits) - 1));
  const fine_place at = fine_place_of(place_of(first, first_count, second, index), box);
  for (int w = 0; w < KEY_WORDS; ++w) {
    keys[(size_t)w * count + i] =
        key_of_levels(at, levels, WORD_LEVELS * w, min(depth, WORD_LEVELS * (w + 1)));
  }
  order[i] = index;
}

// Whether bodies [i - 1, i + 1) are two of more than `leaf` with one key.
inline bool in_a_crowd(global const ulong* keys, int count, int i, int depth, int leaf) {
  int first = i, end = i;
  while (first > 0 && end - first <= leaf &&
         common_levels(keys, count, first - 1, i, depth) == depth) --first;
  while (end < count && end - first <= leaf &&
         common_levels(keys, count, end, i, depth) == depth) ++end;
  return end - first > leaf;
}

inline bool same_place(state4 a, state4 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Whether two bodies are in one cell of the cube's last level, by its own keys.
inline bool same_cube_cell(state4 a, state4 b, state4 cube) {
  const state cells = (state)(1 << CUBE_LEVELS) / cube.w;
  return cell_of(a.x - cube.x, cells, CUBE_LEVELS) == cell_of(b.x - cube.x, cells, CUBE_LEVELS) &&
         cell_of(a.y - cube.y, cells, CUBE_LEVELS) == cell_of(b.y - cube.y, cells, CUBE_LEVELS) &&
         cell_of(a.z - cube.z, cells, CUBE_LEVELS) == cell_of(b.z - cube.z, cells, CUBE_LEVELS);
}

// Of the neighbours of body i in this order, a part for each work-item: how many are in its cell of
// the cube, and whether some of those are not in its place.
inline int count_in_cell(global const state4* first, int first_count, global const state4* second,
                         int count, global const int* order, int i, int reach, state4 cube, int t,
                         int* elsewhere) {
  const state4 here = place_of(first, first_count, second, order[i]);
  const int end = min(count, i + reach);
  int together = 0;
  for (int k = max(0, i - reach) + t; k < end; k += CHECK_GROUP) {
    const state4 other = place_of(first, first_count, second, order[k]);
    const bool in_cell = same_cube_cell(here, other, cube);
    together += in_cell;
    *elsewhere |= in_cell && !same_place(here, other);
  }
  return together;
}

// Looks at a body and the one before it. UNRESOLVED: both are in a leaf that is too full at the last
// level, and not in one place. MISTAKEN (where `chosen`): both are in one cell of the tree, and a
// level that was not chosen divides it. CROWDED (where `chosen`): one cell of the cube has more bodies
// than a leaf may have, not all in one place; a work-group looks at the neighbours of its first body for
// that. Counts leaves by level.
kernel __attribute__((reqd_work_group_size(CHECK_GROUP, 1, 1)))
void tree_fine_check(global const state4* restrict first, int first_count,
                     global const state4* restrict second, int count,
                     global const state4* restrict box, global const int* restrict levels,
                     int chosen, global const int* restrict order,
                     global const ulong* restrict keys, int depth, int leaf,
                     global const uint* restrict begins, volatile global uint* restrict counters) {
  local int crowd, crowd_elsewhere;
  const int i = get_global_id(0), t = get_local_id(0), looker = i - t;
  const int level = LEAF_LEVEL(begins[looker]);
  if (t == 0) crowd = crowd_elsewhere = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (chosen && level > 0 && levels[level - 1] > CUBE_LEVELS) {
    int apart = 0;
    const int found = count_in_cell(first, first_count, second, count, order, looker, LOOK * leaf,
                                    box[0], t, &apart);
    atomic_add(&crowd, found);
    if (apart) atomic_or(&crowd_elsewhere, 1);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t == 0 && crowd > leaf && crowd_elsewhere) atomic_or(&counters[CROWDED], 1u);
  if (i >= count) return;
  const int leaf_level = LEAF_LEVEL(begins[i]);
  if (chosen && BEGUN(begins[i]) > 0) atomic_inc(&counters[LEAF_COUNTS + leaf_level]);
  if (i == 0) return;
  const state4 here = place_of(first, first_count, second, order[i]);
  const state4 before = place_of(first, first_count, second, order[i - 1]);
  const int common = common_levels(keys, count, i - 1, i, depth);
  if (common == depth && !same_place(here, before) && in_a_crowd(keys, count, i, depth, leaf)) {
    atomic_or(&counters[UNRESOLVED], 1u);
  }
  const int together = min(common, leaf_level);
  if (chosen && together > 0 &&
      common_fine_levels(fine_place_of(here, box), fine_place_of(before, box)) <
          levels[together - 1]) {
    atomic_or(&counters[MISTAKEN], 1u);
  }
}

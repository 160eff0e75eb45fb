// SPDX-License-Identifier: MIT
// The bodies of every bin in one array, in the order that they came in: each work-item counts the
// bodies of one chunk by bin, the counts are added up over bins and chunks, and each work-item puts
// its chunk's bodies where they belong. No atomics, so the same order on every device.
#include "bins_grid.cl"

#ifndef GROUP
#define GROUP 64
#endif

// The box of all bodies, first of those that a group looks at, then of all.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void find_box(int count, global const state4* restrict bodies, global state4* restrict boxes) {
  local state4 low[GROUP], high[GROUP];
  const int t = get_local_id(0);
  state4 least = bodies[0], most = least;
  for (int i = get_global_id(0); i < count; i += get_global_size(0)) {
    least = fmin(least, bodies[i]);
    most = fmax(most, bodies[i]);
  }
  low[t] = least;
  high[t] = most;
  for (int half_of = GROUP / 2; half_of > 0; half_of /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < half_of) {
      low[t] = fmin(low[t], low[t + half_of]);
      high[t] = fmax(high[t], high[t + half_of]);
    }
  }
  if (t == 0) {
    boxes[2 * get_group_id(0)] = low[0];
    boxes[2 * get_group_id(0) + 1] = high[0];
  }
}

inline state bins_a_unit(state width, int bins) { return width > 0 ? (state)bins / width : 0; }

kernel void make_grid(int boxes, global const state4* restrict box, int bins,
                      global state4* restrict grid) {
  state4 low = box[0], high = box[1];
  for (int b = 1; b < boxes; ++b) {
    low = fmin(low, box[2 * b]);
    high = fmax(high, box[2 * b + 1]);
  }
  const state4 width = high - low;
  grid[0] = low;
  grid[1] = (state4)(bins_a_unit(width.x, bins), bins_a_unit(width.y, bins),
                     bins_a_unit(width.z, bins), 0);
}

// Counts lie bin by bin, and in a bin chunk by chunk. Of bodies [first, first + count).
kernel void clear_counts(int entries, global int* restrict counts) {
  const int i = get_global_id(0);
  if (i < entries) counts[i] = 0;
}

kernel void count_bodies(int first, int count, global const state4* restrict bodies,
                         global const state4* restrict grid, int bins, int chunks, int chunk_length,
                         global int* restrict counts) {
  const int chunk = get_global_id(0);
  if (chunk >= chunks) return;
  const int begin = chunk * chunk_length, end = min(begin + chunk_length, count);
  for (int i = first + begin; i < first + end; ++i) {
    ++counts[bin_number(bin_place(bodies[i], grid, bins), bins) * chunks + chunk];
  }
}

// From counts to how many bodies come before, in three steps over segments.
kernel void sum_segments(int entries, int segment, global const int* restrict counts,
                         global int* restrict sums) {
  const int s = get_global_id(0), begin = s * segment, end = min(begin + segment, entries);
  int sum = 0;
  for (int i = begin; i < end; ++i) sum += counts[i];
  sums[s] = sum;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void add_up_segments(int segments, global int* restrict sums) {
  local int before[GROUP];
  const int t = get_local_id(0), each = segments / GROUP;
  int sum = 0;
  for (int i = t * each; i < (t + 1) * each; ++i) sum += sums[i];
  before[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  int running = 0;
  for (int k = 0; k < t; ++k) running += before[k];
  for (int i = t * each; i < (t + 1) * each; ++i) {
    const int own = sums[i];
    sums[i] = running;
    running += own;
  }
}

kernel void add_up_counts(int entries, int segment, global const int* restrict sums,
                          global int* restrict counts) {
  const int s = get_global_id(0), begin = s * segment, end = min(begin + segment, entries);
  int running = sums[s];
  for (int i = begin; i < end; ++i) {
    const int own = counts[i];
    counts[i] = running;
    running += own;
  }
}

// Afterwards an entry of counts is where the bodies of its bin and chunk end.
kernel void put_bodies(int first, int count, global const state4* restrict bodies,
                       global const state4* restrict grid, int bins, int chunks, int chunk_length,
                       global int* restrict counts, global state4* restrict sorted,
                       global int* restrict came_from) {
  const int chunk = get_global_id(0);
  if (chunk >= chunks) return;
  const int begin = chunk * chunk_length, end = min(begin + chunk_length, count);
  for (int i = first + begin; i < first + end; ++i) {
    const int entry = bin_number(bin_place(bodies[i], grid, bins), bins) * chunks + chunk;
    const int at = counts[entry];
    counts[entry] = at + 1;
    sorted[at] = bodies[i];
    came_from[at] = i;
  }
}

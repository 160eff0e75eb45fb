// SPDX-License-Identifier: MIT
// Running sums of whole numbers: inside a work-group, and of a list by one work-group.
#pragma once

#define SCAN_GROUP 256
#define SCAN_EACH 8 // values a work-item in one go

// The sum of the values of this work-item and of all before it in a work-group of `group`;
// sums[group - 1] is that of all, which stays until the next barrier of the caller.
inline uint sum_upto(local uint* sums, uint own, int t, int group) {
  sums[t] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < group; step *= 2) {
    const uint more = t >= step ? sums[t - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[t] += more;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return sums[t];
}

// By one work-group: in place of each value the sum of those before it. Returns the sum of all.
inline uint scan_by_group(global uint* values, int count, local uint* sums, int t, int group) {
  uint before = 0;
  for (int first = 0; first < count; first += SCAN_EACH * group) {
    uint own[SCAN_EACH], all = 0;
    for (int r = 0; r < SCAN_EACH; ++r) {
      const int i = first + SCAN_EACH * t + r;
      own[r] = i < count ? values[i] : 0;
      all += own[r];
    }
    uint running = before + sum_upto(sums, all, t, group) - all;
    for (int r = 0; r < SCAN_EACH; ++r) {
      const int i = first + SCAN_EACH * t + r;
      if (i < count) values[i] = running;
      running += own[r];
    }
    before += sums[group - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return before;
}

kernel __attribute__((reqd_work_group_size(SCAN_GROUP, 1, 1)))
void scan_list(global uint* restrict values, int count, global uint* restrict total) {
  local uint sums[SCAN_GROUP];
  const int t = get_local_id(0);
  const uint all = scan_by_group(values, count, sums, t, SCAN_GROUP);
  if (t == 0) total[0] = all;
}

kernel void set_zero(global uint* restrict values, int count) {
  const int i = get_global_id(0);
  if (i < count) values[i] = 0;
}

// SPDX-License-Identifier: MIT
// Running sums of whole numbers: inside a work-group, and of a list by one work-group.
#pragma once

#define SCAN_GROUP 256

// The sum of the values of this work-item and of all before it; sums[SCAN_GROUP - 1] is that of the
// group, which stays until the next barrier of the caller.
inline uint sum_upto(local uint* sums, uint own, int t) {
  sums[t] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < SCAN_GROUP; step *= 2) {
    const uint more = t >= step ? sums[t - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[t] += more;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return sums[t];
}

// One work-group: in place of each value the sum of those before it, and the sum of all.
kernel __attribute__((reqd_work_group_size(SCAN_GROUP, 1, 1)))
void scan_list(global uint* restrict values, int count, global uint* restrict total) {
  local uint sums[SCAN_GROUP];
  const int t = get_local_id(0);
  uint before = 0;
  for (int first = 0; first < count; first += 4 * SCAN_GROUP) {
    uint own[4], all = 0;
    for (int r = 0; r < 4; ++r) {
      const int i = first + 4 * t + r;
      own[r] = i < count ? values[i] : 0;
      all += own[r];
    }
    uint running = before + sum_upto(sums, all, t) - all;
    for (int r = 0; r < 4; ++r) {
      const int i = first + 4 * t + r;
      if (i < count) values[i] = running;
      running += own[r];
    }
    before += sums[SCAN_GROUP - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) total[0] = before;
}

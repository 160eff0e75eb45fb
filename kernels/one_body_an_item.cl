// SPDX-License-Identifier: MIT
// The rungs whose work-items own one body each and read all others from global memory. The file that
// includes this one says from what, SOURCES, and how, SOURCE(j).
#pragma once
#include "pair_sum.cl"

#ifndef SOURCES
#define SOURCES global const state4* restrict sources
#define SOURCE(j) sources[j]
#endif

kernel void direct(SOURCES, int source_end, int part_length, global const state4* restrict targets,
                   int first_target, int last_target, int own_offset, real eps2,
                   global accum4* restrict sums, int first_part, int stride) {
  const int i = first_target + (int)get_global_id(0);
  if (i > last_target) return;
  const int part = get_global_id(1), begin = part * part_length;
  const int end = min(begin + part_length, source_end);
  const body target = body_of(targets[i]);
  long_sum total = no_sum();
  for (int start = begin; start < end; start += CHUNK) {
    real4 sum = (real4)(0);
    for (int j = start; j < start + CHUNK; ++j) {
      sum = with_pair(sum, target, body_of(SOURCE(j)), eps2, j == i + own_offset);
    }
    total = with_chunk(total, sum, (start - begin) / CHUNK);
  }
  sums[(size_t)(first_part + part) * stride + i] = value_of(total);
}

// SPDX-License-Identifier: MIT
// Bodies along the curve as paths in float about the middle, eight to a leaf, and boxes around them,
// eight to a node: the corners of where they begin and where they end. The same tree as
// contacts/sweep_tree.cpp.
//   begin  x, y, z, radius with what rounding may hide     end  x, y, z, number of the body
// Radii are taken for LOOKED times what they are, as all searches do.
//   boxes  four entries each: lowest and highest corner at the beginning, w of the first the largest
//          radius; lowest and highest corner at the end
#include "numbers.cl"

#define LANES 8
#define ROUNDING 9.6e-7f // eight times that of floats

inline float4 about(state4 p, state4 middle) {
  return (float4)((float)(p.x - middle.x), (float)(p.y - middle.y), (float)(p.z - middle.z), 0);
}
inline float largest_of(float4 v) { return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))); }

kernel void sweep_leaves(global const ulong* restrict items, int count, int number_bits,
                         global const state4* restrict place, global const state4* restrict velocity,
                         global const float* restrict radius, state duration, state x, state y, state z,
                         global float4* restrict begin, global float4* restrict end) {
  const int k = get_global_id(0);
  if (k >= count) return;
  const int i = (int)(items[k] & ((1UL << number_bits) - 1));
  const state4 middle = (state4)(x, y, z, 0), p = place[i], v = velocity[i];
  float4 last = about(p, middle);
  // from the middle on, where floats are finest
  const float4 way = about(v * duration, (state4)(0));
  float4 first = last - way;
  const float largest = fmax(largest_of(way), fmax(largest_of(first), largest_of(last)));
  first.w = LOOKED * (radius[i] * (1 + ROUNDING) + ROUNDING * largest);
  last.w = as_float(i);
  begin[k] = first;
  end[k] = last;
}

// Boxes of leaves (below < 0), or of the boxes of the level below, which begin at below_first.
kernel void sweep_level(global const float4* restrict begin, global const float4* restrict end, int bodies,
                        global float4* boxes, int below_first, int below, int first, int here) {
  const int n = get_global_id(0);
  if (n >= here) return;
  float4 low_begin = (float4)(INFINITY), high_begin = (float4)(-INFINITY);
  float4 low_end = low_begin, high_end = high_begin;
  float largest = 0;
  for (int j = n * LANES; j < (n + 1) * LANES; ++j) {
    if (below < 0) {
      if (j >= bodies) break;
      low_begin = fmin(low_begin, begin[j]);
      high_begin = fmax(high_begin, begin[j]);
      low_end = fmin(low_end, end[j]);
      high_end = fmax(high_end, end[j]);
      largest = fmax(largest, begin[j].w);
    } else {
      if (j >= below) break;
      global const float4* box = boxes + 4 * (size_t)(below_first + j);
      low_begin = fmin(low_begin, box[0]);
      high_begin = fmax(high_begin, box[1]);
      low_end = fmin(low_end, box[2]);
      high_end = fmax(high_end, box[3]);
      largest = fmax(largest, box[0].w);
    }
  }
  global float4* box = boxes + 4 * (size_t)(first + n);
  low_begin.w = largest;
  box[0] = low_begin;
  box[1] = high_begin;
  box[2] = low_end;
  box[3] = high_end;
}

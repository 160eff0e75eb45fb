// SPDX-License-Identifier: MIT
// Which bodies may touch: a work-item walks the boxes of sweep_boxes.cl with one path, down where
// they come near it and on where they do not. What it finds is appended in any order; the host
// sorts it. Those that touch are marked in the highest bit of the second number.
#include "numbers.cl"

#define LANES 8
#define MOST_LEVELS 12

// Levels from the leaves' boxes upwards: the first box of each, and how many.
typedef struct {
  int first[MOST_LEVELS], count[MOST_LEVELS];
  int top;
} levels;

typedef struct {
  float4 begin, end; // begin.w: how far around it
} path;

// On one side along an axis, both at the beginning and at the end, further off than both radii.
inline int is_apart(path p, global const float4* box) {
  const float4 low_begin = box[0], high_begin = box[1], low_end = box[2], high_end = box[3];
  const float4 above = fmin(low_begin - p.begin, low_end - p.end);
  const float4 below = fmin(p.begin - high_begin, p.end - high_end);
  const float reach = p.begin.w + low_begin.w;
  return above.x > reach || above.y > reach || above.z > reach || below.x > reach || below.y > reach || below.z > reach;
}

#define NONE 0u
#define CLOSE 1u
#define TOUCHING (1u << 31)

// TRUE_SHARE: what true spheres reach of what the search takes them for.
inline uint meeting(path p, float4 begin, float4 end) {
  const float reach = p.begin.w + begin.w;
  float4 apart = begin - p.begin, way = end - p.end - apart;
  apart.w = way.w = 0;
  const float length = dot(way, way);
  const float at = length > 0 ? clamp(-dot(apart, way) / length, 0.0f, 1.0f) : 0.0f;
  const float4 there = apart + at * way;
  const float distance = dot(there, there), touch = TRUE_SHARE * reach;
  return distance <= touch * touch ? TOUCHING : distance <= reach * reach ? CLOSE : NONE;
}

inline void append(global uint* restrict found, int most, global uint2* restrict pairs, uint a, uint b, uint met) {
  if (*(volatile global uint*)found > 0x40000000u) return; // far too many, which the host sees
  const uint place = atomic_inc(found);
  if (place < (uint)most) pairs[place] = (uint2)(min(a, b), max(a, b) | (met & TOUCHING));
}

// Pairs of the path, which is body `number`, with bodies that come after `after` on the curve.
inline void walk(path p, uint number, int after, int bodies, global const float4* restrict begin,
                 global const float4* restrict end, global const float4* restrict boxes,
                 constant levels* restrict tree, global uint* restrict found, int most,
                 global uint2* restrict pairs) {
  const int top = tree->top;
  int level = top, node = 0;
  while (node < tree->count[top] || level < top) {
    const long last = ((long)(node + 1) << 3 * (level + 1)) - 1;
    const int there = node < tree->count[level] && last > after;
    if (there && !is_apart(p, boxes + 4 * (size_t)(tree->first[level] + node))) {
      if (level > 0) {
        --level;
        node *= LANES;
        continue;
      }
      const int stop = min((node + 1) * LANES, bodies);
      for (int j = max(node * LANES, after + 1); j < stop; ++j) {
        const float4 other = end[j];
        const uint partner = as_uint(other.w);
        const uint met = meeting(p, begin[j], other);
        if (partner != number && met != NONE) append(found, most, pairs, number, partner, met);
      }
    }
    ++node;
    while (level < top && (node & (LANES - 1)) == 0) {
      node >>= 3;
      ++level;
    }
  }
}

kernel void sweep_touching(int bodies, global const float4* restrict begin, global const float4* restrict end,
                           global const float4* restrict boxes, constant levels* restrict tree,
                           global uint* restrict found, int most, global uint2* restrict pairs) {
  const int k = get_global_id(0);
  if (k >= bodies) return;
  path p;
  p.begin = begin[k];
  p.end = end[k];
  walk(p, as_uint(p.end.w), k, bodies, begin, end, boxes, tree, found, most, pairs);
}

// Of bodies that may be off their paths, which come along: their radii reach as far as they may be.
kernel void sweep_near(int strays, global const float4* restrict stray_begin, global const float4* restrict stray_end,
                       int bodies, global const float4* restrict begin, global const float4* restrict end,
                       global const float4* restrict boxes, constant levels* restrict tree,
                       global uint* restrict found, int most, global uint2* restrict pairs) {
  const int k = get_global_id(0);
  if (k >= strays) return;
  path p;
  p.begin = stray_begin[k];
  p.end = stray_end[k];
  walk(p, as_uint(p.end.w), -1, bodies, begin, end, boxes, tree, found, most, pairs);
}

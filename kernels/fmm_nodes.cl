// SPDX-License-Identifier: MIT
// What the passes over a tree know of a node.
//   centre  x, y, z, and the sum of its strengths
//   low     what float can't hold of x, y, z, and the length that normalised expansions are in
//   size    largest and mean distance of its bodies, link, sum of its |strengths|
// A link is the word of its children, or the number of bodies of a leaf; a centre is weighted by
// |strengths|, so that it exists for charges too.
#pragma once
#include "numbers.cl"
#include "tree_link.cl"

#ifndef NORMALISED
#define NORMALISED 0 // 1: expansions are in units of their cell's own length
#endif

inline uint link_of(real4 size) { return as_uint(size.z); }
inline bool is_leaf(real4 size) { return link_of(size) >> CHILDREN == 0; }
inline real4 offset(real4 from, real4 from_low, real4 to, real4 to_low) {
  return (to - from) + (to_low - from_low);
}
inline real length2(real4 d) { return fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)); }

// ε² in the tree's units; box as in tree_keys.cl.
inline real softening2(real softening, global const state4* box) {
  const real scaled = softening * (real)box[1].x;
  return scaled * scaled;
}

// a + b and what is lost in it.
inline real4 exact_sum(real4 a, real4 b, real4* lost) {
  const real4 sum = a + b, of_b = sum - a;
  *lost = (a - (sum - of_b)) + (b - of_b);
  return sum;
}

// SPDX-License-Identifier: MIT
// Bodies in two lists, one behind the other, and the cells of a grid that they are in.
#pragma once
#include "numbers.cl"

inline state4 place_of(global const state4* first, int first_count, global const state4* second,
                       int i) {
  return i < first_count ? first[i] : second[i - first_count];
}

inline uint cell_of(state distance, state cells_a_length, int depth) {
  return (uint)clamp((int)(distance * cells_a_length), 0, (1 << depth) - 1);
}

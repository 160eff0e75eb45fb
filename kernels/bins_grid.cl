// SPDX-License-Identifier: MIT
// The grid of the solver `bins`: grid[0] is the low corner of its box, grid[1] how many bins there
// are a unit of length (0 where the box has no width). Bodies outside count with the bins at the
// border; bins are numbered x first.
#pragma once
#include "numbers.cl"

// Bounded before it is a whole number, which need not hold it.
inline int bin_along(state x, state low, state a_unit, int bins) {
  return (int)fmin(fmax(floor((x - low) * a_unit), (state)0), (state)(bins - 1));
}
inline int4 bin_place(state4 b, global const state4* grid, int bins) {
  const state4 low = grid[0], a_unit = grid[1];
  return (int4)(bin_along(b.x, low.x, a_unit.x, bins), bin_along(b.y, low.y, a_unit.y, bins),
                bin_along(b.z, low.z, a_unit.z, bins), 0);
}
inline int bin_number(int4 place, int bins) {
  return (place.z * bins + place.y) * bins + place.x;
}

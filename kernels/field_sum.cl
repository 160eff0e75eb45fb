// SPDX-License-Identifier: MIT
// What a field that solvers left in parts amounts to: their sum, in their order.
#include "numbers.cl"

inline state4 sum_of_parts(global const accum4* sums, int parts, int padded, int i) {
  accum4 total = (accum4)(0);
  for (int k = 0; k < parts; ++k) total = total + sums[(size_t)k * padded + i];
  return total;
}

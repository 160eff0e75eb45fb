// SPDX-License-Identifier: MIT
// Some entries of a list of bodies or sums, by their numbers; behind them padding, as
// device_views.hpp says.
#include "numbers.cl"

kernel void fmm_sample(global const state4* restrict from, global const int* restrict numbers,
                       int samples, global state4* restrict to) {
  const int k = get_global_id(0);
  if (k >= samples) to[k] = (state4)((state)1e18f, 0, 0, 0);
  else to[k] = from[numbers[k]];
}

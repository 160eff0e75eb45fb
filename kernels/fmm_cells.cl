// SPDX-License-Identifier: MIT
// Cells that act on a body (M2P): of a list, those from `first` on in steps of `step`.
#pragma once
#include "fmm_expansion.cl"
#include "fmm_nodes.cl"

inline real4 field_of_cells(body target, global const int* cells, int count, int first, int step,
                            global const real4* centre, global const real4* low,
                            global const real4* moments, real eps2) {
  real4 sum = (real4)(0);
  for (int i = first; i < count; i += step) {
    const int a = cells[i];
    const real4 d = offset(centre[a], low[a], high_of(target), low_of(target));
    sum += m2p(d.x, d.y, d.z, centre[a].w, moments + (size_t)a * (MOMENT_ROOM / 4), eps2, low[a].w);
  }
  return sum;
}

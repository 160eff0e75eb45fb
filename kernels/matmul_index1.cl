// SPDX-License-Identifier: MIT
// A matrix product in a 1-D index space: a work-item finds its row and column by division.
#include "matmul_element.cl"

kernel void matmul(global const element* restrict a, global const element* restrict b,
                   global element* restrict c, int rows, int inner, int columns) {
  const int index = get_global_id(0);
  if (index >= rows * columns) return;
  c[index] = row_times_column(a, b, index / columns, index % columns, inner, columns);
}

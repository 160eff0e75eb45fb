// SPDX-License-Identifier: MIT
// A matrix product in a 2-D index space. Dimension 0 is the one in which neighbouring work-items run
// together: along a row of c they read neighbours of b, down a column they read a whole row apart.
#include "matmul_element.cl"

#ifndef ALONG_ROWS
#define ALONG_ROWS 1 // 0: neighbours stand in one column of c
#endif

kernel void matmul(global const element* restrict a, global const element* restrict b,
                   global element* restrict c, int rows, int inner, int columns) {
  const int row = get_global_id(ALONG_ROWS ? 1 : 0), column = get_global_id(ALONG_ROWS ? 0 : 1);
  if (row >= rows || column >= columns) return;
  c[row * columns + column] = row_times_column(a, b, row, column, inner, columns);
}

// SPDX-License-Identifier: MIT
// A matrix product through local memory: a work-group of TILE × TILE elements of c loads tiles of a and
// b once, and each of their elements serves TILE work-items. Tiles are filled with zeros beyond edges.
#include "matmul_element.cl"

#ifndef TILE
#define TILE 16
#endif

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul(global const element* restrict a, global const element* restrict b,
            global element* restrict c, int rows, int inner, int columns) {
  local element a_tile[TILE][TILE];
  local element b_tile[TILE][TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_global_id(0), row = get_global_id(1);
  element sum = 0;
  for (int start = 0; start < inner; start += TILE) {
    a_tile[y][x] = row < rows && start + x < inner ? a[row * inner + start + x] : (element)0;
    b_tile[y][x] = start + y < inner && column < columns ? b[(start + y) * columns + column]
                                                         : (element)0;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += a_tile[y][k] * b_tile[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

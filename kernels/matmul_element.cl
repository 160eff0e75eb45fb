// SPDX-License-Identifier: MIT
// Matrices of ELEMENT, row by row: element (i, k) of an n-column matrix is number i·n + k.
#pragma once
#ifndef ELEMENT
#define ELEMENT float // or int
#endif
typedef ELEMENT element;

// One element of the product: a row of a times a column of b.
inline element row_times_column(global const element* restrict a, global const element* restrict b,
                                int row, int column, int inner, int columns) {
  element sum = 0;
  for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * columns + column];
  return sum;
}

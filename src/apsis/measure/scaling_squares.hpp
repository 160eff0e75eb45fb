// SPDX-License-Identifier: MIT
// Inside measure/: least squares with coefficients that are not below zero, for a handful of them.
#pragma once

#include <cstddef>
#include <vector>

namespace apsis {

// One equation: Σ coefficient × column ≈ value, and how much it counts.
struct Equation {
  std::vector<double> columns;
  double value = 0;
  double weight = 1;  // of its error, for example one over the value
};

// The coefficients. Columns that say nothing of their own (zeros, or the same as others) get 0.
std::vector<double> nonnegative_least_squares(const std::vector<Equation>& equations,
                                              std::size_t columns);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// Inside the far-field solvers: the 99 % error of many bodies, seen at some of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace apsis {

// 99 % of these have a smaller one.
inline double error_at_99_percent(std::vector<double> errors) {
  if (errors.empty()) return 0;
  const auto rank = (errors.size() * 99 + 99) / 100 - 1;
  std::nth_element(errors.begin(), errors.begin() + static_cast<long>(rank), errors.end());
  return errors[rank];
}

// What the 99 % error of all bodies is below in nine of ten cases, from some that nothing was
// chosen on: of m such bodies 1 % are larger than it, give or take √(m/100).
inline double confident_error_at_99_percent(std::vector<double> errors) {
  if (errors.empty()) return 0;
  const double expected = 0.01 * static_cast<double>(errors.size());
  const auto larger =
      static_cast<std::size_t>(std::max(0.0, expected - 1.28 * std::sqrt(expected)));
  const std::size_t rank = errors.size() - 1 - larger;
  std::nth_element(errors.begin(), errors.begin() + static_cast<long>(rank), errors.end());
  return errors[rank];
}

}  // namespace apsis

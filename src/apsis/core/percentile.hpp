// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace apsis {

// The smallest value with at least that share of the sorted ones at or below it; of none 0.
inline double percentile(std::span<const double> sorted, double share) {
  if (sorted.empty()) return 0;
  const auto rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
// Percentiles that ignore outliers by weight; used for framing, colours and exposure.
#pragma once

#include <algorithm>
#include <vector>

namespace apsis {

struct WeightedValue {
  double value, weight;
};

// The smallest value that has at least `share` of the weight at or below it; 0 without values.
// Sorts its argument.
inline double weighted_percentile(std::vector<WeightedValue>& values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end(), [](const WeightedValue& a, const WeightedValue& b) {
    return a.value < b.value || (a.value == b.value && a.weight < b.weight);
  });
  double total = 0;
  for (const WeightedValue& v : values) total += v.weight;
  double below = 0;
  for (const WeightedValue& v : values) {
    below += v.weight;
    if (below >= share * total) return v.value;
  }
  return values.back().value;
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
// Repeated timings and the figures that describe them.
#pragma once

#include <vector>

namespace apsis {

struct Timings {
  std::vector<double> warmup;   // seconds, first of all; not counted
  std::vector<double> seconds;  // one per repeat

  double min() const;
  double max() const;
  double median() const;  // the mean of the two in the middle for an even number
  double mean() const;
  double deviation() const;  // of the sample; 0 for one repeat
};

}  // namespace apsis

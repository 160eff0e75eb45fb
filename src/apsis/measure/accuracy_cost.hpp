// SPDX-License-Identifier: MIT
// Time against error: the same solver asked for one accuracy after the other (or cut into more and
// more bins), with exact sums as the point to beat.
#pragma once

#include <apsis/measure/bench.hpp>
#include <apsis/measure/chart.hpp>

#include <span>
#include <string>
#include <vector>

namespace apsis {

struct AccuracyCost {
  std::vector<BenchResult> results;  // of each solver in the order of the steps
  std::vector<std::string> notices;  // where a solver could not go further
};

// The options' solvers, numbers of bodies and precisions. wrong_usage where no solver of them
// approximates, or where the steps are fixed by an option.
AccuracyCost measure_accuracy_cost(const BenchOptions& options);

Chart accuracy_cost_chart(std::span<const BenchResult> results);

}  // namespace apsis

// SPDX-License-Identifier: MIT
#pragma once

#include <apsis/measure/bench.hpp>

namespace apsis::cli {

// Prints the table (or JSON), draws curve.png in the present folder, and throws numbers_went_bad
// where an accuracy was missed.
void run_accuracy_cost(const BenchOptions& options, bool json);

}  // namespace apsis::cli

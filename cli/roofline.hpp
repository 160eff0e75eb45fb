// SPDX-License-Identifier: MIT
#pragma once

#include <apsis/measure/bench.hpp>

namespace apsis::cli {

// Prints the table (or JSON) and draws roofline.png in the present folder.
void run_roofline(const BenchOptions& options, bool json);

}  // namespace apsis::cli

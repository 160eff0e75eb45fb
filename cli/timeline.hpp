// SPDX-License-Identifier: MIT
#pragma once

#include <apsis/measure/bench.hpp>

#include <string>

namespace apsis::cli {

// Prints what each device did in two steps, and draws it into the file.
void run_timeline(const BenchOptions& options, const std::string& file, bool json);

}  // namespace apsis::cli

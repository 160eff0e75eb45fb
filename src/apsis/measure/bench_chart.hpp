// SPDX-License-Identifier: MIT
#pragma once

#include <apsis/measure/bench.hpp>
#include <apsis/measure/chart.hpp>

#include <span>
#include <string>
#include <vector>

namespace apsis {

// Speed against the number of bodies, or side by side where there is one number: all devices on the
// same axes, a colour for each thing that was timed and a marker for each device, with the
// deviation of the times as bars.
Chart bench_chart(std::span<const BenchResult> results);

// What tells a result from the others, "tiled unroll=4": what differs among them, and the solver
// where nothing else would be left.
std::vector<std::string> labels_of(std::span<const BenchResult> results);

}  // namespace apsis

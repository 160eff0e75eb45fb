// SPDX-License-Identifier: MIT
// Inside measure/: whether forces are as good as their precision promises.
#pragma once

#include <apsis/measure/bench.hpp>
#include <apsis/measure/bench_input.hpp>

#include <optional>
#include <string>
#include <vector>

namespace apsis {

// One sentence for what is wrong; empty when all is well. Direct summation is held to
// error_bounds(), solvers that promise one to `accuracy` at 99 %, where one is asked for.
std::string complaint_about(Engine& engine, const BenchInput& input, const BenchResult& result,
                            std::optional<double> accuracy);

// Errors of the sampled bodies at the positions as the engine holds them, in rising order.
//
// A body whose pulls cancel to less than 1/30 of their sum has no digits left for a relative
// error: rounding alone breaks any bound on it. Such a body is judged against 1/5 of the sum of
// its pulls' magnitudes, which is 17 units in the last place of float.
std::vector<double> fair_errors(Engine& engine, const Bodies& held, const PairLaw& law);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// Inside measure/: from the options of bench and check to the engines that they ask for.
#pragma once

#include <apsis/engines/engine_factory.hpp>
#include <apsis/measure/bench.hpp>

#include <string>

namespace apsis {

// wrong_usage for values that no solver takes, and for options that none of the solvers has a use
// for.
void require_valid(const BenchOptions& options);

EngineSettings engine_settings(const BenchOptions& options, const std::string& solver,
                               Precision precision, const PairLaw& law);

// wrong_usage for sizes of kernels where there are none.
void require_meaningful(const BenchOptions& options, const Resolution& engine);

}  // namespace apsis

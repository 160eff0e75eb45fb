// SPDX-License-Identifier: MIT
// Inside measure/: the bodies that bench and check work on.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/measure/bench.hpp>

#include <cstdint>
#include <string>

namespace apsis {

struct BenchInput {
  Bodies bodies;
  PairLaw law;
  std::string model, masses;
};

// bad_data for more bodies than memory holds (naming the largest number that fits), for unknown
// models, and for files that cannot be read.
BenchInput bench_input(const BenchOptions& options, std::uint64_t bodies);

}  // namespace apsis

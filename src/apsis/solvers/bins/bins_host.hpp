// SPDX-License-Identifier: MIT
// The solver `bins` on the CPU: bodies in near bins by the fast pairs of `direct`, all other bins
// as one body each. Same bits for any number of threads.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/settings.hpp>
#include <apsis/solvers/bins/bins_variants.hpp>
#include <apsis/solvers/solver.hpp>

#include <memory>

namespace apsis {

struct BinsHostSettings {
  BinsSettings bins;     // with a number of bins
  double softening = 0;  // in the state's lengths, like the box
  int threads = 0;       // 0: all
  Precision precision = Precision::f64;
  BinsSum sum = BinsSum::skipping;  // or subtracting
};

// State float serves f32, state double serves mixed and f64.
template <class State>
std::unique_ptr<Solver<Host<State>>> make_bins(const BinsHostSettings& settings);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// Fast multipoles on the CPU: results in O(N), the same bits for any number of threads.
#pragma once

#include <apsis/solvers/tree/far_field_solver.hpp>

namespace apsis {

// Real is float for f32, double for mixed and f64, where positions keep their digits and sums are
// float's. Bad_data for accuracies, angles and orders that float expansions do not reach.
template <class Real>
std::unique_ptr<FarFieldSolver<Real>> make_fmm(const FarFieldSettings& options, double softening,
                                               int threads);

}  // namespace apsis

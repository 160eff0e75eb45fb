// SPDX-License-Identifier: MIT
// Barnes-Hut on the CPU: the tree and the multipoles of `fmm`, in O(N log N).
#pragma once

#include <apsis/solvers/tree/far_field_solver.hpp>

namespace apsis {

// As make_fmm.
template <class Real>
std::unique_ptr<FarFieldSolver<Real>> make_tree(const FarFieldSettings& options, double softening,
                                                int threads);

}  // namespace apsis

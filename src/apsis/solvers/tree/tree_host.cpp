// SPDX-License-Identifier: MIT
// Barnes-Hut on the CPU: cells act on bodies.
#include <apsis/solvers/tree/far_solver.hpp>
#include <apsis/solvers/tree/tree_host.hpp>

namespace apsis {

template <class Real>
std::unique_ptr<FarFieldSolver<Real>> make_tree(const FarFieldSettings& options, double softening,
                                                int threads) {
  return std::make_unique<far::FarSolver<Real>>("tree", true, options, softening, threads);
}
template std::unique_ptr<FarFieldSolver<float>> make_tree(const FarFieldSettings&, double, int);
template std::unique_ptr<FarFieldSolver<double>> make_tree(const FarFieldSettings&, double, int);

}  // namespace apsis

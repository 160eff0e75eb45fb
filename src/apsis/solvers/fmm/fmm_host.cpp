// SPDX-License-Identifier: MIT
// Fast multipoles on the CPU: cells act on cells.
#include <apsis/solvers/fmm/fmm_host.hpp>
#include <apsis/solvers/tree/far_solver.hpp>

namespace apsis {

template <class Real>
std::unique_ptr<FarFieldSolver<Real>> make_fmm(const FarFieldSettings& options, double softening,
                                               int threads) {
  return std::make_unique<far::FarSolver<Real>>("fmm", false, options, softening, threads);
}
template std::unique_ptr<FarFieldSolver<float>> make_fmm(const FarFieldSettings&, double, int);
template std::unique_ptr<FarFieldSolver<double>> make_fmm(const FarFieldSettings&, double, int);

}  // namespace apsis

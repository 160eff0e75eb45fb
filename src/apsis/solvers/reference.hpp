// SPDX-License-Identifier: MIT
// The oracle: plain double-precision sums over all pairs, blockwise so that their own error stays
// below 1e-15·√block. It shares nothing with the fast solvers but the law.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/solvers/solver.hpp>

#include <span>
#include <string>

namespace apsis {

class ReferenceSolver final : public Solver<Host<double>> {
 public:
  explicit ReferenceSolver(double softening, int threads = 0, RadialLaw radial = {})
      : softening_(softening), threads_(threads), radial_(radial) {}

  void add_field(const Bodies& sources, const Bodies& targets, const FieldOf& field) override;
  void add_self_field(const Bodies& bodies, const FieldOf& field) override;
  void add_part_field(const Bodies& bodies, std::size_t first, std::size_t count,
                      const FieldOf& field) override;
  bool gives_jerk() const override { return true; }
  bool potential_keeps_field() const override { return true; }
  std::string name() const override { return "reference"; }
  std::string variant() const override { return "double"; }

 private:
  double softening_;
  int threads_;
  RadialLaw radial_;
};

// Accelerations of the listed bodies under the law, by the reference.
Accelerations reference_accelerations(const Bodies& bodies, const PairLaw& law,
                                      std::span<const std::size_t> targets, int threads = 0);

// Potential energy of all bodies, by the reference.
double reference_potential_energy(const Bodies& bodies, const PairLaw& law, int threads = 0);

}  // namespace apsis

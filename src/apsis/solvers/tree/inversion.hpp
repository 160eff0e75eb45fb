// SPDX-License-Identifier: MIT
// Cells on bodies: Σ_β M_β ∂^β(1/r) is (1/r) h(R x/r²) with h a polynomial, the multipoles seen in
// a mirror of radius R. One polynomial and its gradient cost a body a third of what the tensor of
// derivatives does.
#pragma once

#include <apsis/solvers/tree/cartesian.hpp>

#include <cstdint>
#include <vector>

namespace apsis::far {

// The derivatives of h at 0 from traceless multipoles, both in powers of the cell's radius: a sum
// of products.
class Inversion {
 public:
  explicit Inversion(int order);

  int order() const { return order_; }
  // All terms up to the order of the inversion.
  void apply(const float* traceless, float* polynomial) const;

 private:
  struct Step {
    std::uint16_t from, to;
    float factor;
  };
  int order_;
  std::vector<Step> steps_;
};

}  // namespace apsis::far

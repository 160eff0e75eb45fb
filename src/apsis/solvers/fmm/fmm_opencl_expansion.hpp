// SPDX-License-Identifier: MIT
// OpenCL C for Cartesian Taylor expansions of the softened kernel g = 1/√(r²+ε²), written for one
// order with every index settled, so that all coefficients live in registers.
//
//   M_n = Σ s (-d)ⁿ/n!          d from the cell's centre to a source, |n| < order
//   L_k = Σ_n M_n ∂ⁿ⁺ᵏ g        at the vector from source cell to target cell, |k| ≤ order
//   φ(u) = Σ_k L_k uᵏ/k!        u from the cell's centre to a target; the field is ∇φ
//
// Normalised, M_n and L_k are those of a cell in units of its own length: M_n/lⁿ and L_k lᵏ. Then
// no power leaves float's range, however much smaller than its cube a cell is.
#pragma once

#include <string>

namespace apsis::fmm_opencl {

inline constexpr int lowest_order = 2, highest_order = 8;

struct ExpansionShape {
  int order = 3;
  // Signed strengths: about the |strength|-weighted centre their first moments do not vanish.
  bool dipole = false;
  bool potential = false;
  bool normalised = false;

  int moments() const;      // coefficients M_n beside M_0
  int moment_room() const;  // floats a node, a multiple of 4
  int local_room() const;
};

// The text that stands for kernels/fmm_expansion.cl, which is that of the default shape.
std::string expansion_text(const ExpansionShape& shape);

// A distance below which a derivative would leave the range of float, in the tree's units.
double smallest_distance(int order, bool normalised);

}  // namespace apsis::fmm_opencl

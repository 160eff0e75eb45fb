// SPDX-License-Identifier: MIT
// The law of pairs, in three parts:
//   coupling   s is the mass or the charge; acceleration = G·field for gravity and
//              -(k q_i/m_i)·field for charges
//   radial     field at i = Σ_j s_j f(ρ) r_ij/ρ³, r_ij = x_j - x_i; f = 1 for newton
//   softening  ρ² = r² + ε², Plummer's; another way from r to ρ and its derivative would be a
//              choice beside `radial`
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/choices.hpp>
#include <apsis/core/radial_laws.hpp>
#include <apsis/core/settings.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace apsis {

struct PairLaw {
  Law law = Law::gravity;
  double constant = 1;   // G or k
  double softening = 0;  // Plummer length ε
  RadialLaw radial = {};

  friend bool operator==(const PairLaw&, const PairLaw&) = default;
};

// What settings say about the law; what they leave open is as above.
PairLaw law_of(const ForceSettings& settings);
// Forces by this law, summed by that solver.
ForceSettings forces(const PairLaw& law, std::string solver = "auto");

// What acts as source of the field: masses for gravity, charges for coulomb.
const std::vector<double>& strengths(const Bodies& bodies, Law law);

// Factor from field to acceleration of body i.
inline double coupling(const Bodies& bodies, const PairLaw& law, std::size_t i) {
  if (law.law == Law::gravity) return law.constant;
  return bodies.charge[i] == 0 ? 0.0 : -law.constant * bodies.charge[i] / bodies.mass[i];
}

// Factor from s_i φ_i (φ = Σ_j s_j/ρ for newton) to twice the potential energy of body i.
inline double potential_sign(Law law) { return law == Law::gravity ? -1.0 : 1.0; }

// Throws bad_data when the law cannot act on these bodies: coulomb without charges, or a charge
// without mass; a softening or constant that is not a finite number, a softening below zero; a
// radial law that is not complete.
void require_valid(const PairLaw& law, const Bodies& bodies, const std::string& origin);

}  // namespace apsis

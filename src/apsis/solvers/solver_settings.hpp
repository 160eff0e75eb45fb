// SPDX-License-Identifier: MIT
// What a solver is told: the user's settings as they are, so that a key reaches the code that reads
// it without a word between, and what was found out or decided since.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/core/settings.hpp>
#include <apsis/solvers/solver_choice.hpp>

#include <cstddef>
#include <optional>

namespace apsis {

// All that a solver can be told; each takes what it has a use for.
struct SolverSettings {
  ForceSettings force;  // with lengths of the state, see in_units_of()
  DeviceSettings device;
  SolverChoice choice;  // taken as it is, nothing is measured again; open: the solver's own
  std::optional<double> equal_strength;  // of all bodies, not 0
  std::size_t bodies = 0;                // for the choice of sizes

  double softening() const { return law_of(force).softening; }
  RadialLaw radial() const { return law_of(force).radial; }
  Precision precision() const { return precision_of(device); }
  // Charges; masses are never below 0.
  bool signed_strengths() const { return law_of(force).law == Law::coulomb; }
};

// The same with lengths in a state whose unit takes `length` of the user's.
ForceSettings in_units_of(double length, ForceSettings settings);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// The global figures of a state that tell whether a run can be trusted.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/vec3.hpp>

#include <cmath>

namespace apsis {

struct Energies {
  double kinetic = 0;
  double potential = 0;
  Vec3 momentum;
  Vec3 angular_momentum;  // about the origin
  Vec3 center_of_mass;

  double total() const { return kinetic + potential; }
  // K/|U|: 1/2 in equilibrium under gravity; 0 without potential energy.
  double virial() const { return potential == 0 ? 0.0 : kinetic / std::abs(potential); }
};

// |E + lost - E0| / max(|E0|, K0 + |U0|); 0 where that is 0/0. `lost` is what is known to have gone
// elsewhere: into heat where bodies touched, or away with some that left.
double energy_error(const Energies& now, const Energies& start, double lost = 0);

// Everything but the potential energy, which only a solver knows.
Energies motion(const Bodies& bodies, int threads = 0);

bool all_finite(const Energies& energies);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// Inside initial/: velocities without a preferred direction. Eddington's formula (Binney &
// Tremaine 2008, §4.3.1) gives the distribution function of a density in any spherical potential.
#pragma once

#include <apsis/core/random.hpp>
#include <apsis/initial/spherical.hpp>

#include <algorithm>
#include <vector>

namespace apsis::initial {

// Velocities for bodies of `sphere` in equilibrium in `field`.
class IsotropicVelocities {
 public:
  IsotropicVelocities(const HernquistSphere& sphere, SphericalField field);

  // f(E), up to the mass of a body; 0 for what is not bound.
  double distribution(double binding_energy) const;
  Vec3 velocity(double r, BodyRandom& random) const;

 private:
  SphericalField field_;
  std::vector<double> energy_;  // binding energies, falling
  std::vector<double> log_f_;
};

// A speed in (0, fastest) with probability density ∝ weight(speed), by rejection under the largest
// of some trial values and a margin.
template <class Weight>
double rejected_speed(BodyRandom& random, double fastest, Weight&& weight) {
  constexpr int trials = 64;
  double highest = 0;
  for (int k = 1; k < trials; ++k) highest = std::max(highest, weight(fastest * k / trials));
  if (!(highest > 0)) return 0;
  for (;;) {
    const double speed = fastest * random.uniform();
    if (1.1 * highest * random.uniform() < weight(speed)) return speed;
  }
}

}  // namespace apsis::initial

// SPDX-License-Identifier: MIT
// Inside initial/: spheres whose velocities have no preferred direction. Eddington's formula
// (Binney & Tremaine 2008, §4.3.1) gives the distribution function of a density in any potential.
#pragma once

#include <apsis/core/random.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace apsis::initial {

// Hernquist (1990): ρ = M a / (2π r (r+a)³), M(<r) = M r²/(r+a)².
struct HernquistSphere {
  double mass = 0, scale = 1;

  double enclosed(double r) const;
  double radius_of(double mass_fraction) const;
};

// ψ = -Φ and its derivatives in r.
struct Potential {
  double value = 0, slope = 0, curvature = 0;
};

// Spheres, and an exponential disk as its mass inside r would act if it were a sphere.
struct SphericalField {
  std::vector<HernquistSphere> spheres;
  double disk_mass = 0, disk_scale = 1;

  Potential potential(double r) const;
};

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

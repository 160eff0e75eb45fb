// SPDX-License-Identifier: MIT
// Where a system of bodies is, and how it moves.
#pragma once

#include <apsis/core/bodies.hpp>

#include <vector>

namespace apsis::analysis {

// Bodies without any mass count alike, wherever masses would be weights.
double weight_of(const Bodies& bodies, bool massless, std::size_t i);
bool is_massless(const Bodies& bodies);

struct Centre {
  Vec3 position, velocity;
};

Centre centre_of_mass(const Bodies& bodies, int threads = 0);

// The centre of mass within a sphere that shrinks about it, by a tenth of its bodies at a time,
// until it holds a hundredth of all (100 at least): far bodies and smaller neighbours do not draw
// it away (after Power et al. 2003).
Centre shrinking_sphere_centre(const Bodies& bodies, int threads = 0);

// The mean place weighted by the density about each body, as the mass of its five nearest
// neighbours within the distance of the sixth has it (Casertano and Hut 1985).
struct DensityCentre {
  Centre centre;
  // The rms distance from it, weighted by the square of the density: what codes call core radius.
  double core_radius = 0;
  double density = 0;  // mean, weighted by itself
};
DensityCentre density_centre(const Bodies& bodies, int threads = 0);

// About each body; infinite where six neighbours share its place, 0 where there are not so many.
std::vector<double> local_densities(const Bodies& bodies, int threads = 0);

}  // namespace apsis::analysis

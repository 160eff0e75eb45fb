// SPDX-License-Identifier: MIT
// Osculating elements: the conic on which a body would go on if there were only it and another.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/vec3.hpp>

#include <cstddef>

namespace apsis::analysis {

// Angles in radians, from 0 to 2π. A hyperbola has a semi-major axis below zero, and so has its
// mean anomaly before the pericentre. What has no meaning is zero: the node of an orbit in the x-y
// plane, the pericentre of a circle; angles then count from the x axis or from the node.
struct OrbitalElements {
  double semi_major_axis = 0;  // infinite for a parabola
  double eccentricity = 0;
  double inclination = 0, node = 0, periapsis = 0;
  double true_anomaly = 0, mean_anomaly = 0;
  double pericentre = 0;
  double period = 0;  // infinite where the body does not come back
};

// Of a place and a speed relative to the other body; `attraction` is G times the sum of both
// masses.
OrbitalElements elements_of(Vec3 place, Vec3 speed, double attraction);

// The heaviest body, the first of equally heavy ones.
std::size_t heaviest(const Bodies& bodies);

}  // namespace apsis::analysis

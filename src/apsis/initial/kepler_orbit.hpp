// SPDX-License-Identifier: MIT
// Inside initial/: a place on a Kepler orbit from its elements (G = 1), and on a parabola.
#pragma once

#include <apsis/core/vec3.hpp>

namespace apsis::initial {

struct PhasePoint {
  Vec3 position, velocity;
};

struct KeplerOrbit {  // angles in radians
  double semi_major_axis = 1, eccentricity = 0;
  double inclination = 0, node = 0, periapsis = 0, mean_anomaly = 0;
};

double orbital_period(const KeplerOrbit& orbit, double mass);

// E of Kepler's equation E - e sin E = M, for 0 <= e < 1.
double eccentric_anomaly(double mean_anomaly, double eccentricity);

PhasePoint state_on_orbit(const KeplerOrbit& orbit, double mass);

// Approaching on a parabola in the x-y plane with the pericentre on the +x axis, at `distance`
// (at least the pericentre's).
PhasePoint state_on_parabola(double pericentre, double distance, double mass);

// Turns by the inclination about x and then by the node about z.
Vec3 turned(Vec3 a, double inclination, double node);

}  // namespace apsis::initial

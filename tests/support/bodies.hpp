// SPDX-License-Identifier: MIT
// Sets of bodies that tests share.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/random.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>

namespace apsis::test {

// One component of all bodies.
inline void assign(std::span<double> component, std::initializer_list<double> values) {
  std::ranges::copy(values, component.begin());
}

// Random places and velocities, masses between 1 and 3 divided by n, charges of both signs.
inline Bodies random_bodies(std::size_t n, std::uint64_t seed = 1, bool charged = false) {
  Bodies bodies(n, charged);
  for (std::size_t i = 0; i < n; ++i) {
    BodyRandom random(seed, i);
    bodies.set_position(i, random.in_ball());
    bodies.set_velocity(i, 0.5 * random.in_ball());
    bodies.mass[i] = random.uniform(1, 3) / static_cast<double>(n);
    if (charged) bodies.charge[i] = (i % 2 == 0 ? 1 : -1) * random.uniform(0.5, 1.5);
  }
  return bodies;
}

// Two bodies of total mass 1 on a Kepler orbit with semi-major axis 1 (period 2π), at pericentre.
inline Bodies kepler_pair(double eccentricity, double heavier = 0.75) {
  Bodies bodies(2);
  const double distance = 1 - eccentricity;
  const double speed = std::sqrt((1 + eccentricity) / (1 - eccentricity));
  const double lighter = 1 - heavier;
  bodies.mass = {heavier, lighter};
  assign(bodies.x(), {-lighter * distance, heavier * distance});
  assign(bodies.vy(), {-lighter * speed, heavier * speed});
  return bodies;
}

// Where the second body is relative to the first after `time`, by Kepler's equation.
inline Vec3 kepler_place(double eccentricity, double time) {
  double anomaly = time;
  for (int i = 0; i < 100; ++i) {
    anomaly -= (anomaly - eccentricity * std::sin(anomaly) - time) /
               (1 - eccentricity * std::cos(anomaly));
  }
  return {std::cos(anomaly) - eccentricity,
          std::sqrt(1 - eccentricity * eccentricity) * std::sin(anomaly), 0};
}

}  // namespace apsis::test

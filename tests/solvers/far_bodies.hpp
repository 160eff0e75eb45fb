// SPDX-License-Identifier: MIT
// Bodies that one cube does not suit: some far from all others, dense clumps far apart, lines and
// places in the distance.
#pragma once

#include <apsis/core/random.hpp>

#include <solvers/far_opencl_support.hpp>

#include <cmath>
#include <cstdint>
#include <string>

namespace apsis::test {

// On a sphere or inside it.
inline Vec3 away_from(BodyRandom& random, double distance) {
  const Vec3 place = random.in_ball();
  return distance * (0.5 + 0.5 * norm(place)) / norm(place) * place;
}

// Every `each`-th of a Plummer sphere far away, in any direction.
inline Bodies with_some_away(std::size_t n, std::size_t each, double distance) {
  Bodies bodies = plummer(n);
  for (std::size_t i = each / 2; i < n; i += each) {
    BodyRandom random(21, i);
    bodies.set_position(i, away_from(random, distance));
  }
  return bodies;
}

// From one size to `distance`, as many in every decade.
inline Bodies with_escapers(std::size_t n, std::size_t each, double distance) {
  Bodies bodies = plummer(n);
  for (std::size_t i = each / 2; i < n; i += each) {
    BodyRandom random(22, i);
    bodies.set_position(i, away_from(random, std::pow(distance, random.uniform(0, 1))));
  }
  return bodies;
}

inline Bodies clumps(std::size_t n, std::size_t count, double width) {
  Bodies bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    BodyRandom of_clump(23, i % count), random(24, i);
    bodies.set_position(i, of_clump.in_ball() + 0.5 * width * random.in_ball());
    bodies.mass[i] = random.uniform(1, 3) / static_cast<double>(n);
  }
  return bodies;
}

inline Bodies two_clusters_apart(std::size_t n, double distance) {
  Bodies bodies = plummer(n);
  for (std::size_t i = 0; i < n; i += 2) bodies.x()[i] += distance;
  return bodies;
}

}  // namespace apsis::test

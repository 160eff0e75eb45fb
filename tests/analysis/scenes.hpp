// SPDX-License-Identifier: MIT
// Bodies that tests of analyses look at.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/random.hpp>
#include <apsis/initial/model.hpp>

#include <cstdint>
#include <string>

namespace apsis::test {

inline Bodies model(const std::string& name, std::uint64_t bodies, std::uint64_t seed = 1) {
  ModelRequest request;
  request.model = name, request.bodies = bodies, request.seed = seed;
  return make_model(request).bodies;
}

inline Bodies moved(Bodies bodies, Vec3 place, Vec3 motion) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.set_position(i, bodies.position(i) + place);
    bodies.set_velocity(i, bodies.velocity(i) + motion);
  }
  return bodies;
}

// In a cube of side 1, of mass 1 each.
inline Bodies scattered(std::size_t n, std::uint64_t seed) {
  Bodies bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    BodyRandom random(seed, i);
    const double x = random.uniform(), y = random.uniform();
    bodies.set_position(i, {x, y, random.uniform()});
    bodies.mass[i] = 1;
  }
  return bodies;
}

}  // namespace apsis::test

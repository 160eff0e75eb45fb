// SPDX-License-Identifier: MIT
// Spheres that tests of contacts share.
#pragma once

#include <apsis/contacts/contact_step.hpp>
#include <apsis/contacts/finder.hpp>
#include <apsis/core/random.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace apsis::test {

inline MovingSphere sphere(std::uint64_t id, Vec3 place, Vec3 velocity, double mass = 1,
                           double radius = 0.5) {
  MovingSphere out;
  out.id = id, out.place = place, out.velocity = out.pace = velocity;
  out.mass = mass, out.radius = radius;
  return out;
}

// All pairs may touch.
inline ContactProblem problem(std::vector<MovingSphere> spheres, double duration,
                              const ContactRule& rule) {
  ContactProblem out;
  out.spheres = std::move(spheres), out.duration = duration, out.rule = rule;
  for (std::uint32_t a = 0; a < out.spheres.size(); ++a) {
    for (std::uint32_t b = a + 1; b < out.spheres.size(); ++b) out.pairs.emplace_back(a, b);
  }
  return out;
}

// Spheres as columns of paths that end where they are after `duration`.
struct Columns {
  std::vector<double> x, y, z, vx, vy, vz, radius;
  double duration = 0;

  Columns(const std::vector<MovingSphere>& spheres, double time) : duration(time) {
    for (const MovingSphere& s : spheres) {
      const Vec3 end = s.at(time);
      x.push_back(end.x), y.push_back(end.y), z.push_back(end.z);
      vx.push_back(s.pace.x), vy.push_back(s.pace.y), vz.push_back(s.pace.z);
      radius.push_back(s.radius);
    }
  }
  Paths<double> paths() const {
    return {.count = x.size(),
            .x = x.data(),
            .y = y.data(),
            .z = z.data(),
            .vx = vx.data(),
            .vy = vy.data(),
            .vz = vz.data(),
            .duration = duration,
            .radius = radius.data()};
  }
};

inline Vec3 momentum(const std::vector<MovingSphere>& spheres) {
  Vec3 sum;
  for (const MovingSphere& s : spheres) sum += s.mass * s.velocity;
  return sum;
}
inline double kinetic_energy(const std::vector<MovingSphere>& spheres) {
  double sum = 0;
  for (const MovingSphere& s : spheres) sum += 0.5 * s.mass * dot(s.velocity, s.velocity);
  return sum;
}

// The largest overlap of two of them, as a share of the sum of their radii.
inline double worst_overlap(const std::vector<MovingSphere>& spheres) {
  double worst = 0;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    for (std::size_t j = i + 1; j < spheres.size(); ++j) {
      const double reach = spheres[i].radius + spheres[j].radius;
      const double apart = norm(spheres[i].place - spheres[j].place);
      worst = std::max(worst, 1 - apart / reach);
    }
  }
  return worst;
}

// Random spheres that do not overlap, in a ball of radius 1.
inline std::vector<MovingSphere> gas(std::size_t n, double radius, double speed,
                                     std::uint64_t seed) {
  std::vector<MovingSphere> out;
  for (std::uint64_t k = 0; out.size() < n; ++k) {
    BodyRandom random(seed, k);
    // one after the other: compilers differ in which argument they begin with
    const double size = radius * random.uniform(0.5, 1), mass = random.uniform(0.5, 2);
    const Vec3 velocity = speed * random.in_ball(), place = random.in_ball();
    const MovingSphere s = sphere(out.size(), place, velocity, mass, size);
    const bool free = std::ranges::all_of(out, [&](const MovingSphere& other) {
      return norm(other.place - s.place) > other.radius + s.radius;
    });
    if (free) out.push_back(s);
  }
  return out;
}

}  // namespace apsis::test

// SPDX-License-Identifier: MIT
// Spheres on straight paths, and when two of them touch. Times are those since the paths began.
#pragma once

#include <apsis/core/vec3.hpp>

#include <cmath>
#include <cstdint>
#include <optional>

namespace apsis {

// The path of a body through a step, and what it brings into a contact.
struct MovingSphere {
  std::uint64_t id = 0;
  Vec3 place;     // at the time `since`
  Vec3 pace;      // change of place with time on this path
  Vec3 velocity;  // of the body; the pace, where nothing pulls it on the way
  double since = 0;
  double mass = 0, radius = 0, charge = 0;
  Vec3 spin;

  Vec3 at(double time) const { return place + (time - since) * pace; }
};

// What counts as a contact of spheres that overlap already.
enum class Overlap { always, approaching };

// The first time from `now` on at which two spheres touch while they approach each other; those
// that overlap touch at once. Spheres that slide past each other within rounding do not approach.
inline std::optional<double> time_of_contact(const MovingSphere& a, const MovingSphere& b,
                                             double now, Overlap counts = Overlap::approaching) {
  const Vec3 apart = b.at(now) - a.at(now), drift = b.pace - a.pace;
  const double approach = dot(apart, drift);
  const double distance = dot(apart, apart), speed = dot(drift, drift);
  const double reach = a.radius + b.radius;
  const double gap = distance - reach * reach;
  if (gap <= 0 && counts == Overlap::always) return now;
  constexpr double sliding = 1e-14;
  if (!(approach < -sliding * std::sqrt(distance * speed))) return std::nullopt;
  if (gap <= 0) return now;
  const double root = approach * approach - speed * gap;
  if (root < 0) return std::nullopt;
  // the smaller root, without the difference of two nearly equal numbers
  return now + gap / (std::sqrt(root) - approach);
}

}  // namespace apsis

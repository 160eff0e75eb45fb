// SPDX-License-Identifier: MIT
// The radii of spheres that hold given shares of the mass.
#pragma once

#include <apsis/core/bodies.hpp>

#include <span>
#include <vector>

namespace apsis::analysis {

// Numbers of the bodies by their distance from a place, the nearest first, with that distance.
struct AtDistance {
  double distance;
  std::size_t number;
  friend auto operator<=>(const AtDistance&, const AtDistance&) = default;  // NOLINT(*-use-nullptr)
};
std::vector<AtDistance> by_distance(const Bodies& bodies, Vec3 centre, int threads = 0);

// For each share of the mass, from 0 to 1, the distance of the first body that completes it; of no
// bodies 0.
std::vector<double> lagrangian_radii(const Bodies& bodies, std::span<const AtDistance> sorted,
                                     std::span<const double> shares);

}  // namespace apsis::analysis

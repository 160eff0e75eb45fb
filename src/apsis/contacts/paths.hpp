// SPDX-License-Identifier: MIT
// The straight paths that bodies took in a drift, as whoever looks for contacts sees them, and what
// is found. Positions, velocities and `duration` are in one set of units, whatever it is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace apsis {

// Searches take spheres for larger by that share of their radii. Bodies that a contact sends no
// further from their path than that then need no look of their own, which nearly none does.
inline constexpr double looked_beyond = 0.125;

template <class Real>
struct Paths {
  std::size_t count = 0;
  const Real *x = nullptr, *y = nullptr, *z = nullptr;  // where they end
  const Real *vx = nullptr, *vy = nullptr, *vz = nullptr;
  double duration = 0;
  const double* radius = nullptr;  // one value per body; null: all are points
  double radius_unit = 1;          // radii are divided by it

  double radius_of(std::size_t i) const { return radius == nullptr ? 0 : radius[i] / radius_unit; }
  double looked_radius(std::size_t i) const { return (1 + looked_beyond) * radius_of(i); }
};

// Numbers of two bodies, the smaller one first.
struct BodyPair {
  std::uint32_t a = 0, b = 0;
  // clang-tidy 14 takes the zero that comparisons of it are made with for a pointer
  friend auto operator<=>(const BodyPair&, const BodyPair&) = default;  // NOLINT(*-use-nullptr)
};

// A body that strayed from its path, and how far around that to look for others.
struct Stray {
  std::uint32_t body = 0;
  double distance = 0;
};

// Sorted, each once.
using BodyPairs = std::vector<BodyPair>;

template <class Value>
void keep_each_once(std::vector<Value>& sorted) {
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
}

}  // namespace apsis

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
// The reach of true spheres as a share of what searches take it for, rounding of floats included.
template <class Lane>
constexpr Lane true_share = static_cast<Lane>((1 + 1e-6) / (1 + looked_beyond));

template <class Real>
struct Paths {
  std::size_t count = 0;
  const Real *x = nullptr, *y = nullptr, *z = nullptr;  // where they end
  const Real *vx = nullptr, *vy = nullptr, *vz = nullptr;
  double duration = 0;
  const double* radius = nullptr;  // one value per body; null: all are points
  double radius_unit = 1;          // radii are divided by it

  double radius_of(std::size_t i) const { return radius == nullptr ? 0 : radius[i] / radius_unit; }
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

// What a search finds.
struct FoundPairs {
  BodyPairs touching;  // and some that miss each other by rounding
  BodyPairs close;     // others that larger spheres would find

  std::size_t size() const { return touching.size() + close.size(); }
  friend bool operator==(const FoundPairs&, const FoundPairs&) = default;
};

template <class Value>
void keep_each_once(std::vector<Value>& sorted) {
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
// The two bodies that ask for the shortest step. Found among nearest neighbours (a k-d tree,
// O(N log N)) and the orbits about the strongest body, so also for millions of bodies.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/pair_law.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace apsis {

struct ClosePair {
  std::uint64_t first_id = 0, second_id = 0;
  double distance = 0;  // now, or that of the pericentre of an orbit about the strongest body
  bool at_pericentre = false;
  bool bound = false;
  // One turn about each other at that distance. 0 where they share a place and nothing softens
  // their force.
  double orbital_time = 0;
  double crossing_time = 0;  // of bodies that pass each other; infinite where they are bound
  double pull = 0;           // relative acceleration is pull r / (r² + softening²)^{3/2}

  double time() const { return std::min(orbital_time, crossing_time); }
};

// Nothing where no two bodies act on each other.
std::optional<ClosePair> closest_pair(const Bodies& bodies, const PairLaw& law, int threads = 0);

// For each body the index of its nearest other one; its own where it is alone.
std::vector<std::size_t> nearest_neighbours(const Bodies& bodies, int threads = 0);

}  // namespace apsis

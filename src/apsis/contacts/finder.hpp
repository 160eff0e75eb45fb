// SPDX-License-Identifier: MIT
// Finds bodies that may touch, in the host's memory: all pairs, a grid or a tree, which find the
// same contacts. What they give are candidates, a few more than touch; resolve() looks closely.
#pragma once

#include <apsis/contacts/paths.hpp>
#include <apsis/contacts/sweep_tree.hpp>
#include <apsis/core/contact_settings.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace apsis {

// More candidates than that are too many: bodies lie on top of each other.
inline std::size_t most_candidates(std::size_t bodies) { return 64 * bodies + 100000; }
// bad_data with the remedy.
[[noreturn]] void refuse_heap(std::size_t most, std::size_t bodies);

class ContactFinder {
 public:
  ContactFinder(ContactSearch how, int threads) : how_(how), threads_(threads) {}

  // The arrays of `paths` stay where they are until the next call.
  template <class Real>
  void look_at(const Paths<Real>& paths);

  // bad_data, with the remedy, where there are more than most_candidates().
  FoundPairs candidates() const;
  BodyPairs near(std::span<const Stray> strayed) const;

  std::size_t bytes() const;  // of memory beside the bodies' own

 private:
  template <class Real>
  void build_tree(const Paths<Real>& paths);
  bool uses_tree() const;

  ContactSearch how_;
  int threads_;
  std::variant<Paths<float>, Paths<double>> paths_;
  std::variant<std::monostate, SweepTree<float>, SweepTree<double>> tree_;
};

// The box without what rounding may hide at its walls, so that nobody who ends there is passed
// over.
inline Box inside_of(Box walls, double rounding) {
  double largest = 0;
  for (const double wall : walls) largest = std::max(largest, std::abs(wall));
  for (std::size_t k = 0; k < walls.size(); k += 2) {
    walls[k] += rounding * largest, walls[k + 1] -= rounding * largest;
  }
  return walls;
}

// Numbers of the bodies that are at a wall or beyond where their path ends, in their order; perhaps
// also of some that just miss it.
template <class Real>
std::vector<std::uint32_t> beyond_walls(const Paths<Real>& paths, const Box& walls);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// The nearest neighbours of a place, by a tree of halves: the same answer for any number of
// threads, also where distances are equal.
#pragma once

#include <apsis/core/vectors.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace apsis::analysis {

struct Neighbour {
  double square;  // of the distance
  std::uint32_t number;

  friend auto operator<=>(const Neighbour&, const Neighbour&) = default;  // NOLINT(*-use-nullptr)
};

class NeighbourTree {
 public:
  static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

  explicit NeighbourTree(const Vectors& places, int threads = 0);

  // Takes the `count` nearest to `at` into `found`, nearest first and of equally near ones the
  // lower number first; body `but` is passed over. Fewer where there are not as many.
  void nearest(Vec3 at, std::size_t count, std::size_t but, std::vector<Neighbour>& found) const;

  // All bodies in an order in which those that are near each other follow each other.
  std::span<const std::uint32_t> order() const { return order_; }

 private:
  struct Node {
    int axis = 0;
    double at = 0;
  };
  struct Part;
  struct Query;

  void split(const Part& part);
  void split_all(const Part& part);
  void search(const Part& part, Query& query, Vec3 outside, double square) const;

  std::vector<std::uint32_t> order_;
  std::vector<Vec3> places_;  // in that order
  std::vector<Node> nodes_;   // the root is 1, the halves of k are 2k and 2k + 1
  int depth_ = 0;
};

}  // namespace apsis::analysis

// SPDX-License-Identifier: MIT
// Inside the far-field solvers: which cells of one's own tree another needs for the bodies of its
// piece of the curve. Whoever evaluates tells the others the groups of its targets; they send their
// tree from the root down to cells that the walk accepts at every one of them. Those come hollow:
// the walk takes them for leaves, which it hands down until they are accepted, and never opens
// them. Below cells that it does not accept everywhere are their children or their bodies.
#pragma once

#include <apsis/solvers/tree/far_kernels.hpp>
#include <apsis/solvers/tree/partners.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace apsis::far {

template <class A, class B>
double squared_distance(const A& a, const B& b) {
  const double x = static_cast<double>(a.x) - static_cast<double>(b.x),
               y = static_cast<double>(a.y) - static_cast<double>(b.y),
               z = static_cast<double>(a.z) - static_cast<double>(b.z);
  return x * x + y * y + z * z;
}
template <class A, class B>
double distance(const A& a, const B& b) {
  return std::sqrt(squared_distance(a, b));
}
inline void grow(float& most, double value) { most = std::max(most, static_cast<float>(value)); }

// Cells up to this size share one estimate of the force.
inline constexpr std::uint32_t estimated_together = 256;

// Some of one's target cells, as others see them. Where the group is one cell it is that exactly.
struct TargetGroup {
  float x = 0, y = 0, z = 0;
  float spread = 0;  // the centres of all its target cells lie within it,
  float extent = 0;  // all their bodies within this
  float reach = 0;   // the largest of their radii
  float force = 0;   // the least estimate of the field at their bodies
  // of the cells whose field is estimated: the same, and their smallest radius
  float estimate_spread = 0, estimate_reach = 0, estimate_least = 0;
  std::uint32_t first_child = 0, children = 0;  // groups
  std::uint32_t estimate_children = 0;          // of them; 0 where one estimate serves all
};

// One's own targets, from the root down to groups of at most `most_bodies`, or one target cell.
struct Outline {
  std::vector<TargetGroup> groups;
  std::vector<std::uint32_t> cells;  // of each group

  Outline(const Scene& scene, std::size_t most_bodies);
};

// How cells are picked.
struct EssentialRule {
  int order = 0, threads = 1;
  // Targets of another are taken to be this many times as far away as they are. Only for tests:
  // more than 1 leaves out what is needed.
  double distances = 1;
};

// What goes into a message: places and shapes for estimates, or all that forces need.
// For each of those whose targets are given.
std::vector<Bytes> cells_for_estimates(const Scene& scene,
                                       std::span<const std::vector<TargetGroup>> targets);
std::vector<Bytes> cells_for_forces(const Scene& scene,
                                    std::span<const std::vector<TargetGroup>> targets,
                                    const EssentialRule& rule);

// The cell behind the last: nothing, outside the box.
inline CellShape shape_of_nothing() {
  constexpr float outside = 8 * largest_coordinate;
  return {.x = outside, .y = outside, .z = outside, .open_radius = -1};
}

// A cell in a message. Numbers are those of the message.
struct SentCell {
  std::uint32_t cell = 0;  // at the sender
  std::uint32_t begin = Cell::elsewhere, count = 0;
  std::uint32_t first_child = 0;
  std::uint8_t children = 0;
  bool one_point = false;
};

}  // namespace apsis::far

// SPDX-License-Identifier: MIT
// One's own targets as others see them.
#include <apsis/solvers/tree/essential.hpp>

#include <algorithm>

namespace apsis::far {
namespace {

bool is_target(const Scene& scene, const Cell& cell) {
  return cell.children == 0 || cell.count <= scene.criterion.target_leaf;
}
// Cells that evaluation.cpp estimates, and those below them.
bool is_estimated(const Cell& cell) {
  return cell.count <= estimated_together || cell.children == 0;
}

// f(cell) for the first cells on the way down that `found` holds for.
template <class Found, class F>
void over_first(const Scene& scene, std::uint32_t top, const Found& found, const F& f) {
  Indices stack{top};
  while (!stack.empty()) {
    const std::uint32_t c = stack.back();
    stack.pop_back();
    const Cell& cell = scene.tree.cells()[c];
    if (found(cell)) {
      f(c);
      continue;
    }
    for (std::uint32_t k = 0; k < cell.children; ++k) stack.push_back(cell.first_child + k);
  }
}

void bound_targets(const Scene& scene, std::uint32_t cell, TargetGroup& group) {
  over_first(
      scene, cell, [&](const Cell& c) { return is_target(scene, c); },
      [&](std::uint32_t c) {
        const CellShape& shape = scene.shapes[c];
        const double away = distance(group, shape);
        grow(group.spread, away), grow(group.reach, static_cast<double>(shape.radius));
        grow(group.extent, away + static_cast<double>(shape.radius));
      });
  group.estimate_least = scene.shapes[cell].radius;
  over_first(scene, cell, is_estimated, [&](std::uint32_t c) {
    const CellShape& shape = scene.shapes[c];
    grow(group.estimate_spread, distance(group, shape));
    grow(group.estimate_reach, static_cast<double>(shape.radius));
    group.estimate_least = std::min(group.estimate_least, shape.radius);
  });
}

void bound_children(std::span<const TargetGroup> children, TargetGroup& group) {
  group.estimate_least = children.front().estimate_least;
  for (const TargetGroup& child : children) {
    const double away = distance(group, child);
    grow(group.spread, away + static_cast<double>(child.spread));
    grow(group.extent, away + static_cast<double>(child.extent));
    grow(group.reach, static_cast<double>(child.reach));
    grow(group.estimate_spread, away + static_cast<double>(child.estimate_spread));
    grow(group.estimate_reach, static_cast<double>(child.estimate_reach));
    group.estimate_least = std::min(group.estimate_least, child.estimate_least);
  }
}

}  // namespace

Outline::Outline(const Scene& scene, std::size_t most_bodies) {
  const auto& all = scene.tree.cells();
  if (scene.tree.own_cells() == 0) return;
  cells.push_back(0);
  for (std::size_t g = 0; g < cells.size(); ++g) {
    const Cell& cell = all[cells[g]];
    const CellShape& shape = scene.shapes[cells[g]];
    TargetGroup group;
    group.x = shape.x, group.y = shape.y, group.z = shape.z;
    if (!is_target(scene, cell) && cell.count > most_bodies) {
      group.first_child = static_cast<std::uint32_t>(cells.size()), group.children = cell.children;
      if (!is_estimated(cell)) group.estimate_children = cell.children;
      for (std::uint32_t k = 0; k < cell.children; ++k) cells.push_back(cell.first_child + k);
    }
    groups.push_back(group);
  }
  for (std::size_t g = groups.size(); g-- > 0;) {
    TargetGroup& group = groups[g];
    if (group.children == 0) {
      bound_targets(scene, cells[g], group);
      continue;
    }
    bound_children(std::span(groups).subspan(group.first_child, group.children), group);
    if (group.estimate_children > 0) continue;
    group.estimate_spread = 0;
    group.estimate_reach = group.estimate_least = scene.shapes[cells[g]].radius;
  }
}

}  // namespace apsis::far

// SPDX-License-Identifier: MIT
#include <apsis/analysis/groups.hpp>
#include <apsis/analysis/neighbours.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/core/percentile.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>

namespace apsis::analysis {
namespace {

class Links {
 public:
  explicit Links(std::size_t n) : of_(n) { std::iota(of_.begin(), of_.end(), 0U); }

  std::uint32_t root(std::uint32_t i) {
    while (of_[i] != i) i = of_[i] = of_[of_[i]];
    return i;
  }
  void join(std::uint32_t i, std::uint32_t j) {
    i = root(i), j = root(j);
    of_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<std::uint32_t> of_;
};

// Cells whose diagonal is the linking length, so that all bodies of one are friends. Places are
// whole numbers of cells.
struct Cell {
  double x, y, z;
  auto operator<=>(const Cell&) const = default;  // NOLINT(*-use-nullptr)
};
struct BodyInCell {
  Cell cell;
  std::uint32_t number;
  auto operator<=>(const BodyInCell&) const = default;  // NOLINT(*-use-nullptr)
};
struct Filled {  // a cell with bodies [first, end) of the sorted ones, and the box that they fill
  Cell cell;
  std::uint32_t first, end;
  Vec3 low, high;

  void take(Vec3 p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
};

// The square of the distance of a place from such a box, and of two boxes.
double outside(Vec3 low, Vec3 high, const Filled& box) {
  const Vec3 d{std::max({box.low.x - high.x, low.x - box.high.x, 0.0}),
               std::max({box.low.y - high.y, low.y - box.high.y, 0.0}),
               std::max({box.low.z - high.z, low.z - box.high.z, 0.0})};
  return dot(d, d);
}

// Farther out a cell is smaller than what a double can tell apart.
constexpr double most_cells = 0x1p52;

std::vector<Filled> filled_cells(const Vectors& places, std::span<const BodyInCell> bodies) {
  std::vector<Filled> cells;
  for (std::uint32_t k = 0; k < bodies.size(); ++k) {
    const Vec3 p = places.at(bodies[k].number);
    if (cells.empty() || cells.back().cell != bodies[k].cell) {
      cells.push_back({bodies[k].cell, k, k, p, p});
    }
    cells.back().take(p);
    cells.back().end = k + 1;
  }
  return cells;
}

// Columns of cells at a distance of up to two, of which half is looked at: the other half looks
// here.
struct Column {
  int x, y;
};
constexpr std::array<Column, 13> columns{{{0, 0},
                                          {0, 1},
                                          {0, 2},
                                          {1, -2},
                                          {1, -1},
                                          {1, 0},
                                          {1, 1},
                                          {1, 2},
                                          {2, -2},
                                          {2, -1},
                                          {2, 0},
                                          {2, 1},
                                          {2, 2}}};

}  // namespace

Groups friends_of_friends(const Vectors& places, double linking_length) {
  const auto n = static_cast<std::uint32_t>(places.size());
  Links links(n);
  const double side = linking_length / std::sqrt(3.0) * (1 - 1e-12);
  const double square = linking_length * linking_length;
  std::vector<BodyInCell> sorted(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Vec3 p = places.at(i);
    const double farthest = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    if (!(farthest < most_cells * side)) {
      throw bad_data(fmt::format("a linking length of {} is too small for a body at {:.3g}",
                                 linking_length, farthest),
                     fmt::format("give at least {:.1g}", 4 * farthest / most_cells));
    }
    sorted[i] = {{std::floor(p.x / side), std::floor(p.y / side), std::floor(p.z / side)}, i};
  }
  std::ranges::sort(sorted);
  const std::vector<Filled> cells = filled_cells(places, sorted);
  for (const Filled& cell : cells) {
    for (std::uint32_t k = cell.first + 1; k < cell.end; ++k) {
      links.join(sorted[cell.first].number, sorted[k].number);
    }
  }
  const auto link = [&](const Filled& a, const Filled& b) {
    if (links.root(sorted[a.first].number) == links.root(sorted[b.first].number)) return;
    if (outside(a.low, a.high, b) > square) return;
    for (std::uint32_t i = a.first; i < a.end; ++i) {
      const Vec3 p = places.at(sorted[i].number);
      if (outside(p, p, b) > square) continue;
      for (std::uint32_t j = b.first; j < b.end; ++j) {
        const Vec3 d = places.at(sorted[j].number) - p;
        if (dot(d, d) > square) continue;
        return links.join(sorted[i].number, sorted[j].number);
      }
    }
  };
  // Cells are in order, so what stands in a column beside them moves on with them.
  for (const Column& column : columns) {
    std::size_t next = 0;
    const bool own = column.x == 0 && column.y == 0;
    for (const Filled& cell : cells) {
      const double x = cell.cell.x + column.x, y = cell.cell.y + column.y;
      const Cell low{x, y, cell.cell.z + (own ? 1 : -2)}, high{x, y, cell.cell.z + 2};
      while (next < cells.size() && cells[next].cell < low) ++next;
      for (std::size_t k = next; k < cells.size() && cells[k].cell <= high; ++k) {
        link(cell, cells[k]);
      }
    }
  }

  Groups groups;
  groups.group_of.resize(n);
  std::vector<std::uint32_t> roots, count(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t root = links.root(i);
    if (count[root]++ == 0) roots.push_back(root);
  }
  // the root of a group is its first body
  std::ranges::sort(roots, [&](std::uint32_t a, std::uint32_t b) {
    return count[a] != count[b] ? count[a] > count[b] : a < b;
  });
  std::vector<std::uint32_t> number(n);
  for (std::uint32_t g = 0; g < roots.size(); ++g) {
    number[roots[g]] = g;
    groups.sizes.push_back(count[roots[g]]);
  }
  for (std::uint32_t i = 0; i < n; ++i) groups.group_of[i] = number[links.root(i)];
  return groups;
}

double usual_linking_length(const Vectors& places, int threads) {
  constexpr std::size_t neighbours = 6;
  const std::size_t n = places.size();
  if (n < 2) return 0;
  const int team = thread_count(threads);
  const NeighbourTree tree(places, team);
  std::vector<double> distances(n);
  parallel_pieces(n, 4096, team, [&](std::size_t begin, std::size_t end, int) {
    std::vector<Neighbour> found;
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t i = tree.order()[k];
      tree.nearest(places.at(i), neighbours, i, found);
      distances[i] = std::sqrt(found.back().square);
    }
  });
  std::ranges::sort(distances);
  return percentile(distances, 0.9);
}

}  // namespace apsis::analysis

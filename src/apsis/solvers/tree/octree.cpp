// SPDX-License-Identifier: MIT
#include <apsis/solvers/tree/octree.hpp>

#include <algorithm>
#include <limits>

namespace apsis::far {
namespace {

// Keys of a cube tell bodies apart down to 2^-14 of it; this many cubes inside each other reach
// 2^-98. Bodies closer than that are left together.
constexpr int most_refinements = 6;

Cube bounding_cube(const SortedBodies& bodies, const Cell& cell) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low[3] = {infinity, infinity, infinity}, high[3] = {-infinity, -infinity, -infinity};
  for (std::size_t i = cell.begin; i < cell.begin + cell.count; ++i) {
    const double at[3] = {bodies.at_x(i), bodies.at_y(i), bodies.at_z(i)};
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], at[axis]);
      high[axis] = std::max(high[axis], at[axis]);
    }
  }
  return {low[0], low[1], low[2], std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]})};
}

// values[k] becomes the old values[from(k)] for the bodies of a cell.
template <class T, class From>
void permute(std::vector<T>& values, const Cell& cell, const From& from, std::vector<T>& spare) {
  if (values.empty()) return;
  spare.resize(cell.count);
  for (std::size_t k = 0; k < cell.count; ++k) spare[k] = values[cell.begin + from(k)];
  std::copy(spare.begin(), spare.end(), values.begin() + cell.begin);
}

}  // namespace

void SortedBodies::resize(std::size_t n, bool with_low_parts) {
  count = n, others = 0;
  for (auto* column : {&x, &y, &z, &strength}) column->resize(n + padding);
  for (auto* column : {&low_x, &low_y, &low_z}) column->resize(with_low_parts ? n + padding : 0);
  id.resize(n);
}

void SortedBodies::make_room_for_others(std::size_t n) {
  others = n;
  for (auto* column : {&x, &y, &z, &strength, &low_x, &low_y, &low_z}) {
    if (!column->empty()) column->resize(count + others + padding);
  }
}

void SortedBodies::pad() {
  const auto end = static_cast<long>(count + others);
  const auto fill = [end](std::vector<float>& column, float value) {
    if (!column.empty()) std::fill(column.begin() + end, column.end(), value);
  };
  for (auto* column : {&x, &y, &z, &strength, &low_x, &low_y, &low_z}) fill(*column, 0);
}

// Children are the runs of equal keys; their ends are found by galloping.
void Octree::split(std::size_t cell, const std::uint64_t* keys, int shift) {
  const auto first = static_cast<std::uint32_t>(cells_.size());
  std::uint32_t at = cells_[cell].begin;
  const std::uint32_t end = at + cells_[cell].count;
  while (at < end) {
    const std::uint64_t key = keys[at] >> shift;
    std::uint32_t low = at + 1, step = 4;
    while (low + step < end && keys[low + step] >> shift == key) low += step, step *= 2;
    std::uint32_t high = std::min(end, low + step + 1);
    while (low < high) {
      const std::uint32_t middle = (low + high) / 2;
      if (keys[middle] >> shift == key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    cells_.push_back({.begin = at, .count = low - at, .parent = static_cast<std::uint32_t>(cell)});
    at = low;
  }
  cells_[cell].first_child = first;
  cells_[cell].children = static_cast<std::uint8_t>(cells_.size() - first);
}

void Octree::refine(Cell& cell, SortedBodies& bodies, KeyLayout layout, int threads) {
  const Cube cube = bounding_cube(bodies, cell);
  if (cube.side <= 0) {
    cell.one_point = true;
    return;
  }
  words_.resize(cell.count);
  const MortonKeys key_of(cube, layout.levels);
  for (std::size_t k = 0; k < cell.count; ++k) {
    const std::size_t i = cell.begin + k;
    const std::uint64_t key = key_of(bodies.at_x(i), bodies.at_y(i), bodies.at_z(i));
    words_[k] = key << layout.number_bits | k;
  }
  radix_sort(words_, spare_, layout.number_bits, 3 * layout.levels, threads);
  std::copy(words_.begin(), words_.end(), keys_.begin() + cell.begin);
  const std::uint64_t mask = (std::uint64_t{1} << layout.number_bits) - 1;
  const auto from = [&](std::size_t k) { return static_cast<std::size_t>(words_[k] & mask); };
  std::vector<float> spare;
  for (auto* column : {&bodies.x, &bodies.y, &bodies.z, &bodies.strength, &bodies.low_x,
                       &bodies.low_y, &bodies.low_z}) {
    permute(*column, cell, from, spare);
  }
  std::vector<std::uint32_t> spare_ids;
  permute(bodies.id, cell, from, spare_ids);
}

void Octree::build(SortedBodies& bodies, const std::vector<std::uint64_t>& keys, KeyLayout layout,
                   std::size_t leaf, int threads) {
  cells_.clear(), level_begins_.assign(1, 0);
  if (bodies.count == 0) return;
  cells_.push_back({.count = static_cast<std::uint32_t>(bodies.count)});
  const std::uint64_t* words = keys.data();
  std::size_t begin = 0;
  for (int level = 0; begin < cells_.size(); ++level) {
    const std::size_t end = cells_.size();
    level_begins_.push_back(end);
    const int step = level % layout.levels;
    const int shift = layout.number_bits + 3 * (layout.levels - 1 - step);
    const bool renew = level > 0 && step == 0;
    for (std::size_t c = begin; c < end; ++c) {
      if (cells_[c].count <= leaf || level / layout.levels > most_refinements) continue;
      if (renew) {
        keys_.resize(bodies.count), words = keys_.data();
        refine(cells_[c], bodies, layout, threads);
      }
      if (!cells_[c].one_point) split(c, words, shift);
    }
    begin = end;
  }
}

}  // namespace apsis::far

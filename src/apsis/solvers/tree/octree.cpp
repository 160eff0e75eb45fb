// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/solvers/tree/octree.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace apsis::far {
namespace {

// Keys of a cube tell bodies apart down to 2^-14 of it; this many cubes inside each other reach
// 2^-98. Bodies closer than that are left together.
constexpr int most_refinements = 6;

struct Bounds {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  std::array<double, 3> low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};

  void add(const std::array<double, 3>& lower, const std::array<double, 3>& upper) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], lower[axis]);
      high[axis] = std::max(high[axis], upper[axis]);
    }
  }
};

Cube bounding_cube(const SortedBodies& bodies, const Cell& cell, int threads) {
  std::vector<Bounds> parts((cell.count + serial_below - 1) / serial_below);
  parallel_pieces(cell.count, serial_below, threads, [&](std::size_t begin, std::size_t end, int) {
    Bounds& part = parts[begin / serial_below];
    for (std::size_t i = cell.begin + begin; i < cell.begin + end; ++i) {
      const std::array<double, 3> at{bodies.at_x(i), bodies.at_y(i), bodies.at_z(i)};
      part.add(at, at);
    }
  });
  Bounds all;
  for (const Bounds& part : parts) all.add(part.low, part.high);
  const auto& [low, high] = all;
  return {low[0], low[1], low[2], std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]})};
}

// values[k] becomes the old values[from(k)] for the bodies of a cell.
template <class T, class From>
void permute(std::vector<T>& values, const Cell& cell, const From& from, std::vector<T>& spare,
             int threads) {
  if (values.empty()) return;
  spare.resize(cell.count);
  parallel_for(cell.count, threads,
               [&](std::size_t k) { spare[k] = values[cell.begin + from(k)]; });
  parallel_for(cell.count, threads, [&](std::size_t k) { values[cell.begin + k] = spare[k]; });
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

void Octree::refine(Cell& cell, SortedBodies& bodies, KeyLayout layout, int threads,
                    Scratch& scratch) {
  const Cube cube = bounding_cube(bodies, cell, threads);
  if (cube.side <= 0) {
    cell.one_point = true;
    return;
  }
  auto& words = scratch.words;
  words.resize(cell.count);
  const MortonKeys key_of(cube, layout.levels);
  parallel_for(cell.count, threads, [&](std::size_t k) {
    const std::size_t i = cell.begin + k;
    const std::uint64_t key = key_of(bodies.at_x(i), bodies.at_y(i), bodies.at_z(i));
    words[k] = key << layout.number_bits | k;
  });
  radix_sort(words, scratch.spare_words, layout.number_bits, 3 * layout.levels, threads);
  std::copy(words.begin(), words.end(), keys_.begin() + cell.begin);
  const std::uint64_t mask = (std::uint64_t{1} << layout.number_bits) - 1;
  const auto from = [&](std::size_t k) { return static_cast<std::size_t>(words[k] & mask); };
  for (auto* column : {&bodies.x, &bodies.y, &bodies.z, &bodies.strength, &bodies.low_x,
                       &bodies.low_y, &bodies.low_z}) {
    permute(*column, cell, from, scratch.floats, threads);
  }
  permute(bodies.id, cell, from, scratch.ids, threads);
}

// A sphere far from one escaper is one crowded cell or a few, which all threads share; clumps are
// many small ones, and every thread takes the next.
void Octree::refine_all(std::span<const std::size_t> crowded, SortedBodies& bodies,
                        KeyLayout layout, int threads) {
  if (crowded.empty()) return;
  keys_.resize(bodies.count);
  scratch_.resize(static_cast<std::size_t>(std::max(1, threads)));
  std::vector<std::size_t> small;
  for (const std::size_t c : crowded) {
    if (cells_[c].count < serial_below) {
      small.push_back(c);
    } else {
      refine(cells_[c], bodies, layout, threads, scratch_.front());
    }
  }
  parallel_pieces(small.size(), 1, threads, [&](std::size_t at, std::size_t, int member) {
    refine(cells_[small[at]], bodies, layout, 1, scratch_[static_cast<std::size_t>(member)]);
  });
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
    std::vector<std::size_t> crowded;
    for (std::size_t c = begin; c < end; ++c) {
      if (cells_[c].count > leaf && level / layout.levels <= most_refinements) crowded.push_back(c);
    }
    if (level > 0 && step == 0 && !crowded.empty()) {
      refine_all(crowded, bodies, layout, threads);
      words = keys_.data();
    }
    for (const std::size_t c : crowded) {
      if (!cells_[c].one_point) split(c, words, shift);
    }
    begin = end;
  }
}

}  // namespace apsis::far

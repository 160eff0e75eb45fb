// SPDX-License-Identifier: MIT
// An octree in flat arrays over bodies in Morton order. Cells are numbered breadth first, so the
// children of a cell are neighbours and a level is a range. Geometry comes later from the bodies
// themselves: the cubes of the keys serve to group, nothing else.
#pragma once

#include <apsis/solvers/tree/morton_sort.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace apsis::far {

// Coordinates in the units of the solver lie within ±largest_coordinate. Inverse cubes of distances
// from 1e-18 of the box to all of it are floats then, so a cluster may be that much smaller than
// the distance of a body far away.
inline constexpr float largest_coordinate = 0x1p20F;

// Bodies in the units of the solver, in the order of the tree.
// The low parts, what float loses of a double coordinate, are empty where there are none. Arrays
// are padded with `padding` bodies of strength 0; before those, others' bodies may be, as sources.
struct SortedBodies {
  static constexpr std::size_t padding = 64;
  std::size_t count = 0, others = 0;
  std::vector<float> x, y, z, strength;
  std::vector<float> low_x, low_y, low_z;
  std::vector<std::uint32_t> id;  // the caller's number of each

  bool split() const { return !low_x.empty(); }
  void resize(std::size_t n, bool with_low_parts);
  void make_room_for_others(std::size_t n);
  void pad();
  double at_x(std::size_t i) const { return whole(x, low_x, i); }
  double at_y(std::size_t i) const { return whole(y, low_y, i); }
  double at_z(std::size_t i) const { return whole(z, low_z, i); }

 private:
  static double whole(const std::vector<float>& high, const std::vector<float>& low,
                      std::size_t i) {
    return static_cast<double>(high[i]) + (low.empty() ? 0.0 : static_cast<double>(low[i]));
  }
};

struct Cell {
  static constexpr std::uint32_t elsewhere = 0xffffffffU;
  std::uint32_t begin = 0, count = 0;  // bodies; elsewhere: of a cell that came without them
  std::uint32_t first_child = 0;
  std::uint32_t parent = 0;
  std::uint8_t children = 0;
  bool one_point = false;  // more than a leaf's bodies, all at the same place

  bool hollow() const { return begin == elsewhere; }
};

class Octree {
 public:
  // `keys` are the words that sorted the bodies, cut as `layout` says. Cells with more than
  // `leaf` bodies are split; bodies that a cell's keys no longer tell apart get new keys from their
  // own bounding cube and are put in order anew, until they are few or at one point.
  void build(SortedBodies& bodies, const std::vector<std::uint64_t>& keys, KeyLayout layout,
             std::size_t leaf, int threads);

  const std::vector<Cell>& cells() const { return cells_; }
  // Those that were built from bodies; behind them are those of others.
  std::size_t own_cells() const { return level_begins_.back(); }
  void drop_others() { cells_.resize(own_cells()); }
  void add_others(std::span<const Cell> cells) {
    cells_.insert(cells_.end(), cells.begin(), cells.end());
  }
  // Level l is the cells [level_begin(l), level_begin(l + 1)).
  std::size_t levels() const { return level_begins_.size() - 1; }
  std::size_t level_begin(std::size_t level) const { return level_begins_[level]; }

 private:
  // Memory of one thread while it puts the bodies of a cell in order anew.
  struct Scratch {
    std::vector<std::uint64_t> words, spare_words;
    std::vector<float> floats;
    std::vector<std::uint32_t> ids;
  };
  void split(std::size_t cell, const std::uint64_t* keys, int shift);
  void refine(Cell& cell, SortedBodies& bodies, KeyLayout layout, int threads, Scratch& scratch);
  void refine_all(std::span<const std::size_t> crowded, SortedBodies& bodies, KeyLayout layout,
                  int threads);

  std::vector<Cell> cells_;
  std::vector<std::size_t> level_begins_{0};
  std::vector<std::uint64_t> keys_;  // of refined cells
  std::vector<Scratch> scratch_;     // one a thread
};

}  // namespace apsis::far

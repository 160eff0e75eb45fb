// SPDX-License-Identifier: MIT
// An octree in the memory of an OpenCL device, built there: cube, Morton keys, sort, nodes in order
// of level. The host learns how many nodes each level has, and nothing else.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/device/context.hpp>
#include <apsis/solvers/device_views.hpp>
#include <apsis/solvers/fmm/fmm_opencl_sort.hpp>

#include <array>

namespace apsis::fmm_opencl {

inline constexpr int deepest_level = 21;  // three bits a level in a key of 63
inline constexpr int largest_leaf = 256;  // as in tree_build.cl

struct TreeSettings {
  Precision precision = Precision::f32;  // f32 or mixed
  int leaf = 64;                         // bodies a leaf at most, where the depth allows
  double softening = 0;                  // enters the unit of length
};

// Sources, and targets that are not among them (none for a self field).
struct TreeInput {
  BodiesView<Device> sources, targets;
  int count() const { return static_cast<int>(sources.count + targets.count); }
};

class Tree {
 public:
  Tree(device::Context& context, const TreeSettings& settings);

  // Depends on the bodies alone, never on trees that were built before. Waits once for the numbers
  // of nodes, more often where the depth has changed since the last tree.
  void build(const TreeInput& input);

  int bodies() const { return bodies_count_; }
  int nodes() const { return level_start_[deepest_level + 1]; }
  int depth() const { return depth_; }
  // Nodes of a level are [level_start(l), level_start(l + 1)), children of one node together.
  int level_start(int level) const { return level_start_[static_cast<std::size_t>(level)]; }

  const device::Buffer& box() const { return box_; }      // see tree_keys.cl
  const device::Buffer& keys() const { return keys_; }    // ascending, of 3·depth() bits
  const device::Buffer& order() const { return order_; }  // number of the body in the input
  // In the tree's units; behind them as many free places as there are nodes.
  const device::Buffer& places() const { return places_; }
  const device::Buffer& range() const { return range_; }  // first body and the one behind the last
  const device::Buffer& child() const { return child_; }  // see tree_build.cl
  const device::Buffer& parent() const { return parent_; }  // -1 for the root

 private:
  using Buffer = device::Buffer;
  struct Shape {
    int depth = 0;
    bool too_shallow = false;
  };

  int likely_depth() const;
  void reserve_for_bodies(int count);
  void reserve_for_nodes();
  void find_box(const TreeInput& input);
  void sort_bodies(const TreeInput& input, int depth);
  Shape count_nodes(int depth);
  void make_nodes();
  void make_places(const TreeInput& input);

  device::Context* context_;
  RadixSort sort_;
  TreeSettings settings_;
  int bodies_count_ = 0, depth_ = 0, last_depth_ = -1;
  std::array<int, deepest_level + 2> level_start_{};

  device::Kernel<Buffer, int, Buffer, int, Buffer> corners_;
  device::Kernel<Buffer, int, device::Scalar, Buffer> find_box_;
  device::Kernel<Buffer, int, Buffer> order_items_;
  device::Kernel<Buffer, int, Buffer, int, Buffer, int, int, int, int, int, Buffer> make_items_;
  device::Kernel<Buffer, int, Buffer, int, Buffer, int, int, Buffer, Buffer, Buffer> sorted_keys_;
  device::Kernel<Buffer, int, Buffer, int, Buffer, Buffer, Buffer> make_places_;
  device::Kernel<Buffer, int, int, int, Buffer, Buffer, Buffer> begins_of_;
  device::Kernel<Buffer, int, Buffer> scan_;
  device::Kernel<Buffer, int> zero_;
  device::Kernel<Buffer, int, int, Buffer, Buffer, Buffer, Buffer> make_nodes_;
  device::Kernel<Buffer, int, Buffer> number_;
  device::Kernel<Buffer, int, Buffer, Buffer, Buffer, Buffer, Buffer> link_;

  Buffer corner_parts_, box_, counters_;
  Buffer items_, keys_, order_, places_, begins_, tile_sums_;                    // by body
  Buffer node_items_, other_items_, ranges_, numbers_, range_, child_, parent_;  // by node
};

}  // namespace apsis::fmm_opencl

// SPDX-License-Identifier: MIT
// An octree in the memory of an OpenCL device, built there: cube, Morton keys, sort, nodes in order
// of level. The host learns how many nodes each level has, and whether keys tell bodies apart.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/device/context.hpp>
#include <apsis/solvers/device_views.hpp>
#include <apsis/solvers/fmm/fmm_opencl_fine_keys.hpp>
#include <apsis/solvers/fmm/fmm_opencl_sort.hpp>

#include <array>
#include <optional>

namespace apsis::fmm_opencl {

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
  // of nodes, more often where the levels have changed since the last tree.
  void build(const TreeInput& input);

  int bodies() const { return bodies_count_; }
  int nodes() const { return level_start_.back(); }
  int depth() const { return keys_used_.depth; }
  // Whether cells may be so much smaller than the cube that powers of lengths leave float's range.
  bool fine() const { return keys_used_.fine(); }
  const std::vector<int>& fine_levels() const { return keys_used_.levels; }
  // Nodes of a level are [level_start(l), level_start(l + 1)), children of one node together.
  int level_start(int level) const { return level_start_[static_cast<std::size_t>(level)]; }

  const device::Buffer& box() const { return box_; }  // see tree_keys.cl
  // Ascending, of 3·depth() bits; of fine levels in words (tree_fine_keys.cl).
  const device::Buffer& keys() const { return keys_used_.words() == 1 ? keys_ : long_keys_; }
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
    bool too_shallow = false, unresolved = false, mistaken = false;  // see tree_build_keys.cl
    bool crowded = false;
    std::vector<int> dividing;  // levels at which a cell is divided; of fine keys
  };
  // What is known while the keys of a tree are looked for.
  struct KeySearch {
    bool crowded = false;          // the cube's levels leave bodies crowded
    bool looked_at_all = false;    // fine levels were chosen of all there are
    bool in_vain = false;          // and do not divide what the cube leaves crowded
    std::optional<TreeKeys> fine;  // the right ones, if the cube leaves bodies crowded
  };

  int likely_depth() const;
  void reserve_for_bodies(int count);
  void reserve_for_nodes();
  BodyLists lists_of(const TreeInput& input) const;
  void find_corners(const TreeInput& input);
  void find_box(const TreeKeys& keys);
  void sort_bodies(const TreeInput& input, const TreeKeys& keys);
  void sort_by_cube(const TreeInput& input, int depth, bool ordered);
  Shape count_nodes(const TreeInput& input, const TreeKeys& keys);
  Shape shape_of(const TreeKeys& keys);
  std::optional<TreeKeys> better_keys(const TreeInput& input, const TreeKeys& keys,
                                      const Shape& shape, KeySearch& search);
  bool unresolved(const TreeInput& input, const TreeKeys& keys);
  void make_nodes();
  void make_places(const TreeInput& input);

  device::Context* context_;
  RadixSort sort_;
  FineKeys fine_;
  TreeSettings settings_;
  int bodies_count_ = 0, corner_groups_ = 0, box_width_ = 0;
  TreeKeys keys_used_;  // of this tree, and tried first for the next
  bool keys_known_ = false;
  std::array<int, finest_level + 2> level_start_{};

  device::Kernel<Buffer, int, Buffer, int, Buffer> corners_;
  device::Kernel<Buffer, int, device::Scalar, int, Buffer> find_box_;
  device::Kernel<Buffer, int, Buffer> order_items_;
  device::Kernel<Buffer, int, Buffer, int, Buffer, int, int, int, int, int, Buffer> make_items_;
  device::Kernel<Buffer, int, Buffer, int, Buffer, int, int, Buffer, Buffer, Buffer> sorted_keys_;
  device::Kernel<Buffer, int, Buffer, int, Buffer, Buffer, Buffer> make_places_;
  struct BuildKernels {
    device::Kernel<Buffer, int, int, int, Buffer, Buffer, Buffer> begins_of;
    device::Kernel<Buffer, int, int, Buffer, Buffer, Buffer, Buffer> make_nodes;
  };
  BuildKernels& kernels_for(const TreeKeys& keys);
  BuildKernels build_, build_long_;  // for keys of one word, and of three
  device::Kernel<Buffer, int, Buffer> scan_;
  device::Kernel<Buffer, int> zero_;
  device::Kernel<Buffer, int, Buffer> number_;
  device::Kernel<Buffer, int, Buffer, Buffer, Buffer, Buffer, Buffer> link_;

  Buffer corner_parts_, box_, counters_;
  Buffer items_, keys_, long_keys_, order_, places_, begins_, tile_sums_;        // by body
  Buffer node_items_, other_items_, ranges_, numbers_, range_, child_, parent_;  // by node
};

}  // namespace apsis::fmm_opencl

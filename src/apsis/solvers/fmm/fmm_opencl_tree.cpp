// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/solvers/fmm/fmm_opencl_launch.hpp>
#include <apsis/solvers/fmm/fmm_opencl_tree.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace apsis::fmm_opencl {
namespace {

using device::Buffer;
using device::Scalar;

constexpr std::size_t box_group = 256, scan_group = 256, tile = 4 * scan_group;
constexpr int box_parts = 256;
// As in tree_build.cl.
constexpr std::size_t node_counter = 0, too_shallow = 1, level_counts = 8;
constexpr std::size_t counters = level_counts + deepest_level + 1;
constexpr int most_nodes = (1 << 28) - 1;

int bits_of(unsigned value) { return static_cast<int>(std::bit_width(value)); }

// Where there is no second list the first stands in; nothing of it is read.
const Buffer& second_list(const TreeInput& input) {
  return input.targets.count > 0 ? *input.targets.place : *input.sources.place;
}
const Buffer& first_list(const TreeInput& input) {
  return input.sources.count > 0 ? *input.sources.place : *input.targets.place;
}

}  // namespace

Tree::Tree(device::Context& context, const TreeSettings& settings)
    : context_(&context), sort_(context), settings_(settings) {
  const device::Defines defines{{"PRECISION", precision_define(settings.precision)}};
  const device::Program keys = context.program("tree_keys.cl", defines);
  corners_ = keys.kernel<Buffer, int, Buffer, int, Buffer>("tree_corners");
  find_box_ = keys.kernel<Buffer, int, Scalar, Buffer>("tree_box");
  order_items_ = keys.kernel<Buffer, int, Buffer>("tree_ordered_items");
  make_items_ =
      keys.kernel<Buffer, int, Buffer, int, Buffer, int, int, int, int, int, Buffer>("tree_items");
  sorted_keys_ = keys.kernel<Buffer, int, Buffer, int, Buffer, int, int, Buffer, Buffer, Buffer>(
      "tree_sorted_keys");
  make_places_ = keys.kernel<Buffer, int, Buffer, int, Buffer, Buffer, Buffer>("tree_bodies");
  const device::Program build = context.program("tree_build.cl", {});
  begins_of_ = build.kernel<Buffer, int, int, int, Buffer, Buffer, Buffer>("tree_begins");
  scan_ = build.kernel<Buffer, int, Buffer>("scan_list");
  zero_ = build.kernel<Buffer, int>("set_zero");
  make_nodes_ = build.kernel<Buffer, int, int, Buffer, Buffer, Buffer, Buffer>("tree_nodes");
  number_ = build.kernel<Buffer, int, Buffer>("tree_numbers");
  link_ = build.kernel<Buffer, int, Buffer, Buffer, Buffer, Buffer, Buffer>("tree_links");
  const std::size_t corner = 4 * state_bytes(settings.precision);
  corner_parts_ = context.buffer(std::size_t{2} * box_parts * corner, "corners of the bodies");
  box_ = context.buffer(2 * corner, "the cube around the bodies");
  counters_ = context.buffer(counters * sizeof(std::uint32_t), "numbers of nodes");
}

void Tree::build(const TreeInput& input) {
  bodies_count_ = input.count();
  level_start_.fill(0);
  depth_ = 0;
  if (bodies_count_ == 0) return;
  reserve_for_bodies(bodies_count_);
  find_box(input);
  // Keys as long as the tree is deep, so that the order of bodies inside a leaf does not depend on
  // what depth was tried first.
  for (int depth = last_depth_ < 0 ? likely_depth() : last_depth_;;) {
    sort_bodies(input, depth);
    const Shape shape = count_nodes(depth);
    if (shape.too_shallow && depth < deepest_level) {
      depth = deepest_level;
    } else if (shape.depth < depth) {
      depth = shape.depth;
    } else {
      depth_ = last_depth_ = depth;
      break;
    }
  }
  reserve_for_nodes();
  make_nodes();
  make_places(input);
}

// Of bodies that fill their cube, and two levels more.
int Tree::likely_depth() const {
  int depth = 2;
  for (int bodies = bodies_count_; bodies > settings_.leaf && depth < deepest_level; bodies /= 8) {
    ++depth;
  }
  return depth;
}

void Tree::reserve_for_bodies(int count) {
  const auto n = static_cast<std::size_t>(count);
  reserve(*context_, items_, n * sizeof(std::uint64_t), "keys of the bodies");
  reserve(*context_, keys_, n * sizeof(std::uint64_t), "keys of the bodies");
  reserve(*context_, order_, n * sizeof(std::int32_t), "the order of the bodies");
  reserve(*context_, begins_, n * sizeof(std::uint32_t), "beginnings of nodes");
  reserve(*context_, tile_sums_, ((n - 1) / tile + 1) * sizeof(std::uint32_t), "sums of nodes");
}

void Tree::find_box(const TreeInput& input) {
  const int groups = std::min(box_parts, static_cast<int>(groups_of(bodies_count_, box_group)));
  corners_(whole_groups(groups, box_group), first_list(input),
           static_cast<int>(input.sources.count), second_list(input), bodies_count_, corner_parts_);
  find_box_(whole_groups(1, box_group), corner_parts_, groups, Scalar{settings_.softening, false},
            box_);
}

void Tree::sort_bodies(const TreeInput& input, int depth) {
  const int n = bodies_count_, sources = static_cast<int>(input.sources.count);
  const int index_bits = std::max(1, bits_of(static_cast<unsigned>(n - 1)));
  const int key_bits = 3 * depth, room = 64 - index_bits;
  const Buffer* order = input.sources.order;
  if (order != nullptr && order->bytes() != static_cast<std::size_t>(n) * sizeof(std::int32_t)) {
    throw Error(ExitCode::internal_error, fmt::format("an order that is not of {} bodies", n));
  }
  if (order != nullptr) order_items_(items(n), *order, n, items_);
  for (int first = 0; first == 0 || first < key_bits; first += room) {
    const int bits = std::min(room, key_bits - first);
    make_items_(items(n), first_list(input), sources, second_list(input), n, box_, depth, first,
                bits, index_bits, order != nullptr || first > 0 ? 1 : 0, items_);
    sort_.sort(items_, keys_, n, index_bits, bits);
  }
  sorted_keys_(items(n), first_list(input), sources, second_list(input), n, box_, depth, index_bits,
               items_, keys_, order_);
}

Tree::Shape Tree::count_nodes(int depth) {
  const int n = bodies_count_;
  // a kernel, because to oclgrind 21.10 buffers that were filled hold nothing
  zero_(items(static_cast<int>(counters)), counters_, static_cast<int>(counters));
  const auto tiles = static_cast<int>(groups_of(n, tile));
  begins_of_(whole_groups(tiles, scan_group), keys_, n, depth, settings_.leaf, begins_, tile_sums_,
             counters_);
  scan_(whole_groups(1, scan_group), tile_sums_, tiles, counters_);
  std::vector<std::uint32_t> found(counters);
  counters_.read(std::span(found));
  if (found[node_counter] > most_nodes) {
    throw bad_data(fmt::format("a tree over {} bodies has {} nodes", n, found[node_counter]),
                   "use fewer bodies, or larger leaves");
  }
  Shape shape{.too_shallow = found[too_shallow] != 0};
  for (std::size_t level = 0; level <= deepest_level; ++level) {
    const std::uint32_t nodes = found[level_counts + level];
    if (nodes > 0) shape.depth = static_cast<int>(level);
    level_start_[level + 1] = level_start_[level] + static_cast<int>(nodes);
  }
  return shape;
}

void Tree::reserve_for_nodes() {
  const auto n = static_cast<std::size_t>(nodes());
  for (Buffer* buffer : {&node_items_, &other_items_, &ranges_, &range_}) {
    reserve(*context_, *buffer, n * sizeof(std::uint64_t), "nodes of the tree");
  }
  for (Buffer* buffer : {&numbers_, &child_, &parent_}) {
    reserve(*context_, *buffer, n * sizeof(std::uint32_t), "nodes of the tree");
  }
  const std::size_t body = settings_.precision == Precision::f32 ? 16 : 32;
  reserve(*context_, places_, (n + static_cast<std::size_t>(bodies_count_)) * body,
          "bodies in the tree's order");
}

void Tree::make_nodes() {
  const int n = bodies_count_, all = nodes();
  make_nodes_(items(n), keys_, n, depth_, begins_, tile_sums_, node_items_, ranges_);
  sort_.sort(node_items_, other_items_, all, 32, bits_of(deepest_level));
  number_(items(all), node_items_, all, numbers_);
  link_(items(all), node_items_, all, ranges_, numbers_, range_, child_, parent_);
}

void Tree::make_places(const TreeInput& input) {
  make_places_(items(bodies_count_), first_list(input), static_cast<int>(input.sources.count),
               second_list(input), bodies_count_, box_, order_, places_);
}

}  // namespace apsis::fmm_opencl

// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/solvers/fmm/fmm_opencl_launch.hpp>
#include <apsis/solvers/fmm/fmm_opencl_tree.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace apsis::fmm_opencl {
namespace {

using device::Buffer;
using device::Scalar;

constexpr std::size_t box_group = 256, scan_group = 256, tile = 4 * scan_group;
constexpr int box_parts = 256;
// As in tree_build_keys.cl.
constexpr std::size_t node_counter = 0, too_shallow = 1, unresolved_flag = 2, mistaken = 3,
                      crowded = 4;
constexpr std::size_t level_counts = 8, leaf_counts = 72;
constexpr std::size_t counters = leaf_counts + finest_level + 1;
constexpr int most_nodes = (1 << 28) - 1;
// Widths of the cube, as powers of two: tree_keys.cl has the reason for the first. In the second,
// r^-3 of a pair is in float's range from 2^-72 of the cube to all of it; expansions are
// normalised.
constexpr int usual_width = 10, width_of_fine = 30;

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
    : context_(&context), sort_(context), fine_(context, settings.precision), settings_(settings) {
  const device::Defines defines{{"PRECISION", precision_define(settings.precision)}};
  const device::Program keys = context.program("tree_keys.cl", defines);
  corners_ = keys.kernel<Buffer, int, Buffer, int, Buffer>("tree_corners");
  find_box_ = keys.kernel<Buffer, int, Scalar, int, Buffer>("tree_box");
  order_items_ = keys.kernel<Buffer, int, Buffer>("tree_ordered_items");
  make_items_ =
      keys.kernel<Buffer, int, Buffer, int, Buffer, int, int, int, int, int, Buffer>("tree_items");
  sorted_keys_ = keys.kernel<Buffer, int, Buffer, int, Buffer, int, int, Buffer, Buffer, Buffer>(
      "tree_sorted_keys");
  make_places_ = keys.kernel<Buffer, int, Buffer, int, Buffer, Buffer, Buffer>("tree_bodies");
  const device::Program build = context.program("tree_build.cl", {});
  build_.begins_of = build.kernel<Buffer, int, int, int, Buffer, Buffer, Buffer>("tree_begins");
  scan_ = build.kernel<Buffer, int, Buffer>("scan_list");
  zero_ = build.kernel<Buffer, int>("set_zero");
  build_.make_nodes = build.kernel<Buffer, int, int, Buffer, Buffer, Buffer, Buffer>("tree_nodes");
  number_ = build.kernel<Buffer, int, Buffer>("tree_numbers");
  link_ = build.kernel<Buffer, int, Buffer, Buffer, Buffer, Buffer, Buffer>("tree_links");
  const std::size_t corner = 4 * state_bytes(settings.precision);
  corner_parts_ = context.buffer(std::size_t{2} * box_parts * corner, "corners of the bodies");
  box_ = context.buffer(3 * corner, "the cube around the bodies");
  counters_ = context.buffer(counters * sizeof(std::uint32_t), "numbers of nodes");
}

Tree::BuildKernels& Tree::kernels_for(const TreeKeys& keys) {
  if (keys.words() == 1) return build_;
  if (!build_long_.begins_of) {
    const device::Program build = context_->program("tree_build.cl", {{"KEY_WORDS", "3"}});
    build_long_.begins_of =
        build.kernel<Buffer, int, int, int, Buffer, Buffer, Buffer>("tree_begins");
    build_long_.make_nodes =
        build.kernel<Buffer, int, int, Buffer, Buffer, Buffer, Buffer>("tree_nodes");
  }
  return build_long_;
}

void Tree::build(const TreeInput& input) {
  bodies_count_ = input.count();
  level_start_.fill(0);
  if (bodies_count_ == 0) return;
  reserve_for_bodies(bodies_count_);
  find_corners(input);
  // Keys as long as the tree is deep, so that the order of bodies inside a leaf does not depend on
  // what depth was tried first.
  TreeKeys keys = keys_known_ ? keys_used_ : TreeKeys::of_cube(likely_depth());
  for (KeySearch search;;) {
    find_box(keys);
    sort_bodies(input, keys);
    const Shape shape = count_nodes(input, keys);
    auto better = better_keys(input, keys, shape, search);
    if (!better) break;
    keys = std::move(*better);
  }
  keys_used_ = std::move(keys);
  keys_known_ = true;
  reserve_for_nodes();
  make_nodes();
  make_places(input);
}

// Fine levels are for bodies that 21 levels of the cube leave crowded; those are chosen at which a
// cell is divided. Nothing, where the keys are as they must be. Whatever keys the search begins
// with, it ends with the same.
std::optional<TreeKeys> Tree::better_keys(const TreeInput& input, const TreeKeys& keys,
                                          const Shape& shape, KeySearch& search) {
  const auto all_levels = [&] {
    search.looked_at_all = true;
    return TreeKeys::of_all_levels();
  };
  if (!keys.fine()) {
    if (shape.too_shallow && keys.depth < deepest_level) return TreeKeys::of_cube(deepest_level);
    if (shape.depth < keys.depth) return TreeKeys::of_cube(shape.depth);
    if (!shape.too_shallow || search.in_vain || !unresolved(input, keys)) return std::nullopt;
    search.crowded = true;
    return search.fine ? *search.fine : all_levels();
  }
  if (!search.looked_at_all && (shape.mistaken || shape.unresolved)) return all_levels();
  const auto& dividing = shape.dividing;
  if (dividing.empty() || (shape.unresolved && dividing.back() <= deepest_level)) {
    search.in_vain = true;
    return TreeKeys::of_cube(dividing.empty() ? 0 : dividing.back());
  }
  if (dividing != keys.levels) return TreeKeys::of_levels(dividing);
  // the cube has other walls: where it leaves crowds is not always seen from here
  if (search.crowded || shape.crowded) return std::nullopt;
  search.fine = keys;
  return TreeKeys::of_cube(deepest_level);
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

BodyLists Tree::lists_of(const TreeInput& input) const {
  return {.first = &first_list(input),
          .first_count = static_cast<int>(input.sources.count),
          .second = &second_list(input),
          .count = bodies_count_};
}

void Tree::find_corners(const TreeInput& input) {
  corner_groups_ = std::min(box_parts, static_cast<int>(groups_of(bodies_count_, box_group)));
  corners_(whole_groups(corner_groups_, box_group), first_list(input),
           static_cast<int>(input.sources.count), second_list(input), bodies_count_, corner_parts_);
  box_width_ = 0;
}

void Tree::find_box(const TreeKeys& keys) {
  const int width = keys.fine() ? width_of_fine : usual_width;
  if (std::exchange(box_width_, width) == width) return;
  find_box_(whole_groups(1, box_group), corner_parts_, corner_groups_,
            Scalar{settings_.softening, false}, width, box_);
}

void Tree::sort_bodies(const TreeInput& input, const TreeKeys& keys) {
  const int n = bodies_count_;
  const Buffer* order = input.sources.order;
  if (order != nullptr && order->bytes() != static_cast<std::size_t>(n) * sizeof(std::int32_t)) {
    throw Error(ExitCode::internal_error, fmt::format("an order that is not of {} bodies", n));
  }
  if (order != nullptr) order_items_(items(n), *order, n, items_);
  if (!keys.fine()) {
    sort_by_cube(input, keys.depth, order != nullptr);
    return;
  }
  if (keys.words() > 1) {
    reserve(*context_, long_keys_,
            static_cast<std::size_t>(n) * static_cast<std::size_t>(keys.words()) *
                sizeof(std::uint64_t),
            "keys of the bodies");
  }
  fine_.sort(lists_of(input), box_, keys, order != nullptr, sort_, items_, keys_,
             keys.words() == 1 ? keys_ : long_keys_, order_);
}

void Tree::sort_by_cube(const TreeInput& input, int depth, bool ordered) {
  const int n = bodies_count_, sources = static_cast<int>(input.sources.count);
  const int index_bits = std::max(1, bits_of(static_cast<unsigned>(n - 1)));
  const int key_bits = 3 * depth, room = 64 - index_bits;
  for (int first = 0; first == 0 || first < key_bits; first += room) {
    const int bits = std::min(room, key_bits - first);
    make_items_(items(n), first_list(input), sources, second_list(input), n, box_, depth, first,
                bits, index_bits, ordered || first > 0 ? 1 : 0, items_);
    sort_.sort(items_, keys_, n, index_bits, bits);
  }
  sorted_keys_(items(n), first_list(input), sources, second_list(input), n, box_, depth, index_bits,
               items_, keys_, order_);
}

Tree::Shape Tree::count_nodes(const TreeInput& input, const TreeKeys& keys) {
  const int n = bodies_count_;
  const Buffer& sorted_keys = keys.words() == 1 ? keys_ : long_keys_;
  // a kernel, because to oclgrind 21.10 buffers that were filled hold nothing
  zero_(items(static_cast<int>(counters)), counters_, static_cast<int>(counters));
  const auto tiles = static_cast<int>(groups_of(n, tile));
  kernels_for(keys).begins_of(whole_groups(tiles, scan_group), sorted_keys, n, keys.depth,
                              settings_.leaf, begins_, tile_sums_, counters_);
  if (keys.fine()) {
    fine_.check(lists_of(input), box_, keys, sorted_keys, order_, settings_.leaf, begins_,
                counters_);
  }
  scan_(whole_groups(1, scan_group), tile_sums_, tiles, counters_);
  return shape_of(keys);
}

Tree::Shape Tree::shape_of(const TreeKeys& keys) {
  std::vector<std::uint32_t> found(counters);
  counters_.read(std::span(found));
  if (found[node_counter] > most_nodes) {
    throw bad_data(
        fmt::format("a tree over {} bodies has {} nodes", bodies_count_, found[node_counter]),
        "use fewer bodies, or larger leaves");
  }
  Shape shape{.too_shallow = found[too_shallow] != 0,
              .unresolved = found[unresolved_flag] != 0,
              .mistaken = found[mistaken] != 0,
              .crowded = found[crowded] != 0,
              .dividing = {}};
  for (std::size_t level = 0; level <= finest_level; ++level) {
    const std::uint32_t nodes = found[level_counts + level];
    if (nodes > 0) shape.depth = static_cast<int>(level);
    level_start_[level + 1] = level_start_[level] + static_cast<int>(nodes);
    if (!keys.fine() || level == 0 || nodes == 0) continue;
    const std::uint32_t above = found[level_counts + level - 1] - found[leaf_counts + level - 1];
    if (nodes > above) shape.dividing.push_back(keys.levels[level - 1]);
  }
  return shape;
}

// Of keys of the cube: whether a leaf at the last level has bodies that are not in one place.
// Waits.
bool Tree::unresolved(const TreeInput& input, const TreeKeys& keys) {
  fine_.check(lists_of(input), box_, keys, keys_, order_, settings_.leaf, begins_, counters_);
  std::vector<std::uint32_t> found(counters);
  counters_.read(std::span(found));
  return found[unresolved_flag] != 0;
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
  kernels_for(keys_used_)
      .make_nodes(items(n), keys(), n, depth(), begins_, tile_sums_, node_items_, ranges_);
  sort_.sort(node_items_, other_items_, all, 32, bits_of(finest_level));
  number_(items(all), node_items_, all, numbers_);
  link_(items(all), node_items_, all, ranges_, numbers_, range_, child_, parent_);
}

void Tree::make_places(const TreeInput& input) {
  make_places_(items(bodies_count_), first_list(input), static_cast<int>(input.sources.count),
               second_list(input), bodies_count_, box_, order_, places_);
}

}  // namespace apsis::fmm_opencl

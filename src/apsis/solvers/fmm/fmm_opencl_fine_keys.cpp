// SPDX-License-Identifier: MIT
#include <apsis/solvers/fmm/fmm_opencl_fine_keys.hpp>
#include <apsis/solvers/fmm/fmm_opencl_launch.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace apsis::fmm_opencl {

constexpr std::size_t check_group = 64;  // as in tree_fine_keys.cl

TreeKeys TreeKeys::of_levels(std::vector<int> levels) {
  const auto depth = static_cast<int>(levels.size());
  return {.depth = depth, .levels = std::move(levels)};
}

TreeKeys TreeKeys::of_all_levels() {
  std::vector<int> levels(finest_level);
  std::iota(levels.begin(), levels.end(), 1);
  return of_levels(std::move(levels));
}

FineKeys::Kernels& FineKeys::kernels_for(const TreeKeys& keys) {
  Kernels& kernels = kernels_[keys.words() == 1 ? 0 : 1];
  if (std::exchange(kernels.built, true)) return kernels;
  const device::Program program = context_->program(
      "tree_fine_keys.cl",
      {{"PRECISION", precision_define(precision_)}, {"KEY_WORDS", std::to_string(keys.words())}});
  kernels.make_items = program.kernel<Buffer, int, Buffer, int, Buffer, Buffer, int, int, int, int,
                                      int, int, Buffer>("tree_fine_items");
  kernels.sorted_keys =
      program.kernel<Buffer, int, Buffer, int, Buffer, Buffer, int, int, Buffer, Buffer, Buffer>(
          "tree_fine_sorted_keys");
  kernels.check = program.kernel<Buffer, int, Buffer, int, Buffer, Buffer, int, Buffer, Buffer, int,
                                 int, Buffer, Buffer>("tree_fine_check");
  return kernels;
}

// Written only where they are others than those of the last tree.
const device::Buffer& FineKeys::levels_of(const TreeKeys& keys) {
  if (levels_.bytes() == 0) {
    levels_ = context_->buffer(finest_level * sizeof(std::int32_t), "levels of the tree");
  }
  if (keys.fine() && levels_there_ != keys.levels) {
    levels_.write(std::span<const int>(keys.levels));
    levels_there_ = keys.levels;
  }
  return levels_;
}

void FineKeys::sort(const BodyLists& bodies, const Buffer& box, const TreeKeys& keys, bool ordered,
                    RadixSort& sort, Buffer& items_of, Buffer& spare, Buffer& sorted_keys,
                    Buffer& order) {
  Kernels& kernels = kernels_for(keys);
  const Buffer& levels = levels_of(keys);
  const int n = bodies.count;
  const int index_bits =
      std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(n - 1))));
  const int room = 64 - index_bits;
  bool again = ordered;
  for (int word = (keys.depth - 1) / deepest_level; word >= 0; --word) {
    const int first_level = word * deepest_level;
    const int end_level = std::min(keys.depth, first_level + deepest_level);
    const int key_bits = 3 * (end_level - first_level);
    for (int first = 0; first < key_bits; first += room) {
      const int bits = std::min(room, key_bits - first);
      kernels.make_items(items(n), *bodies.first, bodies.first_count, *bodies.second, n, box,
                         levels, first_level, end_level, first, bits, index_bits, again ? 1 : 0,
                         items_of);
      sort.sort(items_of, spare, n, index_bits, bits);
      again = true;
    }
  }
  kernels.sorted_keys(items(n), *bodies.first, bodies.first_count, *bodies.second, n, box, levels,
                      keys.depth, index_bits, items_of, sorted_keys, order);
}

void FineKeys::check(const BodyLists& bodies, const Buffer& box, const TreeKeys& keys,
                     const Buffer& sorted_keys, const Buffer& order, int leaf, const Buffer& begins,
                     Buffer& counters) {
  kernels_for(keys).check(items(bodies.count, check_group), *bodies.first, bodies.first_count,
                          *bodies.second, bodies.count, box, levels_of(keys), keys.fine() ? 1 : 0,
                          order, sorted_keys, keys.depth, leaf, begins, counters);
}

}  // namespace apsis::fmm_opencl

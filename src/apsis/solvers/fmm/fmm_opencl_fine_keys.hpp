// SPDX-License-Identifier: MIT
// Keys for bodies that 21 levels of one cube leave crowded; see tree_fine_keys.cl.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/device/context.hpp>
#include <apsis/solvers/fmm/fmm_opencl_sort.hpp>

#include <array>
#include <vector>

namespace apsis::fmm_opencl {

inline constexpr int deepest_level = 21;  // three bits a level in a key of 63
inline constexpr int finest_level = 61;   // of which a key may choose

// Which levels a key has: the first `depth` of the cube, or some of the fine ones.
struct TreeKeys {
  int depth = 0;
  std::vector<int> levels;  // empty: those of the cube

  bool fine() const { return !levels.empty(); }
  bool all_levels() const { return depth == finest_level; }
  int words() const { return depth > deepest_level ? 3 : 1; }

  static TreeKeys of_cube(int depth) { return {.depth = depth, .levels = {}}; }
  static TreeKeys of_levels(std::vector<int> levels);
  static TreeKeys of_all_levels();
};

// Bodies on the device, in two lists one behind the other.
struct BodyLists {
  const device::Buffer* first;
  int first_count;
  const device::Buffer* second;
  int count;
};

class FineKeys {
 public:
  FineKeys(device::Context& context, Precision precision)
      : context_(&context), precision_(precision) {}

  // Sorts `items`, which hold the bodies' numbers already where `ordered`, and finds keys and order
  // of the bodies. `spare` has room for as many items.
  void sort(const BodyLists& bodies, const device::Buffer& box, const TreeKeys& keys, bool ordered,
            RadixSort& sort, device::Buffer& items, device::Buffer& spare,
            device::Buffer& sorted_keys, device::Buffer& order);
  // Sets flags and counts leaves among the counters of tree_build_keys.cl.
  void check(const BodyLists& bodies, const device::Buffer& box, const TreeKeys& keys,
             const device::Buffer& sorted_keys, const device::Buffer& order, int leaf,
             const device::Buffer& begins, device::Buffer& counters);

 private:
  using Buffer = device::Buffer;
  struct Kernels {
    bool built = false;
    device::Kernel<Buffer, int, Buffer, int, Buffer, Buffer, int, int, int, int, int, int, Buffer>
        make_items;
    device::Kernel<Buffer, int, Buffer, int, Buffer, Buffer, int, int, Buffer, Buffer, Buffer>
        sorted_keys;
    device::Kernel<Buffer, int, Buffer, int, Buffer, Buffer, int, Buffer, Buffer, int, int, Buffer,
                   Buffer>
        check;
  };
  Kernels& kernels_for(const TreeKeys& keys);
  const Buffer& levels_of(const TreeKeys& keys);

  device::Context* context_;
  Precision precision_;
  std::array<Kernels, 2> kernels_;  // keys of one word, and of three
  Buffer levels_;
  std::vector<int> levels_there_;
};

}  // namespace apsis::fmm_opencl

// SPDX-License-Identifier: MIT
// Bodies along a Morton curve: a word of 64 bits holds the key of a body's place in a cube and,
// below it, the body's number, so that one radix sort moves both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace apsis::far {

struct Cube {
  double x = 0, y = 0, z = 0;  // the lower corner
  double side = 0;
};

// How a word is cut for `count` bodies: halvings of the cube, three bits each, above the number.
struct KeyLayout {
  int levels = 0;
  int number_bits = 0;
};
KeyLayout key_layout(std::size_t count);

// Keys of places in a cube; places outside are moved to its border.
class MortonKeys {
 public:
  MortonKeys(const Cube& cube, int levels)
      : cube_(cube), last_(static_cast<double>((std::uint64_t{1} << levels) - 1)) {
    if (cube.side > 0) scale_ = (last_ + 1) / cube.side;
  }
  std::uint64_t operator()(double x, double y, double z) const {
    return spread(place(x - cube_.x)) << 2 | spread(place(y - cube_.y)) << 1 |
           spread(place(z - cube_.z));
  }

 private:
  std::uint64_t place(double from_corner) const {
    return static_cast<std::uint64_t>(std::clamp(from_corner * scale_, 0.0, last_));
  }
  // Two zero bits between any two bits of v, which has at most 21.
  static std::uint64_t spread(std::uint64_t v) {
    v = (v | v << 32) & 0x001f00000000ffffU;
    v = (v | v << 16) & 0x001f0000ff0000ffU;
    v = (v | v << 8) & 0x100f00f00f00f00fU;
    v = (v | v << 4) & 0x10c30c30c30c30c3U;
    return (v | v << 2) & 0x1249249249249249U;
  }

  Cube cube_;
  double last_ = 0, scale_ = 0;
};

// Sorts words by the bits at and above `low_bit`, of which `bits` are in use; equal ones keep their
// order. Same result for any number of threads. `spare` is scratch.
void radix_sort(std::vector<std::uint64_t>& words, std::vector<std::uint64_t>& spare, int low_bit,
                int bits, int threads);

}  // namespace apsis::far

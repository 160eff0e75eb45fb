// SPDX-License-Identifier: MIT
// Bodies along a Morton curve: a word of 64 bits holds the key of a body's place in a cube and,
// below it, the body's number, so that one radix sort moves both.
#pragma once

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

// The key of a place; places outside are moved to the border.
std::uint64_t morton_key(const Cube& cube, int levels, double x, double y, double z);

// Sorts words by the bits at and above `low_bit`, of which `bits` are in use; equal ones keep their
// order. Same result for any number of threads. `spare` is scratch.
void radix_sort(std::vector<std::uint64_t>& words, std::vector<std::uint64_t>& spare, int low_bit,
                int bits, int threads);

}  // namespace apsis::far

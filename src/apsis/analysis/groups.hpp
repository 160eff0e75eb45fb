// SPDX-License-Identifier: MIT
// Friends of friends: bodies that are no farther apart than a linking length belong together, and
// so do all that hang together by such pairs.
#pragma once

#include <apsis/core/bodies.hpp>

#include <cstdint>
#include <vector>

namespace apsis::analysis {

// Of every body the number of its group. Groups are numbered by their size, the largest first, and
// of equally large ones the one with the first body. A body without friends is a group of its own.
// bad_data for a length that is not above 0, or so small that places cannot be told apart by it.
struct Groups {
  std::vector<std::uint32_t> group_of;
  std::vector<std::uint32_t> sizes;
};
Groups friends_of_friends(const Vectors& places, double linking_length);

// The distance within which nine of ten bodies have six neighbours: where one system ends and
// another is farther off, it links either and not both.
double usual_linking_length(const Vectors& places, int threads = 0);

}  // namespace apsis::analysis

// SPDX-License-Identifier: MIT
// Bodies and fields in the memory of an OpenCL device, for Solver<Device>.
//
// State is four numbers a body (x, y, z, strength; vx, vy, vz, -) in float for f32 and in double
// for mixed and f64, padded to a multiple of `body_padding`. Padding has strength 0 and rests so
// far away (padding_place in x) that a pair with it underflows to nothing, also where strengths are
// left out.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/device/context.hpp>
#include <apsis/solvers/solver.hpp>

#include <cstddef>

namespace apsis {

struct Device {};

// Every block of every kernel divides it: 32 times teams times rows that divide 96.
inline constexpr std::size_t body_padding = 3072;

inline std::size_t padded_count(std::size_t bodies) {
  return (bodies + body_padding - 1) / body_padding * body_padding;
}
// Squares of it stay in the range of the pairs' type, inverse cubes do not.
inline double padding_place(Precision p) { return p == Precision::f64 ? 1e150 : 1e18; }
// Of one coordinate in the state, of a pair, and of a sum across tiles.
inline std::size_t state_bytes(Precision p) { return p == Precision::f32 ? 4 : 8; }
inline std::size_t pair_bytes(Precision p) { return p == Precision::f64 ? 8 : 4; }

template <>
struct BodiesView<Device> {
  std::size_t count = 0;   // bodies
  std::size_t padded = 0;  // with padding; the buffers hold this many
  const device::Buffer* place = nullptr;
  const device::Buffer* velocity = nullptr;  // read only where jerk is wanted
  // Where all of the buffer's bodies are meant and lie otherwise than in the user's order: the
  // number there of the user's k-th, as int. tree and fmm sum in that order.
  const device::Buffer* order = nullptr;
  // Number in the buffers of the first one; bodies [first, first + count) are meant. Sources and
  // targets in one buffer are the same bodies, and none acts on itself.
  std::size_t first = 0;
  // Of sources that are given in pieces, to a solver that sums by parts: bodies a part of the sums,
  // a multiple of 32. Part k of the buffer's bodies goes to part k of the field, in whichever order
  // they come. 0: the solver divides them and appends.
  std::size_t part = 0;
};

// A quantity per body (x, y, z; w is the potential) in `used` parts of `padded` entries each, one
// behind the other: its value is the sum of the parts in their order. A solver adds by appending
// parts; whoever clears it sets `used` to 0. The buffer grows as solvers need it.
struct PartialSums {
  device::Buffer sums;
  std::size_t padded = 0;
  int used = 0;
  // Targets from `first` on have their sums at their own number: there are this many entries, which
  // nobody uses, before the first part, and `padded` need be no more than the targets.
  std::size_t first = 0;
};

template <>
struct Field<Device> {
  PartialSums* field = nullptr;  // acceleration in x, y, z; potential in w
  PartialSums* jerk = nullptr;
  Wants wanted;

  Wants wants() const { return wanted; }
};

}  // namespace apsis

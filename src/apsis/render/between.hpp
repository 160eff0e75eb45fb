// SPDX-License-Identifier: MIT
// Bodies between two snapshots, for movies that are smoother than the snapshots are dense.
#pragma once

#include <apsis/core/bodies.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace apsis {

// `other` in the order of ids of `like`, which may have more bodies. bad_data for bodies that
// `like` does not have.
Bodies in_order_of(const Bodies& like, Bodies other);

// Of a body that is gone from some time on: when, where it was last, and which body took it in.
struct Departure {
  std::uint64_t id = 0;
  double share = 1;  // of the time between the two states
  Vec3 place;
  std::optional<std::uint64_t> into;
};

// At `share` (0 to 1) of the time `span` from one state to the next: cubic Hermite from positions
// and velocities. A body that turned too far in between for that (see path_weight) goes straight.
// Both states list their bodies in the same order.
//
// Bodies that only `from` has leave on the way. Where their departure is known (listed in the order
// of time) they go to the place of it and are gone from then on, and the body that took them in
// grows. Others go straight on until the end. Bodies that only `to` has come with it.
Bodies between(const Bodies& from, const Bodies& to, double span, double share, int threads,
               std::span<const Departure> departures = {});

// How far the cubic is trusted, 1 to 0: fully up to about a third of a turn, not at all from half a
// turn on, where the way a body took can no longer be told from its two ends.
// `chord` leads from one place to the next, `start` and `end` are the velocities there times span.
double path_weight(Vec3 chord, Vec3 start, Vec3 end);

// Bodies of both states whose path between them is not resolved (weight below one half).
std::size_t unresolved_paths(const Bodies& from, const Bodies& to, double span, int threads);

}  // namespace apsis

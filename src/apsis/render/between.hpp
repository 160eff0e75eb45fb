// SPDX-License-Identifier: MIT
// Bodies between two snapshots, for movies that are smoother than the snapshots are dense.
#pragma once

#include <apsis/core/bodies.hpp>

#include <cstddef>

namespace apsis {

// `other` in the order of ids of `like`. bad_data where they are not the same bodies.
Bodies in_order_of(const Bodies& like, Bodies other);

// At `share` (0 to 1) of the time `span` from one state to the next: cubic Hermite from positions
// and velocities. A body that turned too far in between for that (see path_weight) goes straight.
// Both states list the same bodies in the same order.
Bodies between(const Bodies& from, const Bodies& to, double span, double share, int threads);

// How far the cubic is trusted, 1 to 0: fully up to about a third of a turn, not at all from half a
// turn on, where the way a body took can no longer be told from its two ends.
// `chord` leads from one place to the next, `start` and `end` are the velocities there times span.
double path_weight(Vec3 chord, Vec3 start, Vec3 end);

// Bodies whose path between the two states is not resolved (weight below one half).
std::size_t unresolved_paths(const Bodies& from, const Bodies& to, double span, int threads);

}  // namespace apsis

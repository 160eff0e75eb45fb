// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/render/between.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace apsis {
namespace {

std::vector<std::size_t> sorted_by_id(const Bodies& bodies) {
  std::vector<std::size_t> order(bodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return bodies.id[a] < bodies.id[b]; });
  return order;
}

}  // namespace

Bodies in_order_of(const Bodies& like, Bodies other) {
  if (like.id == other.id) return other;
  const auto wanted = sorted_by_id(like), found = sorted_by_id(other);
  const bool same =
      std::equal(wanted.begin(), wanted.end(), found.begin(), found.end(),
                 [&](std::size_t a, std::size_t b) { return like.id[a] == other.id[b]; });
  if (!same) {
    throw bad_data(
        fmt::format("two snapshots hold different bodies ({} and {})", like.size(), other.size()),
        "render snapshots of one run");
  }
  std::vector<std::size_t> source(wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) source[wanted[k]] = found[k];
  return picked(other, source);
}

double path_weight(Vec3 chord, Vec3 start, Vec3 end) {
  const double length = norm(chord);
  const double travelled = 0.5 * (norm(start) + norm(end));
  if (!(length > 0)) return travelled > 0 ? 0.0 : 1.0;
  // on a circle the mean velocity covers (φ/2)·cot(φ/2) of the chord, 0.64 after 2 radians and 0
  // after half a turn, while the way is φ/2 / sin(φ/2) times as long: 1.19 and 1.57
  const double defect = norm(chord - 0.5 * (start + end)) / length;
  return std::clamp(std::min((1 - defect) / 0.6, (1.5 - travelled / length) / 0.3), 0.0, 1.0);
}

Bodies between(const Bodies& from, const Bodies& to, double span, double share, int threads) {
  Bodies result = from;
  const double u = std::clamp(share, 0.0, 1.0), w = 1 - u;
  parallel_for(from.size(), thread_count(threads), [&](std::size_t i) {
    const Vec3 start = from.position(i), chord = to.position(i) - start;
    const Vec3 v0 = span * from.velocity(i), v1 = span * to.velocity(i);
    const double trust = path_weight(chord, v0, v1);
    // the cubic as the chord and what it adds to it, which vanishes at both ends
    const Vec3 bend = u * w * (w * (v0 - chord) - u * (v1 - chord));
    result.set_position(i, start + u * chord + trust * bend);
    result.set_velocity(i, w * from.velocity(i) + u * to.velocity(i));
  });
  return result;
}

std::size_t unresolved_paths(const Bodies& from, const Bodies& to, double span, int threads) {
  return ordered_sum<std::size_t>(from.size(), thread_count(threads), [&](std::size_t i) {
    const Vec3 chord = to.position(i) - from.position(i);
    return path_weight(chord, span * from.velocity(i), span * to.velocity(i)) < 0.5 ? std::size_t{1}
                                                                                    : 0;
  });
}

}  // namespace apsis

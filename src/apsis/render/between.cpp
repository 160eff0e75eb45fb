// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/render/between.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

namespace apsis {
namespace {

std::vector<std::size_t> sorted_by_id(const Bodies& bodies) {
  std::vector<std::size_t> order(bodies.id.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return bodies.id[a] < bodies.id[b]; });
  return order;
}

}  // namespace

Bodies in_order_of(const Bodies& like, Bodies other) {
  if (like.id == other.id) return other;
  const auto wanted = sorted_by_id(like), found = sorted_by_id(other);
  constexpr auto nobody = static_cast<std::size_t>(-1);
  std::vector<std::size_t> source(wanted.size(), nobody);
  auto next = wanted.begin();
  for (const std::size_t k : found) {
    next =
        std::find_if(next, wanted.end(), [&](std::size_t w) { return like.id[w] >= other.id[k]; });
    if (next == wanted.end() || like.id[*next] != other.id[k]) {
      throw bad_data(
          fmt::format("two snapshots hold different bodies: the first has none with id {}",
                      other.id[k]),
          "render snapshots of one run");
    }
    source[*next++] = k;
  }
  std::erase(source, nobody);
  return picked(other, source);
}

namespace {

using NumberOf = std::unordered_map<std::uint64_t, std::size_t>;

NumberOf numbers_of(const Bodies& bodies) {
  NumberOf numbers(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) numbers.emplace(bodies.id[i], i);
  return numbers;
}

// The bodies that both states have, from each, in the order of the first.
std::pair<Bodies, Bodies> common_bodies(const Bodies& from, const Bodies& to) {
  const NumberOf number_in_to = numbers_of(to);
  std::vector<std::size_t> first, second;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto found = number_in_to.find(from.id[i]);
    if (found == number_in_to.end()) continue;
    first.push_back(i), second.push_back(found->second);
  }
  return {picked(from, first), picked(to, second)};
}

// Starts with its velocity and ends at the place, or goes straight where that is no likely way.
Vec3 on_way_out(Vec3 start, Vec3 v0, Vec3 place, double u) {
  const Vec3 chord = place - start;
  return start + u * chord + path_weight(chord, v0, 2 * chord - v0) * u * (1 - u) * (v0 - chord);
}

// Who takes a body in has its mass and its volume from then on.
void take_in(Bodies& bodies, std::size_t taker, std::size_t taken) {
  bodies.mass[taker] += bodies.mass[taken];
  if (bodies.charged()) bodies.charge[taker] += bodies.charge[taken];
  if (bodies.radius.empty()) return;
  const auto cube = [&](std::size_t i) { return std::pow(bodies.radius[i], 3); };
  bodies.radius[taker] = std::cbrt(cube(taker) + cube(taken));
}

Bodies between_same(const Bodies& from, const Bodies& to, double span, double share, int threads);

}  // namespace

double path_weight(Vec3 chord, Vec3 start, Vec3 end) {
  const double length = norm(chord);
  const double travelled = 0.5 * (norm(start) + norm(end));
  if (!(length > 0)) return travelled > 0 ? 0.0 : 1.0;
  // on a circle the mean velocity covers (φ/2)·cot(φ/2) of the chord, 0.64 after 2 radians and 0
  // after half a turn, while the way is φ/2 / sin(φ/2) times as long: 1.19 and 1.57
  const double defect = norm(chord - 0.5 * (start + end)) / length;
  return std::clamp(std::min((1 - defect) / 0.6, (1.5 - travelled / length) / 0.3), 0.0, 1.0);
}

Bodies between(const Bodies& from, const Bodies& to, double span, double share, int threads,
               std::span<const Departure> departures) {
  if (from.id == to.id) return between_same(from, to, span, share, threads);
  if (share >= 1) return to;
  const auto [first, second] = common_bodies(from, to);
  const Bodies staying = between_same(first, second, span, share, threads);
  const NumberOf number_of = numbers_of(from);
  Bodies result = from;
  for (std::size_t i = 0; i < from.size(); ++i) {  // where those end that nobody knows more of
    result.set_position(i, from.position(i) + share * span * from.velocity(i));
  }
  for (std::size_t k = 0; k < staying.size(); ++k) {
    const std::size_t i = number_of.at(staying.id[k]);
    result.set_position(i, staying.position(k)), result.set_velocity(i, staying.velocity(k));
  }
  std::vector<std::size_t> gone;
  for (const Departure& departure : departures) {
    const auto leaves = number_of.find(departure.id);
    if (leaves == number_of.end()) continue;
    const std::size_t i = leaves->second;
    if (share < departure.share) {
      const Vec3 v0 = departure.share * span * from.velocity(i);
      result.set_position(
          i, on_way_out(from.position(i), v0, departure.place, share / departure.share));
      continue;
    }
    gone.push_back(i);
    const auto taker = departure.into ? number_of.find(*departure.into) : number_of.end();
    if (taker != number_of.end()) take_in(result, taker->second, i);
  }
  result.remove(gone);
  return result;
}

namespace {

// Of two states that have all their bodies in common, in the same order.
Bodies between_same(const Bodies& from, const Bodies& to, double span, double share, int threads) {
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

}  // namespace

std::size_t unresolved_paths(const Bodies& from, const Bodies& to, double span, int threads) {
  if (from.id != to.id) {
    const auto [first, second] = common_bodies(from, to);
    return unresolved_paths(first, second, span, threads);
  }
  return ordered_sum<std::size_t>(from.size(), thread_count(threads), [&](std::size_t i) {
    const Vec3 chord = to.position(i) - from.position(i);
    return path_weight(chord, span * from.velocity(i), span * to.velocity(i)) < 0.5 ? std::size_t{1}
                                                                                    : 0;
  });
}

}  // namespace apsis

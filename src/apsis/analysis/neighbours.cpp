// SPDX-License-Identifier: MIT
#include <apsis/analysis/neighbours.hpp>
#include <apsis/core/parallel.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace apsis::analysis {
namespace {

constexpr std::size_t leaf_size = 12;

double along(Vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

void set_along(Vec3& v, int axis, double value) {
  (axis == 0 ? v.x : axis == 1 ? v.y : v.z) = value;
}

int longest_side(std::span<const Vec3> places) {
  Vec3 low = places.front(), high = low;
  for (const Vec3& p : places) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const Vec3 side = high - low;
  if (side.x >= side.y && side.x >= side.z) return 0;
  return side.y >= side.z ? 1 : 2;
}

}  // namespace

// Bodies [first, end) of the order, which a node holds.
struct NeighbourTree::Part {
  std::size_t node, first, end;
  int level;

  std::size_t middle() const { return first + (end - first) / 2; }
  Part low() const { return {2 * node, first, middle(), level + 1}; }
  Part high() const { return {2 * node + 1, middle(), end, level + 1}; }
};

struct NeighbourTree::Query {
  Vec3 at;
  std::size_t count, but;
  std::vector<Neighbour>& found;

  bool wants(double square) const { return found.size() < count || square <= found.back().square; }
  void take(Neighbour candidate) {
    if (found.size() == count) {
      if (!(candidate < found.back())) return;
      found.pop_back();
    }
    found.insert(std::ranges::upper_bound(found, candidate), candidate);
  }
};

NeighbourTree::NeighbourTree(const Vectors& places, int threads) : order_(places.size()) {
  const std::size_t n = places.size();
  std::iota(order_.begin(), order_.end(), 0U);
  places_.resize(n);
  for (std::size_t i = 0; i < n; ++i) places_[i] = places.at(i);
  while ((n >> depth_) > leaf_size) ++depth_;
  nodes_.resize(std::size_t{1} << depth_);
  std::vector<Part> parts{{1, 0, n, 0}};
  const int team = thread_count(threads);
  const auto enough = 8 * static_cast<std::size_t>(team);
  while (parts.size() < enough && parts.front().level < depth_) {
    parallel_tasks(parts.size(), team, [&](std::size_t k) { split(parts[k]); });
    std::vector<Part> halves;
    for (const Part& part : parts) halves.push_back(part.low()), halves.push_back(part.high());
    parts = std::move(halves);
  }
  parallel_tasks(parts.size(), team, [&](std::size_t k) { split_all(parts[k]); });
}

// Numbers break ties, so that the halves are the same whoever sorts.
void NeighbourTree::split(const Part& part) {
  const std::size_t count = part.end - part.first;
  const std::span<Vec3> places(places_.data() + part.first, count);
  const std::span<std::uint32_t> order(order_.data() + part.first, count);
  const int axis = longest_side(places);
  std::vector<std::pair<double, std::uint32_t>> keys(count);
  std::vector<std::pair<Vec3, std::uint32_t>> bodies(count);
  for (std::size_t k = 0; k < count; ++k) {
    keys[k] = {along(places[k], axis), static_cast<std::uint32_t>(k)};
    bodies[k] = {places[k], order[k]};
  }
  const auto middle = static_cast<std::ptrdiff_t>(part.middle() - part.first);
  std::nth_element(keys.begin(), keys.begin() + middle, keys.end(),
                   [&](const auto& a, const auto& b) {
                     if (a.first != b.first) return a.first < b.first;
                     return bodies[a.second].second < bodies[b.second].second;
                   });
  nodes_[part.node] = {axis, keys[static_cast<std::size_t>(middle)].first};
  for (std::size_t k = 0; k < count; ++k) {
    places[k] = bodies[keys[k].second].first, order[k] = bodies[keys[k].second].second;
  }
}

void NeighbourTree::split_all(const Part& part) {
  if (part.level == depth_) return;
  split(part);
  split_all(part.low());
  split_all(part.high());
}

// `outside` is how far the query lies outside of the part along each axis, `square` its length.
void NeighbourTree::search(const Part& part, Query& query, Vec3 outside, double square) const {
  if (part.level == depth_) {
    for (std::size_t k = part.first; k < part.end; ++k) {
      if (order_[k] == query.but) continue;
      const Vec3 d = places_[k] - query.at;
      if (const double s = dot(d, d); query.wants(s)) query.take({s, order_[k]});
    }
    return;
  }
  const Node& node = nodes_[part.node];
  const double beyond = along(query.at, node.axis) - node.at;
  const bool is_low = beyond < 0;
  search(is_low ? part.low() : part.high(), query, outside, square);
  const double before = along(outside, node.axis);
  const double there = square - before * before + beyond * beyond;
  // rounding of the difference must not hide anybody
  if (!query.wants(there * (1 - 1e-14))) return;
  set_along(outside, node.axis, beyond);
  search(is_low ? part.high() : part.low(), query, outside, there);
}

void NeighbourTree::nearest(Vec3 at, std::size_t count, std::size_t but,
                            std::vector<Neighbour>& found) const {
  found.clear();
  if (count == 0 || order_.empty()) return;
  Query query{at, count, but, found};
  search({1, 0, order_.size(), 0}, query, {}, 0);
}

}  // namespace apsis::analysis

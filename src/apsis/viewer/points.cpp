// SPDX-License-Identifier: MIT
#include <apsis/viewer/points.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace apsis::viewer {
namespace {

// splitmix64: enough to shuffle by, and the same everywhere.
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15U);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

// Uniform below `limit`, which a number of 32 bits holds, up to a bias of limit/2^32.
std::size_t below(std::uint64_t& state, std::size_t limit) {
  return static_cast<std::size_t>(((next_random(state) >> 32) * limit) >> 32);
}

}  // namespace

std::vector<std::uint32_t> sample_order(std::size_t n) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::uint64_t state = 0x417073697321ULL;
  for (std::size_t i = 0; i + 1 < n; ++i) std::swap(order[i], order[i + below(state, n - i)]);
  return order;
}

void PointList::follow(const std::vector<std::uint64_t>& ids) {
  if (ids == followed_ && !order_.empty()) return;
  followed_ = ids;
  if (id_.empty()) {
    order_ = sample_order(ids.size());
    id_.resize(ids.size());
    for (std::size_t k = 0; k < ids.size(); ++k) id_[k] = ids[order_[k]];
    return;
  }
  std::unordered_map<std::uint64_t, std::size_t> point_of(id_.size());
  for (std::size_t k = 0; k < id_.size(); ++k) point_of.emplace(id_[k], k);
  order_.assign(id_.size(), nobody);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto [known, is_new] = point_of.emplace(ids[i], id_.size());
    if (is_new) id_.push_back(ids[i]), order_.push_back(nobody);
    order_[known->second] = static_cast<std::uint32_t>(i);
  }
}

void take_points(const Bodies& bodies, const std::vector<std::uint32_t>& order, std::size_t count,
                 const Region& region, Points& points) {
  const std::size_t all = std::min(count, order.size());
  points.bodies = bodies.size(), points.listed = order.size();
  points.asked = count, points.region = region;
  points.base = region.active() && all < order.size() ? all / 2 : all;
  points.charged = bodies.charged();
  for (auto* values : {&points.x, &points.y, &points.z}) values->clear();
  points.speed.clear(), points.mass.clear(), points.charge.clear(), points.id.clear();
  Vec3 momentum, weighted;
  double mass = 0;
  for (std::size_t k = 0; k < points.base; ++k) {
    const std::size_t i = order[k];
    if (i == nobody) continue;
    momentum += bodies.mass[i] * bodies.velocity(i);
    weighted += bodies.mass[i] * bodies.position(i);
    mass += bodies.mass[i];
  }
  const Vec3 drift = mass > 0 ? momentum / mass : Vec3{};
  points.center_of_mass = mass > 0 ? weighted / mass : Vec3{};
  take_few(bodies, drift, points.few);
  const auto add_nobody = [&] {
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    for (auto* values : {&points.x, &points.y, &points.z}) values->push_back(none);
    points.speed.push_back(none), points.mass.push_back(none), points.id.push_back(0);
    if (points.charged) points.charge.push_back(none);
  };
  const auto add = [&](std::size_t i) {
    if (i == nobody) return add_nobody();
    const Vec3 place = bodies.position(i);
    points.x.push_back(place.x), points.y.push_back(place.y), points.z.push_back(place.z);
    points.speed.push_back(static_cast<float>(norm(bodies.velocity(i) - drift)));
    points.mass.push_back(static_cast<float>(bodies.mass[i]));
    points.id.push_back(bodies.id[i]);
    if (points.charged) points.charge.push_back(static_cast<float>(bodies.charge[i]));
  };
  for (std::size_t k = 0; k < points.base; ++k) add(order[k]);
  points.one_mass = std::adjacent_find(bodies.mass.begin(), bodies.mass.end(),
                                       std::not_equal_to<>()) == bodies.mass.end();
  for (std::size_t k = points.base; k < order.size() && points.size() < all; ++k) {
    if (order[k] == nobody) continue;
    const Vec3 away = bodies.position(order[k]) - region.centre;
    if (std::abs(away.x) <= region.radius && std::abs(away.y) <= region.radius &&
        std::abs(away.z) <= region.radius) {
      add(order[k]);
    }
  }
}

}  // namespace apsis::viewer

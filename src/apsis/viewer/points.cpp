// SPDX-License-Identifier: MIT
#include <apsis/viewer/points.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
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

void take_points(const Bodies& bodies, const std::vector<std::uint32_t>& order, std::size_t count,
                 const Region& region, Points& points) {
  const std::size_t all = std::min(count, order.size());
  points.bodies = bodies.size();
  points.asked = count, points.region = region;
  points.base = region.active() && all < order.size() ? all / 2 : all;
  points.charged = bodies.charged();
  for (auto* values : {&points.x, &points.y, &points.z}) values->clear();
  points.speed.clear(), points.mass.clear(), points.charge.clear(), points.id.clear();
  Vec3 momentum, weighted;
  double mass = 0;
  for (std::size_t k = 0; k < points.base; ++k) {
    const std::size_t i = order[k];
    momentum += bodies.mass[i] * bodies.velocity(i);
    weighted += bodies.mass[i] * bodies.position(i);
    mass += bodies.mass[i];
  }
  const Vec3 drift = mass > 0 ? momentum / mass : Vec3{};
  points.center_of_mass = mass > 0 ? weighted / mass : Vec3{};
  const auto add = [&](std::size_t i) {
    const Vec3 place = bodies.position(i);
    points.x.push_back(place.x), points.y.push_back(place.y), points.z.push_back(place.z);
    points.speed.push_back(static_cast<float>(norm(bodies.velocity(i) - drift)));
    points.mass.push_back(static_cast<float>(bodies.mass[i]));
    points.id.push_back(bodies.id[i]);
    if (points.charged) points.charge.push_back(static_cast<float>(bodies.charge[i]));
  };
  for (std::size_t k = 0; k < points.base; ++k) add(order[k]);
  for (std::size_t k = points.base; k < order.size() && points.size() < all; ++k) {
    const Vec3 away = bodies.position(order[k]) - region.centre;
    if (std::abs(away.x) <= region.radius && std::abs(away.y) <= region.radius &&
        std::abs(away.z) <= region.radius) {
      add(order[k]);
    }
  }
}

}  // namespace apsis::viewer

// SPDX-License-Identifier: MIT
#include <apsis/viewer/points.hpp>

#include <algorithm>
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
                 Points& points) {
  const std::size_t n = std::min(count, order.size());
  points.bodies = bodies.size();
  points.charged = bodies.charged();
  for (auto* values : {&points.x, &points.y, &points.z}) values->resize(n);
  points.speed.resize(n), points.mass.resize(n), points.id.resize(n);
  points.charge.resize(points.charged ? n : 0);
  Vec3 momentum, weighted;
  double mass = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = order[k];
    points.x[k] = bodies.x[i], points.y[k] = bodies.y[i], points.z[k] = bodies.z[i];
    points.mass[k] = static_cast<float>(bodies.mass[i]);
    points.id[k] = bodies.id[i];
    if (points.charged) points.charge[k] = static_cast<float>(bodies.charge[i]);
    momentum += bodies.mass[i] * bodies.velocity(i);
    weighted += bodies.mass[i] * bodies.position(i);
    mass += bodies.mass[i];
  }
  const Vec3 drift = mass > 0 ? momentum / mass : Vec3{};
  points.center_of_mass = mass > 0 ? weighted / mass : Vec3{};
  for (std::size_t k = 0; k < n; ++k) {
    points.speed[k] = static_cast<float>(norm(bodies.velocity(order[k]) - drift));
  }
}

}  // namespace apsis::viewer

// SPDX-License-Identifier: MIT
#include <apsis/core/drift.hpp>
#include <apsis/core/parallel.hpp>

#include <cmath>

namespace apsis {
namespace {

struct MassSum {
  double mass = 0;
  Vec3 moment;

  MassSum& operator+=(const MassSum& b) {
    mass += b.mass, moment += b.moment;
    return *this;
  }
};

std::optional<double> share(Vec3 change, double scale) {
  const double value = norm(change) / scale;
  return scale > 0 && std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

}  // namespace

Extent extent_of(const Bodies& b, int threads) {
  const int team = thread_count(threads);
  const auto sum = ordered_sum<MassSum>(b.size(), team, [&](std::size_t i) {
    return MassSum{b.mass[i], b.mass[i] * b.position(i)};
  });
  if (!(sum.mass > 0)) return {};
  const Vec3 center = sum.moment / sum.mass;
  const auto spread = ordered_sum<double>(b.size(), team, [&](std::size_t i) {
    const Vec3 away = b.position(i) - center;
    return b.mass[i] * dot(away, away);
  });
  return {.mass = sum.mass, .radius = std::sqrt(spread / sum.mass)};
}

Drift drift_of(const Energies& now, const Energies& start, const Extent& extent, double passed) {
  if (!(extent.mass > 0)) return {};
  const double most = std::sqrt(2 * extent.mass * (start.kinetic + std::abs(start.potential)));
  const Vec3 even = start.center_of_mass + (passed / extent.mass) * start.momentum;
  return {.center_of_mass = share(now.center_of_mass - even, extent.radius),
          .momentum = share(now.momentum - start.momentum, most),
          .angular_momentum =
              share(now.angular_momentum - start.angular_momentum, most * extent.radius)};
}

}  // namespace apsis

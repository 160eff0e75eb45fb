// SPDX-License-Identifier: MIT
#include <apsis/core/energies.hpp>
#include <apsis/core/parallel.hpp>

#include <algorithm>

namespace apsis {
namespace {

struct MotionSum {
  double mass = 0, kinetic = 0;
  Vec3 momentum, angular_momentum, moment;

  MotionSum& operator+=(const MotionSum& b) {
    mass += b.mass, kinetic += b.kinetic;
    momentum += b.momentum, angular_momentum += b.angular_momentum, moment += b.moment;
    return *this;
  }
};

bool finite(Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

}  // namespace

double energy_error(const Energies& now, const Energies& start, double lost) {
  const double change = std::abs(now.total() + lost - start.total());
  const double scale = std::max(std::abs(start.total()), start.kinetic + std::abs(start.potential));
  return change == 0 && scale == 0 ? 0.0 : change / scale;
}

Energies motion(const Bodies& b, int threads) {
  const auto sum = ordered_sum<MotionSum>(b.size(), thread_count(threads), [&](std::size_t i) {
    const Vec3 place = b.position(i), velocity = b.velocity(i);
    const double m = b.mass[i];
    return MotionSum{m, 0.5 * m * dot(velocity, velocity), m * velocity, m * cross(place, velocity),
                     m * place};
  });
  return {.kinetic = sum.kinetic,
          .momentum = sum.momentum,
          .angular_momentum = sum.angular_momentum,
          .center_of_mass = sum.mass > 0 ? sum.moment / sum.mass : Vec3{}};
}

bool all_finite(const Energies& e) {
  return std::isfinite(e.kinetic) && std::isfinite(e.potential) && finite(e.momentum) &&
         finite(e.angular_momentum) && finite(e.center_of_mass);
}

}  // namespace apsis

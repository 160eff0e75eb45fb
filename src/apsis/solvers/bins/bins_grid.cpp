// SPDX-License-Identifier: MIT
#include <apsis/solvers/bins/bins_grid.hpp>

#include <fmt/format.h>

namespace apsis {

int bins_for(std::size_t bodies) {
  const double all = std::sqrt(27 * static_cast<double>(bodies));
  return static_cast<int>(std::clamp(std::round(std::cbrt(all)), 1.0, 1.0 * most_bins));
}

BinsSettings with_number(BinsSettings settings, std::size_t bodies) {
  if (!settings.bins) settings.bins = bins_for(bodies);
  return settings;
}

std::size_t bodies_outside(const Bodies& bodies, const std::array<double, 6>& box) {
  std::size_t outside = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 p = bodies.position(i);
    const bool inside = p.x >= box[0] && p.x <= box[1] && p.y >= box[2] && p.y <= box[3] &&
                        p.z >= box[4] && p.z <= box[5];
    outside += inside ? 0 : 1;
  }
  return outside;
}

std::string outside_notice(std::size_t count) {
  return fmt::format("solver bins: {} outside the box {} with the bins at its border",
                     count == 1 ? "a body" : fmt::format("{} bodies", count),
                     count == 1 ? "counts" : "count");
}

}  // namespace apsis

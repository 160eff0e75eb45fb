// SPDX-License-Identifier: MIT
#include <apsis/analysis/centres.hpp>
#include <apsis/analysis/lagrangian.hpp>
#include <apsis/core/parallel.hpp>

#include <algorithm>
#include <cstddef>

namespace apsis::analysis {

std::vector<AtDistance> by_distance(const Bodies& bodies, Vec3 centre, int threads) {
  std::vector<AtDistance> sorted(bodies.size());
  parallel_for(sorted.size(), thread_count(threads), [&](std::size_t i) {
    sorted[i] = {norm(bodies.position(i) - centre), i};
  });
  std::ranges::sort(sorted);
  return sorted;
}

std::vector<double> lagrangian_radii(const Bodies& bodies, std::span<const AtDistance> sorted,
                                     std::span<const double> shares) {
  const bool massless = is_massless(bodies);
  std::vector<double> within(sorted.size());
  double sum = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    within[k] = sum += weight_of(bodies, massless, sorted[k].number);
  }
  std::vector<double> radii;
  for (const double share : shares) {
    const auto first = std::ranges::lower_bound(within, share * sum * (1 - 1e-14));
    const auto k = std::min(static_cast<std::size_t>(first - within.begin()), sorted.size() - 1);
    radii.push_back(sorted.empty() ? 0 : sorted[k].distance);
  }
  return radii;
}

}  // namespace apsis::analysis

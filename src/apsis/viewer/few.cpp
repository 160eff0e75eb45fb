// SPDX-License-Identifier: MIT
#include <apsis/viewer/few.hpp>

#include <algorithm>
#include <numeric>

namespace apsis::viewer {
namespace {

// Of many bodies those that have a fiftieth of all mass, so that they stay few, and at least twenty
// times what the average body has.
double least_mass(const Bodies& bodies) {
  constexpr double share = 1.0 / most_few, above_average = 20;
  const double all = std::accumulate(bodies.mass.begin(), bodies.mass.end(), 0.0);
  return all * std::max(share, above_average / static_cast<double>(bodies.size()));
}

}  // namespace

void take_few(const Bodies& bodies, Vec3 drift, std::vector<FewBody>& few) {
  few.clear();
  const bool all = bodies.size() <= most_few;
  const double least = all ? 0 : least_mass(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!all && !(least > 0 && bodies.mass[i] >= least)) continue;
    few.push_back({.id = bodies.id[i],
                   .mass = bodies.mass[i],
                   .charge = bodies.charged() ? bodies.charge[i] : 0.0,
                   .radius = bodies.radius_of(i),
                   .speed = norm(bodies.velocity(i) - drift),
                   .place = bodies.position(i),
                   .velocity = bodies.velocity(i)});
  }
  // of masses that do not add up to a number, or of rounding, there might be more
  if (few.size() > most_few) few.clear();
  std::sort(few.begin(), few.end(), [](const FewBody& a, const FewBody& b) { return a.id < b.id; });
}

}  // namespace apsis::viewer

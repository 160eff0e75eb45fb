// SPDX-License-Identifier: MIT
#include <apsis/analysis/profile.hpp>
#include <apsis/viewer/shape.hpp>

#include <algorithm>
#include <cmath>

namespace apsis::viewer {
namespace {

Bodies sample_of(const Points& points) {
  std::vector<std::size_t> there;
  const std::size_t fair = std::min(points.base, points.size());
  for (std::size_t k = 0; k < fair && there.size() < most_shape_bodies; ++k) {
    if (!std::isnan(points.x[k])) there.push_back(k);
  }
  Bodies bodies(there.size());
  if (there.empty()) return bodies;
  const double each_stands_for =
      static_cast<double>(points.bodies) / static_cast<double>(there.size());
  for (std::size_t i = 0; i < there.size(); ++i) {
    const std::size_t k = there[i];
    bodies.id[i] = i;
    bodies.set_position(i, {points.x[k], points.y[k], points.z[k]});
    bodies.mass[i] = static_cast<double>(points.mass[k]) * each_stands_for;
  }
  return bodies;
}

}  // namespace

Shape shape_of(const Points& points) {
  constexpr int threads = 1;  // the others belong to the simulation
  Shape shape{.scene = points.scene, .step = points.step, .time = points.time, .profile = {}};
  const Bodies bodies = sample_of(points);
  if (bodies.size() < fewest_shape_bodies) return shape;
  shape.bodies = bodies.size();
  const analysis::Centre centre = analysis::density_centre(bodies, threads).centre;
  const auto sorted = analysis::by_distance(bodies, centre.position, threads);
  constexpr double shares[] = {0.1, 0.5, 0.9};
  std::ranges::copy(analysis::lagrangian_radii(bodies, sorted, shares), shape.radii);
  for (const analysis::Shell& shell : analysis::profile(
           bodies, sorted, centre, {.count = shape_shells, .least = {}, .most = {}})) {
    if (shell.bodies == 0 || !(shell.inner > 0) || !(shell.density > 0)) continue;
    shape.profile.push_back(
        {std::sqrt(shell.inner * shell.outer), shell.density, shell.density_error});
  }
  return shape;
}

}  // namespace apsis::viewer

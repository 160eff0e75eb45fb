// SPDX-License-Identifier: MIT
#include <apsis/analysis/profile.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace apsis::analysis {
namespace {

double radius_holding(std::span<const AtDistance> sorted, std::size_t bodies) {
  return sorted[std::clamp<std::size_t>(bodies, 1, sorted.size()) - 1].distance;
}

std::vector<double> edges_for(std::span<const AtDistance> sorted, const ShellChoice& choice) {
  const std::size_t n = sorted.size(), hundredth = n / 100;
  const double least =
      choice.least.value_or(radius_holding(sorted, std::max<std::size_t>(10, hundredth)));
  const double most = choice.most.value_or(radius_holding(sorted, n - hundredth));
  std::vector<double> edges{0};
  if (!(least > 0) || !(most > least)) {  // all in one place, or too few to divide
    edges.push_back(std::max({least, most, 0.0}));
    return edges;
  }
  const auto shells = static_cast<double>(choice.count);
  for (std::size_t k = 0; k <= choice.count; ++k) {
    edges.push_back(least * std::pow(most / least, static_cast<double>(k) / shells));
  }
  edges.back() = most;
  return edges;
}

double volume_between(double inner, double outer) {
  return 4 * std::numbers::pi / 3 * (outer * outer * outer - inner * inner * inner);
}

double root_of_positive(double value) { return value > 0 ? std::sqrt(value) : 0; }

}  // namespace

std::vector<Shell> profile(const Bodies& bodies, std::span<const AtDistance> sorted,
                           const Centre& centre, const ShellChoice& choice) {
  std::vector<Shell> shells;
  if (sorted.empty()) return shells;
  const bool massless = is_massless(bodies);
  const std::vector<double> edges = edges_for(sorted, choice);
  std::size_t first = 0;
  double within = 0;
  for (std::size_t e = 1; e < edges.size(); ++e) {
    Shell shell{.inner = edges[e - 1], .outer = edges[e]};
    const std::size_t begin = first;
    double weight = 0, radial = 0, radial_square = 0, square = 0;
    Vec3 turning;
    for (; first < sorted.size() && sorted[first].distance <= shell.outer; ++first) {
      const std::size_t i = sorted[first].number;
      const double m = weight_of(bodies, massless, i), r = sorted[first].distance;
      const Vec3 v = bodies.velocity(i) - centre.velocity;
      const Vec3 outwards = r > 0 ? (bodies.position(i) - centre.position) / r : Vec3{};
      const double speed = dot(v, outwards);
      weight += m, radial += m * speed, radial_square += m * speed * speed, square += m * dot(v, v);
      turning += m * cross(outwards, v);
    }
    shell.bodies = first - begin;
    shell.mass = massless ? 0 : weight;
    within += shell.mass, shell.mass_within = within;
    const double volume = volume_between(shell.inner, shell.outer);
    if (volume > 0) {
      shell.density = shell.mass / volume;
      shell.density_error =
          shell.bodies > 0 ? shell.density / std::sqrt(static_cast<double>(shell.bodies)) : 0;
    }
    if (weight > 0) {
      shell.radial_speed = radial / weight;
      const double radial_spread = radial_square / weight - shell.radial_speed * shell.radial_speed;
      // a shell that turns as a whole has v = v_equator sin θ, and sin² θ is 2/3 in the mean
      shell.rotation = 1.5 * norm(turning) / weight;
      const double tangential = (square - radial_square) / weight;
      shell.radial_dispersion = root_of_positive(radial_spread);
      shell.tangential_dispersion = root_of_positive(tangential / 2);
      if (radial_spread > 0) shell.anisotropy = 1 - tangential / 2 / radial_spread;
    }
    shells.push_back(shell);
  }
  return shells;
}

}  // namespace apsis::analysis

// SPDX-License-Identifier: MIT
#include <apsis/analysis/orbits.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace apsis::analysis {
namespace {

// Below these a circle and a plane are taken for exact: directions would be rounding.
constexpr double smallest_eccentricity = 1e-12, smallest_tilt = 1e-14;

double wrapped(double angle) {
  constexpr double turn = 2 * std::numbers::pi;
  return angle < 0 ? angle + turn : angle >= turn ? angle - turn : angle;
}

// From a to b as seen against `axis`, in [0, 2π).
double angle_between(Vec3 a, Vec3 b, Vec3 axis) {
  return wrapped(std::atan2(dot(cross(a, b), axis) / norm(axis), dot(a, b)));
}

double mean_anomaly_of(double true_anomaly, double e) {
  const double half = std::tan(true_anomaly / 2);
  if (e < 1) {
    const double eccentric = 2 * std::atan(std::sqrt((1 - e) / (1 + e)) * half);
    return wrapped(eccentric - e * std::sin(eccentric));
  }
  if (e == 1) return half + half * half * half / 3;  // Barker's
  const double hyperbolic = 2 * std::atanh(std::sqrt((e - 1) / (e + 1)) * half);
  return e * std::sinh(hyperbolic) - hyperbolic;
}

}  // namespace

OrbitalElements elements_of(Vec3 place, Vec3 speed, double attraction) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  OrbitalElements o;
  const double r = norm(place);
  const Vec3 spin = cross(place, speed);
  const double h = norm(spin);
  const double energy = dot(speed, speed) / 2 - attraction / r;
  const Vec3 towards = cross(speed, spin) / attraction - place / r;  // the pericentre, length e
  o.eccentricity = norm(towards);
  o.semi_major_axis = energy == 0 ? infinite : -attraction / (2 * energy);
  o.pericentre = h * h / attraction / (1 + o.eccentricity);
  const double cubed = o.semi_major_axis * o.semi_major_axis * o.semi_major_axis;
  o.period = energy < 0 ? 2 * std::numbers::pi * std::sqrt(cubed / attraction) : infinite;
  const Vec3 axis = h > 0 ? spin / h : Vec3{0, 0, 1};  // straight into the other: no plane
  o.inclination = std::atan2(std::hypot(axis.x, axis.y), axis.z);
  const bool tilted = std::hypot(axis.x, axis.y) > smallest_tilt;
  const Vec3 node = tilted ? Vec3{-axis.y, axis.x, 0} : Vec3{1, 0, 0};
  if (tilted) o.node = wrapped(std::atan2(node.y, node.x));
  const bool circle = o.eccentricity < smallest_eccentricity;
  const Vec3 start = circle ? node : towards;
  if (!circle) o.periapsis = angle_between(node, towards, axis);
  o.true_anomaly = angle_between(start, place, axis);
  if (o.eccentricity >= 1 && o.true_anomaly > std::numbers::pi) {
    o.true_anomaly -= 2 * std::numbers::pi;
  }
  o.mean_anomaly = mean_anomaly_of(o.true_anomaly, circle ? 0 : o.eccentricity);
  return o;
}

std::size_t heaviest(const Bodies& bodies) {
  return static_cast<std::size_t>(std::ranges::max_element(bodies.mass) - bodies.mass.begin());
}

}  // namespace apsis::analysis

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

// By the distance and the speed along it, which hold where an ellipse is so thin that its angles
// mean nothing.
double mean_anomaly_of(double r, double along, const OrbitalElements& o, double attraction) {
  const double a = o.semi_major_axis, e = o.eccentricity;
  const double sine = along / std::sqrt(attraction * std::abs(a));  // e sin E, or e sinh F
  if (a > 0) return wrapped(std::atan2(sine, 1 - r / a) - sine);
  return sine - std::asinh(sine / e);
}

// Of a parabola, which has no axis (Barker).
double barkers(double true_anomaly) {
  const double half = std::tan(true_anomaly / 2);
  return half + half * half * half / 3;
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
  if (energy >= 0 && o.true_anomaly > std::numbers::pi) {
    o.true_anomaly -= 2 * std::numbers::pi;
  }
  if (circle) {
    o.mean_anomaly = o.true_anomaly;
  } else if (std::isinf(o.semi_major_axis)) {
    o.mean_anomaly = barkers(o.true_anomaly);
  } else {
    o.mean_anomaly = mean_anomaly_of(r, dot(place, speed), o, attraction);
  }
  return o;
}

std::size_t heaviest(const Bodies& bodies) {
  return static_cast<std::size_t>(std::ranges::max_element(bodies.mass) - bodies.mass.begin());
}

}  // namespace apsis::analysis

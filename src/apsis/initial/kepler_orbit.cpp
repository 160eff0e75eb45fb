// SPDX-License-Identifier: MIT
#include <apsis/initial/kepler_orbit.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace apsis::initial {
namespace {

Vec3 turned_about_z(Vec3 a, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c * a.x - s * a.y, s * a.x + c * a.y, a.z};
}

}  // namespace

double orbital_period(const KeplerOrbit& orbit, double mass) {
  const double a = orbit.semi_major_axis;
  return 2 * std::numbers::pi * std::sqrt(a * a * a / mass);
}

double eccentric_anomaly(double mean_anomaly, double eccentricity) {
  const double turn = 2 * std::numbers::pi;
  const double m = std::remainder(mean_anomaly, turn);
  // bisection first: Newton alone can leave the interval for e near 1
  double low = -std::numbers::pi;
  double high = std::numbers::pi;
  double guess = m;
  for (int i = 0; i < 100; ++i) {
    const double miss = guess - eccentricity * std::sin(guess) - m;
    (miss > 0 ? high : low) = guess;
    double next = guess - miss / (1 - eccentricity * std::cos(guess));
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == guess || high - low <= 0) break;
    guess = next;
  }
  return guess;
}

PhasePoint state_on_orbit(const KeplerOrbit& orbit, double mass) {
  const double a = orbit.semi_major_axis;
  const double e = orbit.eccentricity;
  const double anomaly = eccentric_anomaly(orbit.mean_anomaly, e);
  const double c = std::cos(anomaly);
  const double s = std::sin(anomaly);
  const double flat = std::sqrt((1 - e) * (1 + e));
  const double rate = std::sqrt(mass / a) / (1 - e * c);  // a·dE/dt
  const auto placed = [&](Vec3 in_plane) {
    return turned(turned_about_z(in_plane, orbit.periapsis), orbit.inclination, orbit.node);
  };
  return {placed({a * (c - e), a * flat * s, 0}), placed({-rate * s, rate * flat * c, 0})};
}

PhasePoint state_on_parabola(double pericentre, double distance, double mass) {
  // r = q (1 + D²) with D = tan(ν/2), negative before the passage
  const double d = -std::sqrt(std::max(0.0, distance / pericentre - 1));
  const double c = (1 - d * d) / (1 + d * d);
  const double s = 2 * d / (1 + d * d);
  const double rate = std::sqrt(mass / (2 * pericentre));
  return {distance * Vec3{c, s, 0}, rate * Vec3{-s, 1 + c, 0}};
}

Vec3 turned(Vec3 a, double inclination, double node) {
  const double c = std::cos(inclination);
  const double s = std::sin(inclination);
  return turned_about_z({a.x, c * a.y - s * a.z, s * a.y + c * a.z}, node);
}

}  // namespace apsis::initial

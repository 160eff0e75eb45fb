// SPDX-License-Identifier: MIT
#include <apsis/initial/isotropic.hpp>
#include <apsis/initial/king.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace apsis::initial {
namespace {

// Density at W, up to a constant (King 1966, eq. 11, in closed form).
double density(double w) {
  if (w <= 0) return 0;
  const double root = std::sqrt(w);
  return std::exp(w) * std::erf(root) - 2 * root / std::sqrt(std::numbers::pi) * (1 + 2 * w / 3);
}

struct Depth {
  double w, slope;
};

Depth operator+(Depth a, Depth b) { return {a.w + b.w, a.slope + b.slope}; }
Depth operator*(double s, Depth a) { return {s * a.w, s * a.slope}; }

double interpolated(const std::vector<double>& from, const std::vector<double>& to, double at) {
  const auto above = std::upper_bound(from.begin(), from.end(), at);
  if (above == from.begin()) return to.front();
  if (above == from.end()) return to.back();
  const auto k = static_cast<std::size_t>(above - from.begin());
  const double t = (at - from[k - 1]) / (from[k] - from[k - 1]);
  return to[k - 1] + t * (to[k] - to[k - 1]);
}

}  // namespace

KingModel::KingModel(double central_potential) {
  const double centre = density(central_potential);
  const auto rate = [&](double x, Depth d) {
    // at the centre W = W0 - 3x²/2
    return Depth{d.slope, -9 * density(d.w) / centre - (x > 0 ? 2 * d.slope / x : -6.0)};
  };
  Depth d{central_potential, 0};
  double x = 0;
  const auto store = [&] { x_.push_back(x), w_.push_back(d.w), mass_.push_back(-x * x * d.slope); };
  store();
  while (d.w > 0) {
    const double h = 0.002 * (1 + x);
    const Depth k1 = rate(x, d);
    const Depth k2 = rate(x + h / 2, d + 0.5 * h * k1);
    const Depth k3 = rate(x + h / 2, d + 0.5 * h * k2);
    const Depth k4 = rate(x + h, d + h * k3);
    const Depth next = d + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    // the edge, where W = 0: the last step is shortened along the chord
    const double part = next.w > 0 ? 1 : d.w / (d.w - next.w);
    x += part * h;
    d = next.w > 0 ? next : Depth{0, d.slope + part * (next.slope - d.slope)};
    store();
  }
  for (const double m : mass_) cube_root_.push_back(std::cbrt(m / mass()));
}

double KingModel::concentration() const { return std::log10(tidal_radius()); }

double KingModel::virial_radius() const {
  // U = -½ ∫ (W + M/x_t) dm
  double sum = 0;
  for (std::size_t k = 1; k < x_.size(); ++k) {
    sum += 0.5 * (w_[k] + w_[k - 1]) * (mass_[k] - mass_[k - 1]);
  }
  const double binding = 0.5 * sum + 0.5 * mass() * mass() / tidal_radius();
  return mass() * mass() / (2 * binding);
}

double KingModel::radius_of(double mass_fraction) const {
  // x is nearly linear in the cube root near the centre
  return interpolated(cube_root_, x_, std::cbrt(mass_fraction));
}

double KingModel::mass_fraction(double x) const {
  const double root = interpolated(x_, cube_root_, x);
  return root * root * root;
}

double KingModel::potential(double x) const { return interpolated(x_, w_, x); }

double KingModel::speed(double w, BodyRandom& random) {
  return rejected_speed(random, std::sqrt(2 * std::max(w, 0.0)),
                        [&](double v) { return v * v * std::expm1(w - 0.5 * v * v); });
}

}  // namespace apsis::initial

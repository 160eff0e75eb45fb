// SPDX-License-Identifier: MIT
#include <apsis/initial/spherical.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace apsis::initial {
namespace {

// From 1e-6 to 1e6 scale lengths, 100 to a decade: cubic interpolation is good to 1e-8.
constexpr std::size_t table_points = 1201;
constexpr double decades = 12;

}  // namespace

HernquistSphere::HernquistSphere(double mass, double scale, double taper)
    : mass_(mass), scale_(scale), taper_(taper) {
  first_ = std::log(1e-6 * scale);
  spacing_ = decades * std::numbers::ln10 / (table_points - 1);
  const auto radius = [&](double k) { return std::exp(first_ + spacing_ * k); };
  const auto shell = [&](double r) { return 4 * std::numbers::pi * r * r * r * density(r).value; };
  mass_table_ = {0.5 * shell(radius(0))};  // ρ ∝ 1/r inside
  for (std::size_t k = 1; k < table_points; ++k) {
    const auto at = static_cast<double>(k);
    const double simpson = shell(radius(at - 1)) + 4 * shell(radius(at - 0.5)) + shell(radius(at));
    mass_table_.push_back(mass_table_.back() + spacing_ / 6 * simpson);
  }
  factor_ = mass / mass_table_.back();
  psi_table_.resize(table_points);
  for (std::size_t k = 0; k < table_points; ++k) {
    const double r = radius(static_cast<double>(k));
    mass_table_[k] *= factor_;
    mass_slope_.push_back(shell(r));
    psi_slope_.push_back(-mass_table_[k] / r);
  }
  // inwards; each cell by Simpson's rule with the enclosed mass of its middle
  psi_table_.back() = -psi_slope_.back();
  for (std::size_t k = table_points - 1; k > 0; --k) {
    const double middle = radius(static_cast<double>(k) - 0.5);
    const double sum = psi_slope_[k] + psi_slope_[k - 1] - 4 * enclosed(middle) / middle;
    psi_table_[k - 1] = psi_table_[k] - spacing_ / 6 * sum;
  }
}

Derivatives HernquistSphere::density(double r) const {
  const double outer = r + scale_;
  const double value = factor_ * scale_ / (2 * std::numbers::pi * r * outer * outer * outer) *
                       std::exp(-(r / taper_) * (r / taper_));
  const double tapering = 2 / (taper_ * taper_);
  const double fall = 1 / r + 3 / outer + tapering * r;
  const double bend = 1 / (r * r) + 3 / (outer * outer) - tapering;
  return {value, -value * fall, value * (fall * fall + bend)};
}

double HernquistSphere::interpolated(const std::vector<double>& values,
                                     const std::vector<double>& slopes, double r) const {
  const double at = std::clamp((std::log(r) - first_) / spacing_, 0.0, double{table_points - 1});
  const auto k = std::min(static_cast<std::size_t>(at), table_points - 2);
  const double t = at - static_cast<double>(k);
  // cubic Hermite
  const double u = 1 - t;
  return u * u * (1 + 2 * t) * values[k] + t * t * (1 + 2 * u) * values[k + 1] +
         spacing_ * t * u * (u * slopes[k] - t * slopes[k + 1]);
}

double HernquistSphere::enclosed(double r) const {
  return interpolated(mass_table_, mass_slope_, r);
}

Derivatives HernquistSphere::potential(double r) const {
  const double inside = enclosed(r);
  const double slope = -inside / (r * r);
  const double curvature = -2 * slope / r - 4 * std::numbers::pi * density(r).value;
  return {interpolated(psi_table_, psi_slope_, r), slope, curvature};
}

double HernquistSphere::radius_of(double enclosed_mass) const {
  const auto above = std::lower_bound(mass_table_.begin(), mass_table_.end(), enclosed_mass);
  const auto k = std::clamp<std::ptrdiff_t>(above - mass_table_.begin(), 1, table_points - 1);
  const double low = std::log(mass_table_[k - 1]);
  const double high = std::log(mass_table_[k]);
  const double t = high > low ? (std::log(enclosed_mass) - low) / (high - low) : 0.0;
  return std::exp(first_ + spacing_ * (static_cast<double>(k - 1) + t));
}

Derivatives SphericalField::potential(double r) const {
  Derivatives psi;
  for (const auto& sphere : spheres) {
    const Derivatives own = sphere.potential(r);
    psi.value += own.value, psi.slope += own.slope, psi.curvature += own.curvature;
  }
  if (disk_mass > 0) {
    const double x = r / disk_scale;
    const double fade = std::exp(-x);
    const double inside = disk_mass * (-std::expm1(-x) - x * fade);
    psi.value += disk_mass * -std::expm1(-x) / r;
    psi.slope -= inside / (r * r);
    psi.curvature += 2 * inside / (r * r * r) - disk_mass * x * fade / (disk_scale * r * r);
  }
  return psi;
}

}  // namespace apsis::initial

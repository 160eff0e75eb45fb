// SPDX-License-Identifier: MIT
#include <apsis/initial/isotropic.hpp>

#include <cmath>
#include <numbers>
#include <utility>

namespace apsis::initial {
namespace {

// d²ρ/dψ² of the sphere in the field, by way of the derivatives in r.
double density_curvature(const HernquistSphere& sphere, const Potential& psi, double r) {
  const double outer = r + sphere.scale;
  const double density =
      sphere.mass * sphere.scale / (2 * std::numbers::pi * r * outer * outer * outer);
  const double fall = 1 / r + 3 / outer;
  const double slope = -density * fall;
  const double curvature = density * (fall * fall + 1 / (r * r) + 3 / (outer * outer));
  return (curvature - slope * psi.curvature / psi.slope) / (psi.slope * psi.slope);
}

// f at the binding energy ψ(start): (1/√8π²) ∫ d²ρ/dψ² dψ/√(E-ψ). With r = start·exp(u²) the
// root at the lower end cancels, and the midpoint rule converges quickly.
double eddington(const HernquistSphere& sphere, const SphericalField& field, double start) {
  constexpr int points = 400;
  const double energy = field.potential(start).value;
  const double last = std::sqrt(std::log(1e8 * (sphere.scale + start) / start));
  const double width = last / points;
  double sum = 0;
  for (int k = 0; k < points; ++k) {
    const double u = (k + 0.5) * width;
    const double r = start * std::exp(u * u);
    const Potential psi = field.potential(r);
    const double depth = energy - psi.value;
    if (depth <= 0) continue;
    sum += density_curvature(sphere, psi, r) * -psi.slope * 2 * u * r / std::sqrt(depth);
  }
  const double pi = std::numbers::pi;
  return std::max(0.0, sum * width / (std::sqrt(8.0) * pi * pi));
}

}  // namespace

double HernquistSphere::enclosed(double r) const {
  const double x = r / (r + scale);
  return mass * x * x;
}

double HernquistSphere::radius_of(double mass_fraction) const {
  const double x = std::sqrt(mass_fraction);
  return scale * x / (1 - x);
}

Potential SphericalField::potential(double r) const {
  Potential psi;
  for (const auto& sphere : spheres) {
    const double outer = r + sphere.scale;
    psi.value += sphere.mass / outer;
    psi.slope -= sphere.mass / (outer * outer);
    psi.curvature += 2 * sphere.mass / (outer * outer * outer);
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

IsotropicVelocities::IsotropicVelocities(const HernquistSphere& sphere, SphericalField field)
    : field_(std::move(field)) {
  // radii from 1e-4 to 1e4 scales, 75 to a decade
  constexpr int points = 600;
  energy_.resize(points);
  log_f_.resize(points);
  for (int k = 0; k < points; ++k) {
    const double r = sphere.scale * std::pow(10.0, -4 + 8.0 * k / (points - 1));
    energy_[k] = field_.potential(r).value;
    log_f_[k] = std::log(std::max(eddington(sphere, field_, r), 1e-300));
  }
}

double IsotropicVelocities::distribution(double binding_energy) const {
  if (!(binding_energy > energy_.back())) return 0;
  const auto above =
      std::lower_bound(energy_.begin(), energy_.end(), binding_energy, std::greater<>());
  if (above == energy_.begin()) return std::exp(log_f_.front());
  const auto k = static_cast<std::size_t>(above - energy_.begin());
  const double t = (energy_[k - 1] - binding_energy) / (energy_[k - 1] - energy_[k]);
  return std::exp(log_f_[k - 1] + t * (log_f_[k] - log_f_[k - 1]));
}

Vec3 IsotropicVelocities::velocity(double r, BodyRandom& random) const {
  const double psi = field_.potential(r).value;
  const double speed = rejected_speed(random, std::sqrt(2 * psi), [&](double v) {
    return v * v * distribution(psi - 0.5 * v * v);
  });
  return speed * random.direction();
}

}  // namespace apsis::initial

// SPDX-License-Identifier: MIT
#include <apsis/initial/isotropic.hpp>

#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

namespace apsis::initial {
namespace {

// d²ρ/dψ² by way of the derivatives in r.
double density_curvature(const Derivatives& density, const Derivatives& psi) {
  return (density.curvature - density.slope * psi.curvature / psi.slope) / (psi.slope * psi.slope);
}

// f at the binding energy ψ(start): (1/√8π²) ∫ d²ρ/dψ² dψ/√(E-ψ). With r = start·exp(u²) the
// root at the lower end cancels, and the midpoint rule converges quickly.
double eddington(const HernquistSphere& sphere, const SphericalField& field, double start) {
  constexpr int points = 400;
  const double energy = field.potential(start).value;
  const double last = std::sqrt(std::log(1e6 * (sphere.scale() + start) / start));
  const double width = last / points;
  double sum = 0;
  for (int k = 0; k < points; ++k) {
    const double u = (k + 0.5) * width;
    const double r = start * std::exp(u * u);
    const Derivatives density = sphere.density(r);
    if (density.value == 0) break;  // beyond the taper
    const Derivatives psi = field.potential(r);
    const double depth = energy - psi.value;
    if (depth <= 0) continue;
    sum += density_curvature(density, psi) * -psi.slope * 2 * u * r / std::sqrt(depth);
  }
  const double pi = std::numbers::pi;
  return std::max(0.0, sum * width / (std::sqrt(8.0) * pi * pi));
}

}  // namespace

IsotropicVelocities::IsotropicVelocities(const HernquistSphere& sphere, SphericalField field)
    : field_(std::move(field)) {
  // radii from 1e-4 to 1e4 scales, 50 to a decade
  constexpr int points = 400;
  for (int k = 0; k < points; ++k) {
    const double r = sphere.scale() * std::pow(10.0, -4 + 8.0 * k / (points - 1));
    const double f = eddington(sphere, field_, r);
    if (!(f > 0)) break;
    energy_.push_back(field_.potential(r).value);
    log_f_.push_back(std::log(f));
  }
}

double IsotropicVelocities::distribution(double binding_energy) const {
  if (energy_.empty() || !(binding_energy > energy_.back())) return 0;
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

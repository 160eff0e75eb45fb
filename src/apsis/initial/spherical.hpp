// SPDX-License-Identifier: MIT
// Inside initial/: spherical densities and the potential they make together. G = 1.
#pragma once

#include <limits>
#include <vector>

namespace apsis::initial {

// Value and the first two derivatives in r.
struct Derivatives {
  double value = 0, slope = 0, curvature = 0;
};

// Hernquist (1990): ρ ∝ 1/(r (r+a)³), on request times exp(-(r/t)²), which ends the sphere softly
// and lets it keep its own equilibrium. Mass and potential are tabulated in ln r.
class HernquistSphere {
 public:
  HernquistSphere(double mass, double scale,
                  double taper = std::numeric_limits<double>::infinity());

  double mass() const { return mass_; }
  double scale() const { return scale_; }
  Derivatives density(double r) const;
  Derivatives potential(double r) const;  // ψ = -Φ
  double enclosed(double r) const;
  double radius_of(double enclosed_mass) const;

 private:
  double interpolated(const std::vector<double>& values, const std::vector<double>& slopes,
                      double r) const;

  double mass_, scale_, taper_;
  double factor_ = 1;  // of the density
  double first_ = 0, spacing_ = 1;
  std::vector<double> mass_table_, mass_slope_;  // slopes in ln r
  std::vector<double> psi_table_, psi_slope_;
};

// Spheres, and an exponential disk as its mass inside r would act if it were a sphere.
struct SphericalField {
  std::vector<HernquistSphere> spheres;
  double disk_mass = 0, disk_scale = 1;

  Derivatives potential(double r) const;
};

}  // namespace apsis::initial

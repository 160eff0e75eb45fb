// SPDX-License-Identifier: MIT
// Inside initial/: the King (1966) model, solved in units of its core radius r0, its dispersion σ
// and G = 1: W'' + 2W'/x = -9 ρ(W)/ρ(W0).
#pragma once

#include <apsis/core/random.hpp>

#include <vector>

namespace apsis::initial {

class KingModel {
 public:
  explicit KingModel(double central_potential);

  double tidal_radius() const { return x_.back(); }
  double concentration() const;  // log10(tidal radius / r0)
  double mass() const { return mass_.back(); }
  double virial_radius() const;  // M²/(2|U|)

  double radius_of(double mass_fraction) const;
  double mass_fraction(double x) const;
  double potential(double x) const;  // W, 0 at the edge
  // Speed at W, density ∝ v²(exp(W - v²/2) - 1).
  static double speed(double w, BodyRandom& random);

 private:
  std::vector<double> x_, w_, mass_, cube_root_;  // the last: of the mass fraction
};

}  // namespace apsis::initial

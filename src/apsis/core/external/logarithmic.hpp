// SPDX-License-Identifier: MIT
// The halo of a flat rotation curve: potential v²/2 ln(core² + x² + y² + z²/q²). On devices:
// kernels/external_logarithmic.cl.
#pragma once

#include <apsis/core/external/external_info.hpp>
#include <apsis/core/fields.hpp>
#include <apsis/core/vec3.hpp>

#include <cmath>
#include <optional>

namespace apsis::external {

struct Logarithmic {
  static constexpr ExternalInfo info{"logarithmic", "a halo with a flat rotation curve"};
  std::optional<double> speed, core, flattening;

  ExternalConstants<double> constants(double /*time*/, const ExternalUnits& units) const {
    const double v = speed.value_or(0) * units.time / units.length;
    const double length = core.value_or(0) / units.length;
    const double q = flattening.value_or(1);
    return {v * v, length * length, 1 / (q * q)};
  }

  template <class Real>
  static Components<Real> acceleration(const ExternalConstants<Real>& c,
                                       const Components<Real>& p) {
    const Real weight = -c[0] / square(c, p);
    return {weight * p.x, weight * p.y, weight * (c[2] * p.z)};
  }
  template <class Real>
  static Components<Real> jerk(const ExternalConstants<Real>& c, const Components<Real>& p,
                               const Components<Real>& v) {
    const Real inverse = 1 / square(c, p);
    const Real weight = -c[0] * inverse;
    const Real along = 2 * (p.x * v.x + p.y * v.y + c[2] * p.z * v.z) * inverse;
    return {weight * (v.x - along * p.x), weight * (v.y - along * p.y),
            weight * (c[2] * (v.z - along * p.z))};
  }
  static double potential(const ExternalConstants<double>& c, Vec3 p) {
    return 0.5 * c[0] * std::log(square(c, Components<double>{p.x, p.y, p.z}));
  }

  friend bool operator==(const Logarithmic&, const Logarithmic&) = default;

 private:
  template <class Real>
  static Real square(const ExternalConstants<Real>& c, const Components<Real>& p) {
    return p.x * p.x + p.y * p.y + c[2] * (p.z * p.z) + c[1];
  }
};

template <SameBut<Logarithmic> Field, class Visit>
void for_each_field(Field& field, const Visit& visit) {
  auto& [speed, core, flattening] = field;
  visit(FieldInfo{"speed", FieldInfo::needed, "of circular orbits far outside the core"}, speed);
  visit(FieldInfo{"core", FieldInfo::needed, "radius within which the density is nearly constant"}
            .positive(),
        core);
  visit(FieldInfo{"flattening", "1", "axis ratio of its surfaces of equal potential"}.positive(),
        flattening);
}

}  // namespace apsis::external

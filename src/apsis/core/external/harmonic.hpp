// SPDX-License-Identifier: MIT
// A spring to the origin along each axis: a trap, or with a negative stiffness a slope away from it
// (tides are one of each). On devices: kernels/external_harmonic.cl.
#pragma once

#include <apsis/core/external/external_info.hpp>
#include <apsis/core/fields.hpp>
#include <apsis/core/vec3.hpp>

#include <optional>

namespace apsis::external {

struct Harmonic {
  static constexpr ExternalInfo info{"harmonic", "acceleration -k x towards the origin"};
  std::optional<double> x, y, z;

  ExternalConstants<double> constants(double /*time*/, const ExternalUnits& units) const {
    const double unit = units.time * units.time;
    return {x.value_or(0) * unit, y.value_or(0) * unit, z.value_or(0) * unit};
  }

  template <class Real>
  static Components<Real> acceleration(const ExternalConstants<Real>& k,
                                       const Components<Real>& place) {
    return {-k[0] * place.x, -k[1] * place.y, -k[2] * place.z};
  }
  template <class Real>
  static Components<Real> jerk(const ExternalConstants<Real>& k, const Components<Real>& /*place*/,
                               const Components<Real>& velocity) {
    return acceleration(k, velocity);
  }
  static double potential(const ExternalConstants<double>& k, Vec3 p) {
    return 0.5 * (k[0] * p.x * p.x + k[1] * p.y * p.y + k[2] * p.z * p.z);
  }

  friend bool operator==(const Harmonic&, const Harmonic&) = default;
};

template <SameBut<Harmonic> Field, class Visit>
void for_each_field(Field& field, const Visit& visit) {
  auto& [x, y, z] = field;
  visit(FieldInfo{"x", "0", "stiffness k along x, a frequency squared; negative pushes away"}, x);
  visit(FieldInfo{"y", "0", "stiffness along y"}, y);
  visit(FieldInfo{"z", "0", "stiffness along z"}, z);
}

}  // namespace apsis::external

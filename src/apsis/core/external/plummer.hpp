// SPDX-License-Identifier: MIT
// The pull of a Plummer sphere that stays at the origin: potential -G M/√(r² + a²); with radius 0
// that of a point. On devices: kernels/external_plummer.cl.
#pragma once

#include <apsis/core/external/external_info.hpp>
#include <apsis/core/fields.hpp>
#include <apsis/core/vec3.hpp>

#include <cmath>
#include <optional>

namespace apsis::external {

struct Plummer {
  static constexpr ExternalInfo info{"plummer", "a Plummer sphere, or point, held at the origin",
                                     true};
  std::optional<double> mass, radius;

  ExternalConstants<double> constants(double /*time*/, const ExternalUnits& units) const {
    const double a = radius.value_or(0) / units.length;
    return {units.gravity * mass.value_or(0) / units.mass(), a * a};
  }

  template <class Real>
  static Components<Real> acceleration(const ExternalConstants<Real>& c,
                                       const Components<Real>& p) {
    const Real weight = -c[0] * cube(inverse(c, p));
    return {weight * p.x, weight * p.y, weight * p.z};
  }
  template <class Real>
  static Components<Real> jerk(const ExternalConstants<Real>& c, const Components<Real>& p,
                               const Components<Real>& v) {
    const Real root = inverse(c, p);
    const Real weight = -c[0] * cube(root);
    const Real along = 3 * (p.x * v.x + p.y * v.y + p.z * v.z) * root * root;
    return {weight * (v.x - along * p.x), weight * (v.y - along * p.y),
            weight * (v.z - along * p.z)};
  }
  static double potential(const ExternalConstants<double>& c, Vec3 p) {
    return -c[0] * inverse(c, Components<double>{p.x, p.y, p.z});
  }

  friend bool operator==(const Plummer&, const Plummer&) = default;

 private:
  // 1/√(r² + a²); like pairs in one place, a body in the very middle of a point feels nothing.
  template <class Real>
  static Real inverse(const ExternalConstants<Real>& c, const Components<Real>& p) {
    const Real square = p.x * p.x + p.y * p.y + p.z * p.z + c[1];
    return square > 0 ? 1 / std::sqrt(square) : Real(0);
  }
  template <class Real>
  static Real cube(Real x) {
    return x * x * x;
  }
};

template <SameBut<Plummer> Field, class Visit>
void for_each_field(Field& field, const Visit& visit) {
  auto& [mass, radius] = field;
  visit(FieldInfo{"mass", FieldInfo::needed, "its mass, which pulls with G as under gravity"},
        mass);
  visit(FieldInfo{"radius", "0", "its Plummer radius; 0 is a point"}.not_negative(), radius);
}

}  // namespace apsis::external

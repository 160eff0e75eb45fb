// SPDX-License-Identifier: MIT
// The same pull everywhere, constant or swinging as a cosine. On devices:
// kernels/external_uniform.cl.
#pragma once

#include <apsis/core/external/external_info.hpp>
#include <apsis/core/fields.hpp>
#include <apsis/core/vec3.hpp>

#include <cmath>
#include <numbers>
#include <optional>

namespace apsis::external {

struct Uniform {
  static constexpr ExternalInfo info{"uniform", "the same acceleration everywhere"};
  std::optional<double> x, y, z, period;

  // The acceleration, and how it changes.
  ExternalConstants<double> constants(double time, const ExternalUnits& units) const {
    const double rate = period ? 2 * std::numbers::pi / *period : 0;
    const double now = std::cos(rate * time) / units.acceleration();
    const double change = -rate * std::sin(rate * time) * units.time / units.acceleration();
    const double gx = x.value_or(0), gy = y.value_or(0), gz = z.value_or(0);
    return {gx * now, gy * now, gz * now, gx * change, gy * change, gz * change};
  }

  template <class Real>
  static Components<Real> acceleration(const ExternalConstants<Real>& c,
                                       const Components<Real>& /*place*/) {
    return {c[0], c[1], c[2]};
  }
  template <class Real>
  static Components<Real> jerk(const ExternalConstants<Real>& c, const Components<Real>& /*place*/,
                               const Components<Real>& /*velocity*/) {
    return {c[3], c[4], c[5]};
  }
  static double potential(const ExternalConstants<double>& c, Vec3 p) {
    return -(c[0] * p.x + c[1] * p.y + c[2] * p.z);
  }

  friend bool operator==(const Uniform&, const Uniform&) = default;
};

template <SameBut<Uniform> Field, class Visit>
void for_each_field(Field& field, const Visit& visit) {
  auto& [x, y, z, period] = field;
  visit(FieldInfo{"x", "0", "acceleration along x"}, x);
  visit(FieldInfo{"y", "0", "acceleration along y"}, y);
  visit(FieldInfo{"z", "0", "acceleration along z"}, z);
  visit(FieldInfo{"period", "none", "of a cosine that the acceleration follows, largest at t = 0"}
            .positive(),
        period);
}

}  // namespace apsis::external

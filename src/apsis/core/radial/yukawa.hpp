// SPDX-License-Identifier: MIT
// Screened: potential exp(-u)/r with u = r/range, force (1 + u) exp(-u)/r². On devices:
// kernels/radial_yukawa.cl.
#pragma once

#include <apsis/core/radial/exponential.hpp>
#include <apsis/core/radial/radial_info.hpp>

namespace apsis::radial {

struct Yukawa {
  static constexpr RadialInfo info{"yukawa", "screened: potential exp(-r/range)/r", true};

  explicit Yukawa(double range) : inverse_range_(1 / range) {}

  template <class Real>
  [[gnu::always_inline]] Real force(Real r) const {
    const Real u = ranges(r);
    return (1 + u) * exp_of_minus(u);
  }
  template <class Real>
  [[gnu::always_inline]] Real potential(Real r) const {
    return exp_of_minus(ranges(r));
  }
  template <class Real>
  [[gnu::always_inline]] Real steepness(Real r) const {
    const Real u = ranges(r);
    return 3 + u * u / (1 + u);
  }

 private:
  // No more than what leaves nothing beside newton's: one choice, which becomes a vector minimum.
  template <class Real>
  [[gnu::always_inline]] Real ranges(Real r) const {
    const Real u = r * static_cast<Real>(inverse_range_);
    return u < most_exponent<Real> ? u : most_exponent<Real>;
  }

  double inverse_range_;
};

}  // namespace apsis::radial

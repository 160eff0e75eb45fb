// SPDX-License-Identifier: MIT
// The law that the others are measured by: potential 1/r, force 1/r². Products with its factors
// vanish when loops are compiled. On devices: kernels/radial_newton.cl.
#pragma once

#include <apsis/core/radial/radial_info.hpp>

namespace apsis::radial {

struct Newton {
  static constexpr RadialInfo info{"newton", "potential 1/r, force 1/r²"};

  explicit Newton(double /*range*/) {}

  template <class Real>
  [[gnu::always_inline]] Real force(Real /*r*/) const {
    return 1;
  }
  template <class Real>
  [[gnu::always_inline]] Real potential(Real /*r*/) const {
    return 1;
  }
  template <class Real>
  [[gnu::always_inline]] Real steepness(Real /*r*/) const {
    return 3;
  }
};

}  // namespace apsis::radial

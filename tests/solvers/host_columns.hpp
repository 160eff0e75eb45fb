// SPDX-License-Identifier: MIT
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/solvers/solver.hpp>

#include <vector>

namespace apsis::test {

// All arrays of bodies in one type.
template <class Real>
struct Columns {
  std::vector<Real> x, y, z, strength, vx, vy, vz;

  explicit Columns(const Bodies& b, Law law = Law::gravity)
      : x(b.x().begin(), b.x().end()),
        y(b.y().begin(), b.y().end()),
        z(b.z().begin(), b.z().end()),
        strength(strengths(b, law).begin(), strengths(b, law).end()),
        vx(b.vx().begin(), b.vx().end()),
        vy(b.vy().begin(), b.vy().end()),
        vz(b.vz().begin(), b.vz().end()) {}

  BodiesView<Host<Real>> view() const {
    return {x.size(),        x.data(),  y.data(),  z.data(),
            strength.data(), vx.data(), vy.data(), vz.data()};
  }
};

}  // namespace apsis::test

// SPDX-License-Identifier: MIT
// What the tests of the native far-field solvers share: bodies in columns, and errors against the
// reference by the measure of docs/accuracy.md.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/solvers/reference.hpp>
#include <apsis/solvers/tree/far_field_solver.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace apsis::test {

template <class Real>
struct FarColumns {
  std::vector<Real> x, y, z, strength, fx, fy, fz, potential;

  FarColumns() = default;
  FarColumns(const Bodies& b, bool charged) {
    x.assign(b.x().begin(), b.x().end()), y.assign(b.y().begin(), b.y().end());
    z.assign(b.z().begin(), b.z().end());
    const auto& s = charged ? b.charge : b.mass;
    strength.assign(s.begin(), s.end());
    clear();
  }
  void add(Real px, Real py, Real pz, Real s) {
    x.push_back(px), y.push_back(py), z.push_back(pz), strength.push_back(s);
    clear();
  }
  void clear() {
    for (auto* column : {&fx, &fy, &fz, &potential}) column->assign(x.size(), Real(0));
  }
  BodiesView<Host<Real>> view() const {
    return {x.size(), x.data(), y.data(), z.data(), strength.data()};
  }
  Field<Host<Real>> field() { return {fx.data(), fy.data(), fz.data()}; }
  Field<Host<Real>> field_and_potential() {
    return {fx.data(), fy.data(), fz.data(), potential.data()};
  }
  // The same numbers in double, for the reference.
  FarColumns<double> in_double() const {
    FarColumns<double> d;
    d.x.assign(x.begin(), x.end()), d.y.assign(y.begin(), y.end());
    d.z.assign(z.begin(), z.end()), d.strength.assign(strength.begin(), strength.end());
    d.clear();
    return d;
  }
};

struct FarErrors {
  double p99 = 0, max = 0, potential = 0;
};

// Field errors over |field|, or over max(|field|, rms) for mixed signs; the largest error of a
// potential over the sum of its terms' magnitudes.
template <class Real>
FarErrors errors_of(const FarColumns<Real>& got, double softening, bool charged) {
  FarColumns<double> expected = got.in_double(), magnitude = got.in_double();
  const std::size_t n = got.x.size();
  if (n < 2) return {};
  ReferenceSolver(softening).add_self_field(expected.view(), expected.field_and_potential());
  for (double& s : magnitude.strength) s = std::abs(s);
  ReferenceSolver(softening).add_self_field(magnitude.view(), magnitude.field_and_potential());
  double square = 0;
  for (std::size_t i = 0; i < n; ++i) {
    square += expected.fx[i] * expected.fx[i] + expected.fy[i] * expected.fy[i] +
              expected.fz[i] * expected.fz[i];
  }
  const double rms = std::sqrt(square / static_cast<double>(n));
  std::vector<double> errors(n);
  FarErrors out;
  for (std::size_t i = 0; i < n; ++i) {
    const double size = std::hypot(expected.fx[i], expected.fy[i], expected.fz[i]);
    errors[i] = std::hypot(static_cast<double>(got.fx[i]) - expected.fx[i],
                           static_cast<double>(got.fy[i]) - expected.fy[i],
                           static_cast<double>(got.fz[i]) - expected.fz[i]) /
                std::max(size, charged ? rms : 1e-12 * rms);
    const double of_potential =
        std::abs(static_cast<double>(got.potential[i]) - expected.potential[i]) /
        magnitude.potential[i];
    out.potential = std::max(out.potential, of_potential);
  }
  std::sort(errors.begin(), errors.end());
  out.p99 = errors[(n * 99 + 99) / 100 - 1], out.max = errors.back();
  return out;
}

}  // namespace apsis::test

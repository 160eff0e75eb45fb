// SPDX-License-Identifier: MIT
// What the tests of fmm and tree on OpenCL devices share: sets of bodies, an evaluation on the
// first device, and its errors against the reference.
#pragma once

#include <apsis/solvers/fmm/fmm_opencl.hpp>
#include <apsis/solvers/reference.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/opencl.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace apsis::test {

// A Plummer sphere, equal masses, out to 40 scale lengths.
inline Bodies plummer(std::size_t n, std::uint64_t seed = 3) {
  Bodies bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    BodyRandom random(seed, i);
    const double share = random.uniform(1e-9, 0.999);
    const double radius = 1 / std::sqrt(std::pow(share, -2.0 / 3) - 1);
    const double z = random.uniform(-1, 1), angle = random.uniform(0, 2 * std::numbers::pi);
    const double rho = std::sqrt(1 - z * z);
    bodies.set_position(
        i, {radius * rho * std::cos(angle), radius * rho * std::sin(angle), radius * z});
    bodies.mass[i] = 1.0 / static_cast<double>(n);
  }
  return bodies;
}

inline Bodies cube(std::size_t n, bool charged = false) {
  Bodies bodies(n, charged);
  for (std::size_t i = 0; i < n; ++i) {
    BodyRandom random(8, i);
    bodies.set_position(i, {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    bodies.mass[i] = random.uniform(1, 3) / static_cast<double>(n);
    if (charged) bodies.charge[i] = i % 2 == 0 ? 1 : -1;
  }
  return bodies;
}

inline Bodies rounded(Bodies b) {
  for (const std::span<double> column :
       {b.positions.values(), std::span(b.mass), std::span(b.charge)}) {
    for (double& value : column) value = static_cast<double>(static_cast<float>(value));
  }
  return b;
}

struct Case {
  std::string name;
  Bodies bodies;
  Law law = Law::gravity;
  double softening = 0;
  double accuracy = 1e-3;
  Precision precision = Precision::f32;
  int leaf = 0;
  std::optional<double> angle = std::nullopt;
  std::optional<int> order = std::nullopt;
  bool bodies_only = false;  // tree, not fmm
};

inline std::unique_ptr<Solver<Device>> solver(const Case& c) {
  return make_fmm_opencl(
      context(), {.bodies_only = c.bodies_only,
                  .far_field = {.accuracy = c.accuracy, .opening_angle = c.angle, .order = c.order},
                  .softening = c.softening,
                  .precision = c.precision,
                  .signed_strengths = c.law == Law::coulomb,
                  .bodies = c.bodies.size(),
                  .leaf = c.leaf});
}

// Four numbers a body: field and potential.
inline std::vector<double> evaluated(const Case& c, Wants wants = {.potential = true}) {
  const DeviceBodies there(c.bodies, c.law, c.precision);
  PartialSums sums;
  sums.padded = there.padded;
  solver(c)->add_self_field(there.view(), {.field = &sums, .wanted = wants});
  return summed(sums, c.bodies.size(), c.precision);
}

// Every `each`-th body in a cube, the others on a line through it, where forces cancel: a choice
// that is made on the former alone is far too loose for the latter.
inline Bodies easy_and_hard(std::size_t n, std::size_t each) {
  Bodies bodies = cube(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (i % each != 0) bodies.y()[i] = bodies.z()[i] = 0;
  }
  return rounded(bodies);
}

struct Expected {
  std::vector<double> x, y, z, potential, magnitude;
  double rms = 0;

  Expected(const Bodies& b, Law law, double softening)
      : x(b.size()), y(x), z(x), potential(x), magnitude(x) {
    std::vector<double> strength = strengths(b, law);
    const BodiesView<Host<double>> view{b.size(), b.x().data(), b.y().data(), b.z().data(),
                                        strength.data()};
    ReferenceSolver reference(softening);
    reference.add_self_field(view, {x.data(), y.data(), z.data(), potential.data()});
    for (double& s : strength) s = std::abs(s);
    reference.add_self_field(view, {.potential = magnitude.data()});
    for (std::size_t i = 0; i < b.size(); ++i) rms += dot(at(i), at(i));
    if (b.size() > 0) rms = std::sqrt(rms / static_cast<double>(b.size()));
  }
  Vec3 at(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

struct Errors {
  double median = 0, p99 = 0, max = 0, potential_p99 = 0;
};

inline double at_share(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto rank = std::ceil(share * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

inline Errors errors_of(const Case& c, const std::vector<double>& got) {
  const Expected expected(c.bodies, c.law, c.softening);
  std::vector<double> field, potential;
  for (std::size_t i = 0; i < c.bodies.size(); ++i) {
    const Vec3 reference = expected.at(i);
    const Vec3 difference = Vec3{got[4 * i], got[4 * i + 1], got[4 * i + 2]} - reference;
    const double size = norm(reference);
    const double scale = c.law == Law::coulomb ? std::max(size, expected.rms) : size;
    EXPECT_TRUE(std::isfinite(norm(difference))) << "body " << i;
    field.push_back(norm(difference) == 0 ? 0 : norm(difference) / std::max(scale, 1e-300));
    const double of_potential = std::abs(got[4 * i + 3] - expected.potential[i]);
    EXPECT_TRUE(std::isfinite(of_potential)) << "body " << i;
    potential.push_back(of_potential == 0 ? 0 : of_potential / expected.magnitude[i]);
  }
  return {at_share(field, 0.5), at_share(field, 0.99), at_share(field, 1),
          at_share(potential, 0.99)};
}

inline void expect_accurate(const Case& c) {
  SCOPED_TRACE(fmt::format("{}, {} bodies, softening {}, accuracy {}", c.name, c.bodies.size(),
                           c.softening, c.accuracy));
  const Errors errors = errors_of(c, evaluated(c));
  EXPECT_LE(errors.p99, c.accuracy);
  EXPECT_LE(errors.potential_p99, c.accuracy);
}

// Random bodies, some in one place, some without strength, signs mixed.
inline Bodies awkward_bodies(std::size_t n, bool charged) {
  Bodies b = random_bodies(n, 11, charged);
  for (std::size_t i = 7; i < n; i += 16) {
    b.x()[i] = b.x()[i - 3], b.y()[i] = b.y()[i - 3], b.z()[i] = b.z()[i - 3];
  }
  for (std::size_t i = 5; i < n; i += 11) (charged ? b.charge : b.mass)[i] = 0;
  return rounded(b);
}

}  // namespace apsis::test

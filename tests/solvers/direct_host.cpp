// SPDX-License-Identifier: MIT
// The native direct solver against the reference: every precision, softening, size and kind of
// body, and everything that a field can be asked for.
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/direct/direct_simd.hpp>
#include <apsis/solvers/reference.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <solvers/host_columns.hpp>
#include <support/bodies.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace apsis {
namespace {

using test::Columns;

struct Asked {
  double softening = 0;
  int threads = 0;
  Precision precision = Precision::f64;
  std::string variant;
};
template <class Real>
std::unique_ptr<Solver<Host<Real>>> solver_with(const Asked& asked) {
  return make_direct_host<Real>(
      {.force = {.softening = asked.softening},
       .device = {
           .precision = asked.precision, .threads = asked.threads, .variant = asked.variant}});
}

template <class Real>
struct Results {
  std::vector<Real> x, y, z, potential, jx, jy, jz;

  explicit Results(std::size_t n) : x(n), y(n), z(n), potential(n), jx(n), jy(n), jz(n) {}
  Field<Host<Real>> all() {
    return {x.data(), y.data(), z.data(), potential.data(), jx.data(), jy.data(), jz.data()};
  }
  Field<Host<Real>> field_and_potential() {
    return {x.data(), y.data(), z.data(), potential.data()};
  }
  Field<Host<Real>> field_only() { return {x.data(), y.data(), z.data()}; }
};

double difference(Vec3 a, Vec3 b) { return norm(a - b); }

// Bodies as the solver gets them: rounded to its type, so that only its own error is measured.
template <class Real>
Bodies rounded(Bodies b) {
  for (const std::span<double> column :
       {b.positions.values(), b.velocities.values(), std::span(b.mass), std::span(b.charge)}) {
    for (double& value : column) value = static_cast<double>(static_cast<Real>(value));
  }
  return b;
}

struct Expected {
  Results<double> values, magnitude;
  double field = 0, jerk = 0;  // the largest

  // Signed charges cancel: fields are measured against the largest one, potentials against the
  // sum of magnitudes, to which rounding is proportional.
  Expected(const Bodies& bodies, Law law, double softening)
      : values(bodies.size()), magnitude(bodies.size()) {
    Columns<double> columns(bodies, law);
    ReferenceSolver(softening).add_self_field(columns.view(), values.all());
    for (double& s : columns.strength) s = std::abs(s);
    ReferenceSolver(softening).add_self_field(columns.view(), magnitude.all());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      field = std::max(field, norm({values.x[i], values.y[i], values.z[i]}));
      jerk = std::max(jerk, norm({values.jx[i], values.jy[i], values.jz[i]}));
    }
  }
};

// Every rung that works in this precision, field and potential together; and jerks, which all of
// them compute alike.
template <class Real>
void expect_like_reference(const Bodies& exact, Law law, Precision precision, double softening,
                           double tolerance) {
  const Bodies bodies = rounded<Real>(exact);
  const std::size_t n = bodies.size();
  const Expected expected(bodies, law, softening);
  const Columns<Real> columns(bodies, law);
  const auto d = [](Real value) { return static_cast<double>(value); };
  for (const std::string& variant : direct_host_variants()) {
    if (variant == "reproducible" && precision != Precision::f64) continue;
    SCOPED_TRACE(variant);
    const auto solver = solver_with<Real>(
        {.softening = softening, .threads = 2, .precision = precision, .variant = variant});
    Results<Real> got(n), derivatives(n);
    solver->add_self_field(columns.view(), got.field_and_potential());
    solver->add_self_field(columns.view(), derivatives.all());
    const auto& values = expected.values;
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_LE(difference({d(got.x[i]), d(got.y[i]), d(got.z[i])},
                           {values.x[i], values.y[i], values.z[i]}),
                tolerance * expected.field);
      EXPECT_LE(std::abs(d(got.potential[i]) - values.potential[i]),
                tolerance * expected.magnitude.potential[i]);
      EXPECT_LE(difference({d(derivatives.jx[i]), d(derivatives.jy[i]), d(derivatives.jz[i])},
                           {values.jx[i], values.jy[i], values.jz[i]}),
                4 * tolerance * expected.jerk);  // more products a pair than the field
    }
  }
}

struct Case {
  std::size_t bodies;
  double softening;
  bool charged;
};

class DirectHostTest : public testing::TestWithParam<Case> {
 protected:
  Bodies bodies() const { return test::random_bodies(GetParam().bodies, 11, GetParam().charged); }
  Law law() const { return GetParam().charged ? Law::coulomb : Law::gravity; }
};

// The hardware's 12-bit reciprocal root is good to 2.2e-7 behind its Newton step, so its cube to
// 7e-7, and a handful of float roundings of 6e-8 come on top.
constexpr double float_tolerance = 1e-6;
// A sum of n terms by blocks loses a few units of 1.1e-16.
constexpr double double_tolerance = 1e-14;

TEST_P(DirectHostTest, f32_agrees_with_the_reference) {
  expect_like_reference<float>(bodies(), law(), Precision::f32, GetParam().softening,
                               float_tolerance);
}
TEST_P(DirectHostTest, mixed_agrees_with_the_reference) {
  expect_like_reference<double>(bodies(), law(), Precision::mixed, GetParam().softening,
                                float_tolerance);
}
TEST_P(DirectHostTest, f64_agrees_with_the_reference) {
  expect_like_reference<double>(bodies(), law(), Precision::f64, GetParam().softening,
                                double_tolerance);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const std::size_t n : {0, 1, 2, 3, 63, 64, 65, 1000, 4097}) {
    for (const double softening : {0.0, 0.02}) {
      for (const bool charged : {false, true}) cases.push_back({n, softening, charged});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Sizes, DirectHostTest, testing::ValuesIn(all_cases()),
                         [](const auto& tested) {
                           return fmt::format("{}_bodies_{}_{}", tested.param.bodies,
                                              tested.param.softening > 0 ? "softened" : "points",
                                              tested.param.charged ? "charges" : "masses");
                         });

TEST(DirectHost, coincident_bodies_exert_no_force_and_count_in_the_potential_only_if_softened) {
  Bodies bodies(2);
  bodies.mass = {1, 2};
  const Columns<double> columns(bodies);
  for (const double softening : {0.0, 0.5}) {
    Results<double> got(2);
    solver_with<double>({.softening = softening})->add_self_field(columns.view(), got.all());
    EXPECT_EQ(got.x, (std::vector<double>{0, 0}));
    EXPECT_EQ(got.jx, (std::vector<double>{0, 0}));
    const double each = softening > 0 ? 1 / softening : 0;
    EXPECT_EQ(got.potential, (std::vector<double>{2 * each, 1 * each}));
  }
}

TEST(DirectHost, all_bodies_at_one_point_stay_finite_in_float) {
  const Bodies bodies(500);
  Columns<float> columns(bodies);
  std::fill(columns.strength.begin(), columns.strength.end(), 1.0F);
  for (const double softening : {0.0, 1e-30, 1e-10, 0.1}) {
    Results<float> got(500);
    solver_with<float>({.softening = softening, .precision = Precision::f32})
        ->add_self_field(columns.view(), got.all());
    EXPECT_EQ(got.x[17], 0.0F);
    EXPECT_TRUE(std::isfinite(got.potential[17])) << softening;
  }
}

TEST(DirectHost, very_different_masses_keep_their_accuracy) {
  Bodies bodies = test::random_bodies(200, 5);
  bodies.mass[0] = 1e12, bodies.mass[1] = 0, bodies.mass[2] = 1e-12;
  expect_like_reference<float>(bodies, Law::gravity, Precision::f32, 0.01, float_tolerance);
}

TEST(DirectHost, adds_to_what_is_there) {
  const Bodies bodies = test::random_bodies(100);
  const Columns<double> columns(bodies);
  const auto solver = solver_with<double>({.softening = 0.1});
  Results<double> once(100), twice(100);
  solver->add_self_field(columns.view(), once.all());
  solver->add_self_field(columns.view(), twice.all());
  solver->add_self_field(columns.view(), twice.all());
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(twice.x[i], 2 * once.x[i]);
}

TEST(DirectHost, two_halves_on_each_other_and_themselves_are_the_whole) {
  const Bodies bodies = test::random_bodies(301, 8);
  const Columns<double> columns(bodies);
  const auto solver = solver_with<double>({.softening = 0.05});
  Results<double> whole(301), parts(301);
  solver->add_self_field(columns.view(), whole.all());
  const std::size_t half = 130;
  const auto part = [&](std::size_t begin, std::size_t end) {
    auto v = columns.view();
    return BodiesView<Host<double>>{end - begin,        v.x + begin,  v.y + begin,  v.z + begin,
                                    v.strength + begin, v.vx + begin, v.vy + begin, v.vz + begin};
  };
  const auto field_from = [&](std::size_t begin) {
    auto f = parts.all();
    return Field<Host<double>>{f.x + begin,         f.y + begin,      f.z + begin,
                               f.potential + begin, f.jerk_x + begin, f.jerk_y + begin,
                               f.jerk_z + begin};
  };
  solver->add_self_field(part(0, half), field_from(0));
  solver->add_self_field(part(half, 301), field_from(half));
  solver->add_mutual_field(part(0, half), part(half, 301), field_from(0), field_from(half));
  for (std::size_t i = 0; i < 301; ++i) {
    // sums in another order: a few roundings of sums of order 10
    EXPECT_NEAR(parts.x[i], whole.x[i], 1e-13);
    EXPECT_NEAR(parts.potential[i], whole.potential[i], 1e-13);
  }
}

TEST(DirectHost, same_bits_for_any_number_of_threads) {
  const Bodies bodies = test::random_bodies(1500, 2);
  const Columns<float> columns(bodies);
  const auto field_with = [&](int threads) {
    Results<float> got(1500);
    solver_with<float>({.softening = 0.01, .threads = threads, .precision = Precision::f32})
        ->add_self_field(columns.view(), got.field_only());
    return got.x;
  };
  const auto one = field_with(1);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(field_with(threads), one);
}

// Energies are logged at some steps only, and a run's bits must not depend on which.
template <class Real>
void expect_potential_leaves_the_field_alone(const Asked& settings) {
  const Columns<Real> columns(test::random_bodies(1100, 3));
  const auto solver = solver_with<Real>(settings);
  if (!solver->potential_keeps_field()) return;
  Results<Real> alone(1100), together(1100);
  solver->add_self_field(columns.view(), alone.field_only());
  solver->add_self_field(columns.view(), together.field_and_potential());
  EXPECT_EQ(alone.x, together.x);
  EXPECT_EQ(alone.y, together.y);
  EXPECT_EQ(alone.z, together.z);
}

TEST(DirectHost, the_field_has_the_same_bits_with_and_without_the_potential_where_promised) {
#ifdef APSIS_HAS_HIGHWAY
  EXPECT_TRUE(solver_with<float>({.precision = Precision::f32})->potential_keeps_field());
#endif
  for (const std::string& variant : direct_host_variants()) {
    for (const double softening : {0.0, 0.01}) {
      SCOPED_TRACE(fmt::format("{} with softening {}", variant, softening));
      Asked settings{.softening = softening, .threads = 2, .variant = variant};
      settings.precision = Precision::f64;
      expect_potential_leaves_the_field_alone<double>(settings);
      if (variant == "reproducible") continue;
      settings.precision = Precision::f32;
      expect_potential_leaves_the_field_alone<float>(settings);
      settings.precision = Precision::mixed;
      expect_potential_leaves_the_field_alone<double>(settings);
    }
  }
}

TEST(Reference, field_of_a_unit_mass_is_newtons) {
  Bodies bodies(2);
  bodies.mass = {1, 3};
  test::assign(bodies.x(), {0, 2});
  const std::vector<std::size_t> both{0, 1};
  const auto a = reference_accelerations(bodies, {.constant = 2}, both);
  EXPECT_DOUBLE_EQ(a.x()[0], 2 * 3 / 4.0);
  EXPECT_DOUBLE_EQ(a.x()[1], -2 * 1 / 4.0);
  EXPECT_DOUBLE_EQ(reference_potential_energy(bodies, {.constant = 2}), -2 * 3 / 2.0);
}

TEST(Reference, like_charges_repel_and_unlike_ones_attract) {
  Bodies bodies(2, true);
  bodies.mass = {1, 2};
  test::assign(bodies.x(), {0, 1});
  bodies.charge = {1, 1};
  const std::vector<std::size_t> both{0, 1};
  const PairLaw law{.law = Law::coulomb};
  EXPECT_DOUBLE_EQ(reference_accelerations(bodies, law, both).x()[0], -1);
  EXPECT_DOUBLE_EQ(reference_accelerations(bodies, law, both).x()[1], 0.5);
  EXPECT_DOUBLE_EQ(reference_potential_energy(bodies, law), 1);
  bodies.charge = {1, -1};
  EXPECT_DOUBLE_EQ(reference_accelerations(bodies, law, both).x()[0], 1);
}

TEST(Reference, jerk_is_the_rate_of_change_of_the_field) {
  Bodies bodies = test::random_bodies(20, 4);
  const Columns<double> columns(bodies);
  Results<double> now(20);
  ReferenceSolver(0.1).add_self_field(columns.view(), now.all());
  const double h = 1e-5;
  const auto field_at = [&](double time) {
    Bodies moved = bodies;
    for (std::size_t i = 0; i < 20; ++i) {
      moved.set_position(i, bodies.position(i) + time * bodies.velocity(i));
    }
    Results<double> out(20);
    ReferenceSolver(0.1).add_self_field(Columns<double>(moved).view(), out.all());
    return out.x;
  };
  const auto later = field_at(h), before = field_at(-h);
  for (std::size_t i = 0; i < 20; ++i) {
    // central difference: h² = 1e-10 of third derivatives up to 1e3, rounding 1e-16/1e-5
    EXPECT_NEAR(now.jx[i], (later[i] - before[i]) / (2 * h), 1e-7);
  }
}

#ifdef APSIS_HAS_HIGHWAY
// Every instruction set of this build that this machine has, one after the other.
TEST(DirectHost, explicit_vectors_keep_their_bounds_with_every_instruction_set) {
  const Bodies bodies = test::random_bodies(1000, 11);
  const auto targets = direct::simd_targets();
  ASSERT_FALSE(targets.empty());
  for (const std::string& target : targets) {
    SCOPED_TRACE(target);
    direct::use_simd_target(target);
    EXPECT_EQ(direct::simd_target(), target);
    for (const double softening : {0.0, 0.02}) {
      expect_like_reference<float>(bodies, Law::gravity, Precision::f32, softening,
                                   float_tolerance);
      expect_like_reference<double>(bodies, Law::gravity, Precision::mixed, softening,
                                    float_tolerance);
      expect_like_reference<double>(bodies, Law::gravity, Precision::f64, softening,
                                    double_tolerance);
    }
  }
  direct::use_simd_target("");
  EXPECT_EQ(direct::simd_target(), targets.front());
}
#endif

// All that a solver gives, as bytes that can be compared.
template <class Real>
std::vector<Real> all_values(const Asked& settings, std::size_t n) {
  const Columns<Real> columns(test::random_bodies(n, 7));
  Results<Real> got(n);
  solver_with<Real>(settings)->add_self_field(columns.view(), got.field_only());
  std::vector<Real> values = got.x;
  values.insert(values.end(), got.y.begin(), got.y.end());
  values.insert(values.end(), got.z.begin(), got.z.end());
  return values;
}

TEST(DirectHost, every_variant_gives_the_same_bits_for_any_number_of_threads) {
  for (const std::string& variant : direct_host_variants()) {
    SCOPED_TRACE(variant);
    const bool f64 = variant == "reproducible";
    Asked settings{.softening = 0.02,
                   .threads = 1,
                   .precision = f64 ? Precision::f64 : Precision::f32,
                   .variant = variant};
    const std::size_t n = 3000;  // three blocks of those that meet on a circle
    const auto alone_f64 = f64 ? all_values<double>(settings, n) : std::vector<double>{};
    const auto alone = f64 ? std::vector<float>{} : all_values<float>(settings, n);
    for (const int threads : {2, 3, 4, 8}) {
      settings.threads = threads;
      if (f64) {
        EXPECT_EQ(all_values<double>(settings, n), alone_f64) << threads;
      } else {
        EXPECT_EQ(all_values<float>(settings, n), alone) << threads;
      }
    }
  }
}

}  // namespace
}  // namespace apsis

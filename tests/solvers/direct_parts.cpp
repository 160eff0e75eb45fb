// SPDX-License-Identifier: MIT
// The native direct solver cut up, as ranks do it: parts of the targets have the bits of the whole,
// and two sets on each other give what one set of both would.
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/reference.hpp>

#include <gtest/gtest.h>
#include <solvers/host_columns.hpp>
#include <support/bodies.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace apsis {
namespace {

using test::Columns;

template <class Real>
struct Sums {
  std::vector<Real> x, y, z, potential, jx, jy, jz;

  explicit Sums(std::size_t n) : x(n), y(n), z(n), potential(n), jx(n), jy(n), jz(n) {}
  Field<Host<Real>> field(bool jerk) {
    Field<Host<Real>> out{x.data(), y.data(), z.data()};
    if (jerk) out.jerk_x = jx.data(), out.jerk_y = jy.data(), out.jerk_z = jz.data();
    if (!jerk) out.potential = potential.data();
    return out;
  }
  friend bool operator==(const Sums&, const Sums&) = default;
};

template <class Real>
std::unique_ptr<Solver<Host<Real>>> solver_of(const std::string& variant, Precision precision,
                                              double softening) {
  return make_direct_host<Real>(
      {.force = {.softening = softening},
       .device = {.precision = precision, .threads = 2, .variant = variant}});
}

// Parts of all sizes one behind the other against the whole.
template <class Real>
void expect_bits_of_the_whole(const std::string& variant, Precision precision) {
  SCOPED_TRACE(variant);
  constexpr std::size_t n = 700;
  const Columns<Real> bodies(test::random_bodies(n));
  for (const double softening : {0.0, 1e-5}) {
    for (const bool jerk : {false, true}) {
      const auto solver = solver_of<Real>(variant, precision, softening);
      Sums<Real> whole(n), parts(n);
      solver->add_self_field(bodies.view(), whole.field(jerk));
      std::size_t first = 0;
      for (const std::size_t count : {0, 1, 70, 63, 16, 350, 200}) {
        solver->add_part_field(bodies.view(), first, count, part_of(parts.field(jerk), first));
        first += count;
      }
      ASSERT_EQ(first, n);
      EXPECT_EQ(parts, whole) << "softening " << softening << " jerk " << jerk;
    }
  }
}

TEST(DirectParts, parts_of_the_targets_have_the_bits_of_the_whole) {
  for (const auto& variant : direct_host_variants(Precision::f64)) {
    if (variant == "simd-symmetric") continue;  // the whole takes each pair once
    expect_bits_of_the_whole<double>(variant, Precision::f64);
  }
  for (const auto& variant : direct_host_variants(Precision::f32)) {
    if (variant == "simd-symmetric") continue;
    expect_bits_of_the_whole<float>(variant, Precision::f32);
    expect_bits_of_the_whole<double>(variant, Precision::mixed);
  }
}

template <class Real>
double worst_difference(const std::vector<Real>& got, const std::vector<double>& expected) {
  double worst = 0, size = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(got[i]) - expected[i]));
    size = std::max(size, std::abs(expected[i]));
  }
  return size > 0 ? worst / size : worst;
}

// `cut` bodies and the others on each other, with what each set does to itself.
template <class Real>
void expect_sum_of_two_sets(const std::string& variant, Precision precision, std::size_t n,
                            std::size_t cut, double tolerance) {
  SCOPED_TRACE(variant + " " + std::to_string(cut) + " of " + std::to_string(n));
  Bodies rounded = test::random_bodies(n);
  const Columns<Real> bodies(rounded);
  std::ranges::copy(bodies.x, rounded.x().begin());
  std::ranges::copy(bodies.y, rounded.y().begin());
  std::ranges::copy(bodies.z, rounded.z().begin());
  rounded.mass.assign(bodies.strength.begin(), bodies.strength.end());
  const Columns<double> exact(rounded);
  for (const double softening : {0.0, 0.02}) {
    Sums<double> expected(n);
    ReferenceSolver(softening).add_self_field(exact.view(), expected.field(false));
    const auto solver = solver_of<Real>(variant, precision, softening);
    Sums<Real> got(n);
    const auto first = part_of(bodies.view(), 0, cut), rest = part_of(bodies.view(), cut, n - cut);
    const auto field = got.field(false), field_of_rest = part_of(field, cut);
    solver->add_self_field(first, field);
    solver->add_self_field(rest, field_of_rest);
    solver->add_mutual_field(first, rest, field, field_of_rest);
    for (const auto& [mine, right] : {std::pair{&got.x, &expected.x},
                                      {&got.y, &expected.y},
                                      {&got.z, &expected.z},
                                      {&got.potential, &expected.potential}}) {
      EXPECT_LE(worst_difference(*mine, *right), tolerance) << "softening " << softening;
    }
  }
}

TEST(DirectParts, two_sets_on_each_other_complete_their_own_fields) {
  const std::string variant = default_direct_host_variant();
  // twice what a whole may differ by (direct_host.cpp): two sums are rounded instead of one
  for (const std::size_t cut : {0, 1, 191, 700, 1500}) {
    expect_sum_of_two_sets<float>(variant, Precision::f32, 1500, cut, 2e-6);
    expect_sum_of_two_sets<double>(variant, Precision::mixed, 1500, cut, 2e-6);
    expect_sum_of_two_sets<double>(variant, Precision::f64, 1500, cut, 2e-14);
  }
  expect_sum_of_two_sets<double>("reproducible", Precision::f64, 1000, 300, 2e-14);
}

TEST(DirectParts, two_sets_give_the_same_bits_on_any_number_of_threads) {
  const Columns<float> bodies(test::random_bodies(5000));
  const auto a = part_of(bodies.view(), 0, 2100), b = part_of(bodies.view(), 2100, 2900);
  const auto mutual = [&](int threads) {
    Sums<float> sums(5000);
    make_direct_host<float>(
        {.force = {.softening = 0.01}, .device = {.precision = Precision::f32, .threads = threads}})
        ->add_mutual_field(a, b, sums.field(false), part_of(sums.field(false), 2100));
    return sums;
  };
  EXPECT_EQ(mutual(1), mutual(2));
  EXPECT_EQ(mutual(1), mutual(3));
}

}  // namespace
}  // namespace apsis

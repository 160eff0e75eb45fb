// SPDX-License-Identifier: MIT
// Potentials of single bodies: their sum with the masses or charges is twice the potential energy.
#include "files/expect_error.hpp"
#include <apsis/engines/engine_factory.hpp>
#include <apsis/solvers/reference.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/devices.hpp>

#include <cmath>
#include <string>

namespace apsis {
namespace {

struct Where {
  std::string device, solver;
  Precision precision;
  double tolerance;
};

class Potentials : public testing::TestWithParam<Where> {
 protected:
  void SetUp() override {
    if (GetParam().device != "cpu") APSIS_NEED_DEVICE();
  }
  static std::unique_ptr<Engine> loaded(const Bodies& bodies, const PairLaw& law,
                                        const ExternalFields& external = {}) {
    auto engine =
        make_engine({.force = forces(law, GetParam().solver),
                     .external = external,
                     .device = {.name = GetParam().device, .precision = GetParam().precision}});
    engine->load(bodies);
    return engine;
  }
};

INSTANTIATE_TEST_SUITE_P(Places, Potentials,
                         testing::Values(Where{"cpu", "reference", Precision::f64, 1e-13},
                                         Where{"cpu", "direct", Precision::f64, 1e-13},
                                         Where{"cpu", "direct", Precision::f32, 1e-5},
                                         Where{"cpu", "tree", Precision::f64, 1e-3},
                                         Where{"opencl", "direct", Precision::f32, 1e-5},
                                         Where{"opencl", "direct", Precision::mixed, 1e-5},
                                         Where{"opencl", "direct", Precision::f64, 1e-13},
                                         Where{"opencl", "fmm", Precision::f32, 1e-3}),
                         [](const auto& tested) {
                           return tested.param.device + "_" + tested.param.solver + "_" +
                                  std::string(name_of(tested.param.precision));
                         });

// Of body i beside all others, one by one.
double summed(const Bodies& bodies, const PairLaw& law, std::size_t i) {
  const auto& strength = strengths(bodies, law.law);
  double sum = 0;
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    if (j == i) continue;
    const Vec3 apart = bodies.position(j) - bodies.position(i);
    sum += strength[j] / std::sqrt(dot(apart, apart) + law.softening * law.softening);
  }
  return (law.law == Law::gravity ? -1 : 1) * law.constant * sum;
}

TEST_P(Potentials, are_what_all_other_bodies_give_and_half_their_sum_is_the_energy) {
  for (const Law kind : {Law::gravity, Law::coulomb}) {
    Bodies bodies = test::random_bodies(200, 3);
    for (double& value : bodies.positions.values()) value *= 1e6;
    if (kind == Law::coulomb) {
      bodies.charge.resize(bodies.size());
      for (std::size_t i = 0; i < bodies.size(); ++i) bodies.charge[i] = i % 3 == 0 ? -2 : 1.5;
    }
    const PairLaw law{kind, 6.7, 1e4};
    const auto engine = loaded(bodies, law);
    const std::vector<double> got = engine->potentials(0);
    ASSERT_EQ(got.size(), bodies.size());
    const auto& strength = strengths(bodies, kind);
    double size = 0, sum = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) size += std::abs(summed(bodies, law, i)) / 200;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      EXPECT_NEAR(got[i], summed(bodies, law, i), GetParam().tolerance * size) << i;
      sum += 0.5 * strength[i] * got[i];
    }
    const double energy = engine->energies(0).potential;
    EXPECT_NEAR(sum, energy, 1e-6 * std::abs(energy));
    // nothing of the state has changed
    Bodies held;
    engine->store(held);
    EXPECT_EQ(engine->potentials(0), got);
  }
}

TEST_P(Potentials, have_those_of_external_fields) {
  const Bodies bodies = test::random_bodies(20, 4);
  ExternalFields fields;
  std::get<external::Plummer>(fields.table) = {.mass = 3, .radius = 0.5};
  const PairLaw law{Law::gravity, 1, 0.1};
  const auto with = loaded(bodies, law, fields)->potentials(0);
  const auto without = loaded(bodies, law)->potentials(0);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 p = bodies.position(i);
    EXPECT_NEAR(with[i] - without[i], -3 / std::sqrt(dot(p, p) + 0.25), 10 * GetParam().tolerance);
  }
}

TEST_P(Potentials, of_one_and_of_no_body_are_nothing) {
  EXPECT_TRUE(loaded(Bodies(0), {Law::gravity, 1, 0.1})->potentials(0).empty());
  const auto one = loaded(test::random_bodies(1, 1), {Law::gravity, 1, 0.1})->potentials(0);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0], 0);
}

TEST(PotentialsOfSeveralDevices, are_refused_by_name) {
  APSIS_NEED_DEVICE();
  const auto engine = make_engine(
      {.force = forces({Law::gravity, 1, 0.1}, "direct"), .device = {.name = "opencl:0/2"}});
  engine->load(test::random_bodies(20, 1));
  expect_error(ExitCode::unavailable, "several devices", [&] { engine->potentials(0); });
}

}  // namespace
}  // namespace apsis

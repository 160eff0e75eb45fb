// SPDX-License-Identifier: MIT
// Few-body problems with known answers: order of convergence, conservation, closed orbits.
#include <apsis/engines/engine_factory.hpp>
#include <apsis/integrators/integrator.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace apsis {
namespace {

constexpr double pi = std::numbers::pi;

std::unique_ptr<Engine> loaded_engine(const Bodies& bodies) {
  auto engine = make_engine({.device = {.precision = Precision::f64, .threads = 1}});
  engine->load(bodies);
  return engine;
}

Bodies advanced(const Bodies& bodies, const std::string& integrator_name, double dt,
                std::uint64_t steps) {
  const auto engine = loaded_engine(bodies);
  const auto step = integrator_named(integrator_name).step(0, dt);
  for (std::uint64_t i = 0; i < steps; ++i) engine->apply(step);
  Bodies after;
  engine->store(after);
  return after;
}

// Distance from the true place on a Kepler orbit with e = 0.5 at a third of the period.
double kepler_error(const std::string& integrator, std::uint64_t steps) {
  const double time = 2 * pi / 3;
  const Bodies after =
      advanced(test::kepler_pair(0.5), integrator, time / static_cast<double>(steps), steps);
  return norm(after.position(1) - after.position(0) - test::kepler_place(0.5, time));
}

class OrderTest : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Integrators, OrderTest, testing::ValuesIn(integrator_names()),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(OrderTest, halving_the_step_divides_the_error_by_two_to_the_order) {
  // Enough steps that the leading term rules, few enough that the error stays above rounding: those
  // of the next higher order that is listed.
  const std::map<int, std::uint64_t> steps_for_order{{1, 20'000}, {2, 2'000}, {4, 400}, {6, 200}};
  const int order = integrator_named(GetParam()).order;
  const auto listed = steps_for_order.lower_bound(order);
  ASSERT_NE(listed, steps_for_order.end()) << "say how many steps show order " << order;
  const std::uint64_t steps = listed->second;
  const double coarse = kepler_error(GetParam(), steps), fine = kepler_error(GetParam(), 2 * steps);
  const double measured = std::log2(coarse / fine);
  RecordProperty("order", std::to_string(measured));
  EXPECT_NEAR(measured, order, 0.2) << coarse << " -> " << fine;
}

TEST(Leapfrog, energy_has_no_secular_trend_over_ten_thousand_orbits) {
  const int orbits = 10'000, steps = 100;
  const auto engine = loaded_engine(test::kepler_pair(0.5));
  const auto step = integrator_named("leapfrog").step(0, 2 * pi / steps);
  Bodies bodies;
  // The energy by hand: asking the engine every step would cost more than the steps.
  const auto energy = [&] {
    engine->store(bodies);
    const double distance = norm(bodies.position(1) - bodies.position(0));
    return motion(bodies, 1).kinetic - bodies.mass[0] * bodies.mass[1] / distance;
  };
  const double start = energy();
  double amplitude = 0, first = 0, last = 0;
  for (int orbit = 0; orbit < orbits; ++orbit) {
    double mean = 0;
    for (int i = 0; i < steps; ++i) {
      engine->apply(step);
      const double error = (energy() - start) / std::abs(start);
      amplitude = std::max(amplitude, std::abs(error));
      mean += error / steps;
    }
    if (orbit < orbits / 10) first += mean / (orbits / 10);
    if (orbit >= orbits - orbits / 10) last += mean / (orbits / 10);
  }
  EXPECT_LT(amplitude, 0.02);
  // The orbit precesses against the sampling, which moves the mean of an orbit by some 1e-3 of
  // the oscillation; a secular trend of Euler or rk4 is a million times that by now.
  EXPECT_LT(std::abs(last - first), 2e-3 * amplitude);
}

TEST(RungeKutta, energy_error_grows_with_time_and_that_of_a_symplectic_scheme_does_not) {
  const auto worst_after = [](const std::string& name, int orbits) {
    const auto engine = loaded_engine(test::kepler_pair(0.5));
    const auto step = integrator_named(name).step(0, 2 * pi / 100);
    const Energies start = engine->energies(0);
    double worst = 0;
    for (int i = 0; i < 100 * orbits; ++i) {
      engine->apply(step);
      worst = std::max(worst, energy_error(engine->energies(0), start));
    }
    return worst;
  };
  EXPECT_GT(worst_after("rk4", 200), 3 * worst_after("rk4", 50));
  // within the few per cent by which more orbits sample the oscillation's peak better
  EXPECT_LT(worst_after("yoshida4", 200), 1.1 * worst_after("yoshida4", 50));
}

TEST(FigureEight, yoshida6_closes_it_after_one_period) {
  Bodies bodies(3);
  bodies.mass = {1, 1, 1};
  test::assign(bodies.x(), {0.97000436, -0.97000436, 0}),
      test::assign(bodies.y(), {-0.24308753, 0.24308753, 0});
  test::assign(bodies.vx(), {0.93240737 / 2, 0.93240737 / 2, -0.93240737});
  test::assign(bodies.vy(), {0.86473146 / 2, 0.86473146 / 2, -0.86473146});
  const Bodies after = advanced(bodies, "yoshida6", 6.32591398 / 200, 200);
  for (std::size_t i = 0; i < 3; ++i) {
    // the eight-digit start itself misses by 4e-8
    EXPECT_LT(norm(after.position(i) - bodies.position(i)), 1e-6);
  }
}

TEST(Pythagorean, hermite4_agrees_with_the_quadruple_precision_solution_at_t_10) {
  Bodies bodies(3);
  bodies.mass = {3, 4, 5};
  test::assign(bodies.x(), {1, -2, 1}), test::assign(bodies.y(), {3, -1, -1});
  const Bodies after = advanced(bodies, "hermite4", 5e-6, 2'000'000);
  // Bulirsch-Stoer in quadruple precision, two tolerances agreeing to eleven digits.
  const Vec3 expected[] = {{0.7784804101, 0.1413923003, 0},
                           {-2.0250924780, 0.0972193841, 0},
                           {1.1529857363, -0.1626108875, 0}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LT(norm(after.position(i) - expected[i]), 1e-6) << "body " << i;
  }
}

TEST(Symplectic, time_reversed_runs_return_to_their_start) {
  const Bodies start = test::random_bodies(16, 21);
  for (const auto* name : {"leapfrog", "yoshida4", "yoshida6"}) {
    auto engine =
        make_engine({.force = {.softening = 0.1}, .device = {.precision = Precision::f64}});
    engine->load(start);
    const Integrator& integrator = integrator_named(name);
    for (int i = 0; i < 200; ++i) engine->apply(integrator.step(0, 0.01));
    for (int i = 0; i < 200; ++i) engine->apply(integrator.step(0, -0.01));
    Bodies after;
    engine->store(after);
    for (std::size_t i = 0; i < start.size(); ++i) {
      // rounding of 400 steps, amplified by the encounters of softening 0.1
      EXPECT_LT(norm(after.position(i) - start.position(i)), 1e-10) << name;
    }
  }
}

TEST(Coulomb, opposite_charges_orbit_each_other_like_masses) {
  Bodies bodies = test::kepler_pair(0.3, 0.5);
  bodies.charge = {0.5, -0.5};  // k q²/(m₁m₂) = G as for two masses of 1/2
  auto engine =
      make_engine({.force = {.law = Law::coulomb}, .device = {.precision = Precision::f64}});
  engine->load(bodies);
  const double time = 2 * pi / 3;
  const auto step = integrator_named("yoshida6").step(0, time / 500);
  for (int i = 0; i < 500; ++i) engine->apply(step);
  Bodies after;
  engine->store(after);
  EXPECT_LT(norm(after.position(1) - after.position(0) - test::kepler_place(0.3, time)), 1e-9);
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
// Cubes, ring and lattice.
#include "initial/sample.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace apsis::test {
namespace {

double lowest(std::span<const double> values) {
  return *std::min_element(values.begin(), values.end());
}
double highest(std::span<const double> values) {
  return *std::max_element(values.begin(), values.end());
}

TEST(Uniform, fills_the_cube_evenly_at_rest) {
  const auto state = make("uniform", 100000);
  for (const auto axis : {state.bodies.x(), state.bodies.y(), state.bodies.z()}) {
    EXPECT_LT(kolmogorov({axis.begin(), axis.end()}, [](double x) { return 0.5 * (x + 1); }),
              one_percent_level);
  }
  EXPECT_EQ(motion(state.bodies).kinetic, 0);
}

TEST(Uniform, masses_spread_over_a_factor_of_three_or_are_equal) {
  const auto spread = make("uniform", 10000);
  // the ends of 10,000 uniform draws are within 0.1 % of the limits
  EXPECT_NEAR(highest(spread.bodies.mass) / lowest(spread.bodies.mass), 3, 0.01);
  const auto equal = make("uniform", 10000, {{"masses", "equal"}});
  EXPECT_EQ(highest(equal.bodies.mass), lowest(equal.bodies.mass));
  EXPECT_EQ(equal.bodies.mass[0], 1e-4);
}

TEST(Uniform, speed_gives_velocities) {
  const auto state = make("uniform", 10000, {{"speed", 2.0}});
  EXPECT_LE(highest(state.bodies.vx()), 2);
  EXPECT_GT(highest(state.bodies.vx()), 1.99);
}

TEST(Uniform, a_body_is_the_same_whatever_the_number_of_bodies) {
  const auto few = make("uniform", 100);
  const auto many = make("uniform", 20000);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(few.bodies.position(i), many.bodies.position(i));
}

TEST(Tutorial, has_the_published_numbers) {
  const auto state = make("tutorial", 8192);
  EXPECT_EQ(state.defaults.step, 1e-4);
  EXPECT_DOUBLE_EQ(state.defaults.softening * state.defaults.softening, 1e-4);
  EXPECT_DOUBLE_EQ(state.defaults.until / state.defaults.step, 100);
  EXPECT_EQ(motion(state.bodies).kinetic, 0);
}

TEST(Lab, has_the_published_numbers) {
  const auto state = make("lab", 16384);
  EXPECT_EQ(state.defaults.step, 0.01);
  EXPECT_DOUBLE_EQ(state.defaults.softening * state.defaults.softening, 1e-20);
  EXPECT_DOUBLE_EQ(state.defaults.until / state.defaults.step, 10);
  EXPECT_GT(highest(state.bodies.vz()), 0.99);
  EXPECT_LE(highest(state.bodies.vz()), 1);
}

TEST(Lab, masses_are_a_share_of_one_or_one_each) {
  const auto shared = make("lab", 1000), ones = make("lab", 1000, {{"masses", "one"}});
  EXPECT_EQ(highest(shared.bodies.mass), 1e-3);
  EXPECT_EQ(lowest(ones.bodies.mass), 1);
  EXPECT_EQ(highest(ones.bodies.mass), 1);
  EXPECT_EQ(ones.bodies.position(7), shared.bodies.position(7));
}

// The C++ standard says what the 10,000th number of the default seed is. With six a body that is
// the fourth of body 1666.
TEST(Lab, takes_its_numbers_from_a_mersenne_twister) {
  ModelRequest wanted = request("lab", 1667, {{"random", "mt19937"}});
  wanted.seed = 5489;
  const Bodies bodies = make_model(wanted).bodies;
  EXPECT_EQ(bodies.vx()[1666], -1 + 2 * (4123659995.0 / 0x1p32));
  EXPECT_LT(highest(bodies.x()), 1);
  EXPECT_GE(lowest(bodies.x()), -1);
  EXPECT_LT(
      kolmogorov({bodies.z().begin(), bodies.z().end()}, [](double z) { return 0.5 * (z + 1); }),
      one_percent_level);
}

TEST(Lab, refuses_a_seed_that_the_twister_does_not_take) {
  ModelRequest wanted = request("lab", 3),
               of_the_twister = request("lab", 3, {{"random", "mt19937"}});
  wanted.seed = of_the_twister.seed = std::uint64_t{1} << 32;
  EXPECT_EQ(make_model(wanted).bodies.size(), 3U);
  EXPECT_THROW(make_model(of_the_twister), Error);
}

TEST(BinsBox, fills_the_box_of_the_assignment) {
  const auto state = make("bins-box", 32000);
  EXPECT_GE(lowest(state.bodies.x()), 0);
  EXPECT_LT(lowest(state.bodies.x()), 1);
  EXPECT_GT(highest(state.bodies.z()), 999);
  EXPECT_LE(highest(state.bodies.z()), 1000);
}

TEST(Ring, bodies_circle_the_heavy_centre) {
  const auto state = make("ring", 2000);
  EXPECT_EQ(state.bodies.mass[0], 1);
  for (std::size_t i = 1; i < 2000; ++i) {
    const Vec3 r = state.bodies.position(i) - state.bodies.position(0);
    const Vec3 v = state.bodies.velocity(i) - state.bodies.velocity(0);
    EXPECT_GE(norm(r), 0.7);
    EXPECT_LE(norm(r), 1.3);
    // v² r = G M; the direction of motion is square to the radius up to the tilt squared
    EXPECT_NEAR(dot(v, v) * norm(r), 1, 1e-12);
    EXPECT_NEAR(dot(r, v), 0, 1e-3);
    EXPECT_GT(cross(r, v).z, 0);
  }
}

TEST(Ring, an_inner_radius_outside_the_outer_one_is_refused) {
  EXPECT_THROW(make("ring", 10, {{"inner", 2.0}}), Error);
}

TEST(Lattice, is_neutral_for_every_even_number_of_ions) {
  for (const std::uint64_t n : {2U, 8U, 10U, 64U, 100U, 4096U, 5000U}) {
    const auto state = make("lattice", n);
    EXPECT_EQ(std::accumulate(state.bodies.charge.begin(), state.bodies.charge.end(), 0.0), 0) << n;
  }
  EXPECT_EQ(make("lattice", 64).defaults.law, Law::coulomb);
}

TEST(Lattice, neighbours_have_opposite_charges_at_the_spacing) {
  const auto state = make("lattice", 512, {{"spacing", 0.5}});
  const Bodies& b = state.bodies;
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double apart = norm(b.position(i) - b.position(j));
      EXPECT_GE(apart, 0.5);
      if (apart < 0.6) {
        EXPECT_EQ(b.charge[i] * b.charge[j], -1);
      }
    }
  }
}

TEST(Lattice, inner_ions_feel_madelungs_energy) {
  // potential at one of the eight innermost ions of a 16³ block; neutral blocks of even side
  // converge as 1/side², 1 % at 16
  const auto state = make("lattice", 4096);
  const Bodies& b = state.bodies;
  const std::size_t inner = 7 + 16 * (7 + 16 * 7);
  double potential = 0;
  for (std::size_t j = 0; j < b.size(); ++j) {
    if (j != inner) potential += b.charge[j] / norm(b.position(j) - b.position(inner));
  }
  EXPECT_NEAR(-potential * b.charge[inner], 1.7475646, 0.02);
}

TEST(Lattice, temperature_gives_each_kind_its_share_of_energy) {
  const auto state = make("lattice", 20000, {{"temperature", 0.1}});
  // K = 3/2 N kT; noise √(2/(3·20000)) = 0.6 %, four of them
  EXPECT_NEAR(motion(state.bodies).kinetic / (1.5 * 20000 * 0.1), 1, 0.025);
}

}  // namespace
}  // namespace apsis::test

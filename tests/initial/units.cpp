// SPDX-License-Identifier: MIT
#include "initial/sample.hpp"
#include <apsis/core/units.hpp>

#include <gtest/gtest.h>

namespace apsis::test {
namespace {

TEST(Constant, another_one_keeps_the_equilibrium) {
  auto wanted = request("plummer", 5000);
  wanted.constant = 4;
  const auto strong = make_model(wanted);
  const auto plain = make("plummer", 5000);
  EXPECT_EQ(strong.bodies.positions, plain.bodies.positions);
  EXPECT_DOUBLE_EQ(strong.bodies.vx()[7], 2 * plain.bodies.vx()[7]);
  EXPECT_DOUBLE_EQ(strong.defaults.step, plain.defaults.step / 2);
  EXPECT_DOUBLE_EQ(energies_of(strong, 4).virial(), energies_of(plain).virial());
}

TEST(Constant, units_with_another_g_scale_velocities_and_times) {
  auto wanted = request("plummer", 100);
  wanted.units = "kpc-msun-kms";
  const auto state = make_model(wanted);
  const double g = units_named("kpc-msun-kms").gravity;
  EXPECT_EQ(state.defaults.units, "kpc-msun-kms");
  EXPECT_DOUBLE_EQ(state.defaults.until, 10 / std::sqrt(g));
  EXPECT_DOUBLE_EQ(state.defaults.softening, 0.05);
}

TEST(Constant, none_at_all_leaves_the_velocities_alone) {
  auto wanted = request("plummer", 100);
  wanted.constant = 0;
  EXPECT_EQ(make_model(wanted).bodies, make("plummer", 100).bodies);
}

TEST(Units, an_unknown_system_is_refused) {
  auto wanted = request("plummer", 100);
  wanted.units = "henno";
  EXPECT_THROW(make_model(wanted), Error);
}

}  // namespace
}  // namespace apsis::test

// SPDX-License-Identifier: MIT
// Names, choices, units, energies and random numbers.
#include <apsis/core/choices.hpp>
#include <apsis/core/counted.hpp>
#include <apsis/core/energies.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/core/random.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/core/units.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <cmath>
#include <limits>
#include <numbers>

namespace apsis {
namespace {

TEST(Names, a_misspelt_word_finds_its_neighbour) {
  const std::vector<std::string> words{"leapfrog", "hermite4", "yoshida4", "yoshida6"};
  EXPECT_EQ(nearest_name("leapforg", words), "leapfrog");
  EXPECT_EQ(nearest_name("Hermite4", words), "hermite4");
  EXPECT_EQ(nearest_name("bicycle", words), "");
  EXPECT_EQ(nearest_name("", words), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'x'), words), "");
}

TEST(Names, lists_read_like_a_sentence) {
  EXPECT_EQ(list_of(std::vector<std::string>{"a", "b", "c"}), "a, b or c");
  EXPECT_EQ(list_of(std::vector<std::string>{"a"}), "a");
}

TEST(Names, numbers_of_things_read_like_words) {
  EXPECT_EQ(counted(0, "thread"), "0 threads");
  EXPECT_EQ(counted(1, "thread"), "1 thread");
  EXPECT_EQ(counted(2, "body"), "2 bodies");
  EXPECT_EQ(counted(1, "body"), "1 body");
  EXPECT_EQ(plural("day"), "days");
  EXPECT_EQ(plural("box"), "boxes");
  EXPECT_EQ(plural("process"), "processes");
}

TEST(Names, commands_are_named_as_the_program_was_started) {
  EXPECT_EQ(typed_command("doctor"), "apsis doctor");
  set_typed_program("./run");
  EXPECT_EQ(typed_command("doctor"), "./run doctor");
  set_typed_program("");
  EXPECT_EQ(typed_command("doctor"), "apsis doctor");
}

TEST(Names, a_word_for_a_shell_is_one_word) {
  EXPECT_EQ(shell_word("out/king_9.toml"), "out/king_9.toml");
  EXPECT_EQ(shell_word("my runs"), "'my runs'");
  EXPECT_EQ(shell_word("it's; rm -rf ~"), "'it'\\''s; rm -rf ~'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Choices, an_unknown_word_is_refused_with_the_nearest_and_all_others) {
  EXPECT_EQ(choice_from<Precision>("mixed"), Precision::mixed);
  try {
    choice_from<Law>("gravty");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean 'gravity'?"));
    EXPECT_EQ(error.remedy(), "choose gravity or coulomb");
  }
}

TEST(Units, constants_are_those_of_the_field) {
  // 4π² AU³/(Msun yr²) to five digits: the Julian year is not exactly the Gaussian one
  EXPECT_NEAR(units_named("au-msun-yr").gravity, 4 * std::numbers::pi * std::numbers::pi, 2e-3);
  // kpc (km/s)²/Msun, as tabulated to six digits
  EXPECT_NEAR(units_named("kpc-msun-kms").gravity, 4.30091e-6, 1e-11);
  EXPECT_EQ(units_named("si").gravity, 6.67430e-11);
  EXPECT_THROW(units_named("imperial"), Error);
}

TEST(Units, G_in_cgs_is_the_same_in_every_physical_system) {
  for (const char* name : {"si", "au-msun-yr", "kpc-msun-kms"}) {
    const Units& u = units_named(name);
    const double cgs =
        u.gravity * u.length_in_cm * u.velocity_in_cm_per_s * u.velocity_in_cm_per_s / u.mass_in_g;
    EXPECT_NEAR(cgs, 6.67430e-8, 1e-13) << name;
  }
}

Energies parts(double kinetic, double potential) {
  Energies energies;
  energies.kinetic = kinetic, energies.potential = potential;
  return energies;
}

TEST(Energies, error_is_relative_to_the_larger_of_total_and_parts) {
  const Energies start = parts(1, -2);
  EXPECT_DOUBLE_EQ(energy_error(parts(1.3, -2), start), 0.1);
  EXPECT_EQ(energy_error({}, {}), 0);
  // free bodies that gain energy from nothing are infinitely wrong, not NaN
  EXPECT_EQ(energy_error(parts(1, 0), {}), std::numeric_limits<double>::infinity());
}

TEST(Energies, motion_of_one_body_is_as_by_hand) {
  Bodies bodies(1);
  bodies.mass[0] = 2;
  bodies.set_position(0, {1, 2, 3});
  bodies.set_velocity(0, {-1, 0, 2});
  const Energies e = motion(bodies);
  EXPECT_EQ(e.kinetic, 5);
  EXPECT_EQ(e.momentum, (Vec3{-2, 0, 4}));
  EXPECT_EQ(e.angular_momentum, (Vec3{8, -10, 4}));
  EXPECT_EQ(e.center_of_mass, (Vec3{1, 2, 3}));
}

TEST(Energies, massless_bodies_and_none_at_all_give_zeros) {
  EXPECT_EQ(motion(Bodies(0)).center_of_mass, Vec3{});
  EXPECT_EQ(motion(Bodies(3)).kinetic, 0);
  EXPECT_EQ(Energies{}.virial(), 0);
}

TEST(OrderedSum, same_bits_for_any_number_of_threads) {
  const std::size_t n = 100'003;
  const auto term = [](std::size_t i) { return std::sin(static_cast<double>(i)); };
  const double one = ordered_sum<double>(n, 1, term);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(ordered_sum<double>(n, threads, term), one);
}

TEST(Random, body_draws_the_same_numbers_whatever_was_drawn_before) {
  BodyRandom a(42, 7), b(42, 7);
  BodyRandom(42, 6).uniform();
  EXPECT_EQ(a.uniform(), b.uniform());
  EXPECT_EQ(a.normal(), b.normal());
  EXPECT_NE(BodyRandom(42, 7).uniform(), BodyRandom(42, 8).uniform());
  EXPECT_NE(BodyRandom(42, 7).uniform(), BodyRandom(43, 7).uniform());
  EXPECT_NE(BodyRandom(42, 7, 0).uniform(), BodyRandom(42, 7, 1).uniform());
}

TEST(Random, first_draw_is_that_of_philox_4x32_10) {
  // Known answer of Random123 for counter 0 and key 0: first words 6627e8d5 e169c58d.
  const double expected =
      (static_cast<double>(0x6627e8d5e169c58dULL >> 12U) + 0.5) * std::ldexp(1.0, -52);
  EXPECT_EQ(BodyRandom(0, 0).uniform(), expected);
}

TEST(Random, moments_are_those_of_the_distributions) {
  constexpr int n = 200'000;
  double uniform = 0, normal = 0, square = 0;
  Vec3 direction;
  for (int i = 0; i < n; ++i) {
    BodyRandom random(3, static_cast<std::uint64_t>(i));
    uniform += random.uniform();
    const double g = random.normal();
    normal += g, square += g * g;
    direction += random.direction();
  }
  // four standard errors of each mean
  const double error = 4 / std::sqrt(double{n});
  EXPECT_NEAR(uniform / n, 0.5, error * std::sqrt(1.0 / 12));
  EXPECT_NEAR(normal / n, 0, error);
  EXPECT_NEAR(square / n, 1, error * std::numbers::sqrt2);
  EXPECT_LT(norm(direction) / n, error);
}

}  // namespace
}  // namespace apsis

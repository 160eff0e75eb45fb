// SPDX-License-Identifier: MIT
// Every external field of the table: its force is the slope of its potential, its jerk the change
// of that force along a path, and both are the same in any units.
#include "files/expect_error.hpp"
#include <apsis/core/external_fields.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/external_fields.hpp>

#include <cmath>
#include <functional>

namespace apsis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Components<double> components(Vec3 v) { return {v.x, v.y, v.z}; }
Vec3 vector(const Components<double>& c) { return {c.x, c.y, c.z}; }

const std::vector<Vec3> places{{1, 2, -0.5}, {-0.3, 0.1, 0.7}, {30, -20, 4}, {0.01, 0.02, -0.01}};
constexpr Vec3 velocity{0.3, -0.7, 0.2};
constexpr double now = 0.4, gravity = 2.5;

class ExternalFieldTest : public testing::TestWithParam<std::string> {
 protected:
  ExternalFields fields() const { return test::external_field(GetParam()); }
};

// Central differences over h = 1e-5 lose h² of the third derivative, below 1e-6 where the fields
// bend over lengths of 0.6 and more, and rounding over h, 1e-11.
constexpr double h = 1e-5, tolerance = 2e-6;

TEST_P(ExternalFieldTest, the_force_is_minus_the_slope_of_the_potential) {
  for_each_acting(fields(), []<class Field>(const Field& field) {
    const auto c = field.constants(now, {.gravity = gravity});
    for (const Vec3 p : places) {
      const Vec3 got = vector(Field::acceleration(c, components(p)));
      const auto slope = [&](Vec3 d) {
        return (Field::potential(c, p + h * d) - Field::potential(c, p - h * d)) / (2 * h);
      };
      const Vec3 expected = -Vec3{slope({1, 0, 0}), slope({0, 1, 0}), slope({0, 0, 1})};
      EXPECT_LE(norm(got - expected), tolerance * (norm(expected) + 1)) << field.info.name;
      EXPECT_GT(norm(got), 0);
    }
  });
}

TEST_P(ExternalFieldTest, the_jerk_is_the_change_of_the_force_along_the_path) {
  for_each_acting(fields(), []<class Field>(const Field& field) {
    for (const Vec3 p : places) {
      const auto at = [&](double t) {
        return vector(Field::acceleration(field.constants(now + t, {.gravity = gravity}),
                                          components(p + t * velocity)));
      };
      const Vec3 expected = (at(h) - at(-h)) / (2 * h);
      const auto c = field.constants(now, {.gravity = gravity});
      const Vec3 got = vector(Field::jerk(c, components(p), components(velocity)));
      EXPECT_LE(norm(got - expected), tolerance * (norm(expected) + 1)) << field.info.name;
    }
  });
}

TEST_P(ExternalFieldTest, is_the_same_in_the_units_of_an_engine) {
  const ExternalUnits units{.length = 0x1p60, .time = 0x1p-7, .gravity = gravity};
  for_each_acting(fields(), [&]<class Field>(const Field& field) {
    const auto users = field.constants(now, {.gravity = gravity});
    const auto internal = field.constants(now, units);
    for (const Vec3 p : places) {
      const Vec3 expected = vector(Field::acceleration(users, components(p)));
      const Vec3 got = units.acceleration() *
                       vector(Field::acceleration(internal, components(p / units.length)));
      EXPECT_LE(norm(got - expected), 1e-14 * norm(expected)) << field.info.name;
      const double speed = units.length / units.time;
      const Vec3 jerk = vector(Field::jerk(users, components(p), components(velocity)));
      const Vec3 got_jerk =
          (units.acceleration() / units.time) *
          vector(Field::jerk(internal, components(p / units.length), components(velocity / speed)));
      EXPECT_LE(norm(got_jerk - jerk), 1e-13 * norm(jerk)) << field.info.name;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Table, ExternalFieldTest, testing::ValuesIn(test::external_names()),
                         [](const auto& tested) { return tested.param; });

TEST(ExternalFields, act_where_one_key_is_given) {
  EXPECT_FALSE(any_acts({}));
  ExternalFields fields;
  std::get<external::Uniform>(fields.table).z = 0.0;
  EXPECT_TRUE(any_acts(fields));
}

TEST(ExternalFields, are_refused_without_a_key_that_has_no_default) {
  ExternalFields fields;
  std::get<external::Logarithmic>(fields.table).speed = 1;
  EXPECT_THAT(error_text(ExitCode::bad_data, [&] { require_valid(fields, Law::gravity); }),
              AllOf(HasSubstr("external.logarithmic without external.logarithmic.core"),
                    HasSubstr("give external.logarithmic.core: radius")));
  std::get<external::Logarithmic>(fields.table).core = 1;
  EXPECT_NO_THROW(require_valid(fields, Law::gravity));
}

TEST(ExternalFields, masses_are_refused_where_charges_make_the_forces) {
  const ExternalFields mass = test::external_field("plummer");
  EXPECT_THAT(error_text(ExitCode::bad_data, [&] { require_valid(mass, Law::coulomb); }),
              AllOf(HasSubstr("external.plummer pulls by gravity"), HasSubstr("coulomb")));
  EXPECT_NO_THROW(require_valid(test::external_field("uniform"), Law::coulomb));
}

TEST(ExternalFields, a_body_in_the_middle_of_a_point_feels_nothing) {
  const external::Plummer point{.mass = 2, .radius = 0};
  const auto c = point.constants(0, {});
  EXPECT_EQ(vector(external::Plummer::acceleration(c, {0.0, 0.0, 0.0})), Vec3{});
  EXPECT_EQ(vector(external::Plummer::jerk(c, {0.0, 0.0, 0.0}, {1.0, 2.0, 3.0})), Vec3{});
  EXPECT_EQ(external::Plummer::potential(c, {}), 0);
}

// Known by hand: G m M/r, g z and k x²/2.
TEST(ExternalFields, their_energies_are_those_of_textbooks_and_the_same_for_any_number_of_threads) {
  Bodies bodies(2);
  bodies.mass = {2, 3};
  bodies.set_position(0, {3, 0, 4});
  ExternalFields fields;
  std::get<external::Plummer>(fields.table) = {.mass = 10, .radius = 0};
  EXPECT_DOUBLE_EQ(external_energy(fields, bodies, 0, 2.0, 1), -2.0 * 2 * 10 / 5);
  fields = {};
  std::get<external::Uniform>(fields.table).z = -9.81;
  EXPECT_DOUBLE_EQ(external_energy(fields, bodies, 0, 1, 1), 2 * 9.81 * 4);
  std::get<external::Harmonic>(fields.table).x = 7;
  EXPECT_DOUBLE_EQ(external_energy(fields, bodies, 0, 1, 1), 2 * 9.81 * 4 + 2 * 3.5 * 9);
  const Bodies many = test::random_bodies(20000);
  const ExternalFields all = test::external_field("");
  EXPECT_EQ(external_energy(all, many, 1, 1, 1), external_energy(all, many, 1, 1, 3));
}

}  // namespace
}  // namespace apsis

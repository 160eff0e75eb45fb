// SPDX-License-Identifier: MIT
#include <apsis/core/bodies.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/pair_law.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>

#include <cmath>
#include <limits>

namespace apsis {
namespace {

using testing::HasSubstr;

std::string complaint(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    EXPECT_FALSE(error.remedy().empty());
    return error.what();
  }
  return "no error";
}

TEST(Bodies, new_ones_are_numbered_from_zero) {
  const Bodies bodies(3);
  EXPECT_EQ(bodies.id, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_FALSE(bodies.charged());
}

TEST(Bodies, appending_charged_to_uncharged_gives_the_others_charge_zero) {
  Bodies a(2), b(1, true);
  b.charge[0] = -1;
  a.append(b);
  EXPECT_EQ(a.size(), 3U);
  EXPECT_EQ(a.charge, (std::vector<double>{0, 0, -1}));
}

TEST(Bodies, a_value_that_is_not_finite_is_named_with_its_body) {
  Bodies bodies = test::random_bodies(5);
  bodies.id[3] = 42;
  bodies.vy()[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(complaint([&] { require_valid(bodies, "start.csv"); }),
              testing::AllOf(HasSubstr("start.csv"), HasSubstr("vy of body 3 (id 42)")));
}

TEST(Bodies, negative_masses_are_refused) {
  Bodies bodies = test::random_bodies(2);
  bodies.mass[1] = -1;
  EXPECT_THAT(complaint([&] { require_valid(bodies, "file"); }), HasSubstr("mass of body 1"));
}

TEST(Bodies, columns_of_different_length_are_refused) {
  Bodies bodies(3);
  bodies.velocities.resize(2);
  EXPECT_THAT(complaint([&] { require_valid(bodies, "file"); }), HasSubstr("2 values of vx"));
}

TEST(Bodies, coincident_ones_are_counted_once_each) {
  Bodies bodies = test::random_bodies(10);
  EXPECT_EQ(coincident_bodies(bodies), 0U);
  bodies.set_position(7, bodies.position(2));
  bodies.set_position(9, bodies.position(2));
  EXPECT_EQ(coincident_bodies(bodies), 3U);
  EXPECT_EQ(coincident_bodies(Bodies(0)), 0U);
  EXPECT_EQ(coincident_bodies(Bodies(4)), 4U);
}

TEST(Bodies, centering_moves_the_centre_of_mass_to_rest_at_the_origin) {
  Bodies bodies = test::random_bodies(100);
  center(bodies);
  // 100 terms of order 1/100 each: rounding of about 1e-16
  EXPECT_LT(norm(center_of_mass(bodies)), 1e-15);
  EXPECT_LT(norm(mean_velocity(bodies)), 1e-15);
}

TEST(PairLaw, charges_need_mass_and_coulomb_needs_charges) {
  Bodies bodies = test::random_bodies(3);
  const PairLaw coulomb{Law::coulomb, 1, 0.1};
  EXPECT_THAT(complaint([&] { require_valid(coulomb, bodies, "file"); }), HasSubstr("no charges"));
  bodies.charge = {1, 0, -1};
  bodies.mass[1] = 0;  // no charge, so it may be massless
  EXPECT_NO_THROW(require_valid(coulomb, bodies, "file"));
  bodies.mass[2] = 0;
  EXPECT_THAT(complaint([&] { require_valid(coulomb, bodies, "file"); }),
              HasSubstr("body 2 (id 2) has charge -1 but no mass"));
}

TEST(PairLaw, softening_must_be_a_length) {
  const Bodies bodies(1);
  for (const double softening : {-0.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(complaint([&] { require_valid(PairLaw{.softening = softening}, bodies, "spec"); }),
                HasSubstr("is not a length"));
  }
}

}  // namespace
}  // namespace apsis

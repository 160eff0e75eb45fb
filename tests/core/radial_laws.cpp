// SPDX-License-Identifier: MIT
// Every radial law of the table: its force is the slope of its potential, its steepness that of its
// force, in float as in double.
#include <apsis/core/pair_law.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/radial_laws.hpp>

#include <cmath>
#include <functional>

namespace apsis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::vector<double> distances{1e-3, 0.1, 0.7, 1, 2.5, 10};

// Central differences with h = 1e-5 r lose (h/range)²/6 at most, 4e-9 at 14 ranges, and rounding
// over h, 1e-11.
double slope(const std::function<double(double)>& of, double r) {
  const double h = 1e-5 * r;
  return (of(r + h) - of(r - h)) / (2 * h);
}

std::string complaint(const RadialLaw& law) {
  try {
    require_valid(law);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    return std::string(error.what()) + "; " + error.remedy();
  }
  return {};
}

class RadialLawTest : public testing::TestWithParam<RadialLaw> {};

TEST_P(RadialLawTest, the_force_is_minus_the_slope_of_the_potential) {
  with_radial(GetParam(), [](auto law) {
    const auto potential = [&](double r) { return law.potential(r) / r; };
    for (const double r : distances) {
      const double force = law.force(r) / (r * r);
      EXPECT_NEAR(-slope(potential, r), force,
                  1e-8 * (std::abs(force) + std::abs(potential(r)) / r))
          << r;
    }
  });
}

TEST_P(RadialLawTest, the_steepness_is_that_of_the_weight_of_an_offset) {
  with_radial(GetParam(), [](auto law) {
    const auto logarithm = [&](double r) { return std::log(law.force(r) / (r * r * r)); };
    for (const double r : distances) {
      EXPECT_NEAR(-r * slope(logarithm, r), law.steepness(r), 1e-8 * law.steepness(r)) << r;
    }
  });
}

TEST_P(RadialLawTest, float_gives_what_double_does_to_its_own_digits) {
  with_radial(GetParam(), [](auto law) {
    for (const double r : distances) {
      const auto narrow = static_cast<float>(r);
      // a range or two in the exponent multiply its rounding, 6e-8
      const double tolerance = 1e-6 * (1 + r);
      EXPECT_NEAR(law.force(narrow), law.force(r), tolerance * std::abs(law.force(r)));
      EXPECT_NEAR(law.potential(narrow), law.potential(r), tolerance * std::abs(law.potential(r)));
      EXPECT_NEAR(law.steepness(narrow), law.steepness(r), tolerance * law.steepness(r));
    }
  });
}

TEST_P(RadialLawTest, nothing_is_infinite_where_bodies_are_far_away) {
  with_radial(GetParam(), [](auto law) {
    EXPECT_TRUE(std::isfinite(law.force(1e18F))) << "where the padding of devices rests";
    EXPECT_TRUE(std::isfinite(law.potential(1e18F)));
    EXPECT_TRUE(std::isfinite(law.force(1e150)));
    EXPECT_TRUE(std::isfinite(law.potential(1e150)));
  });
}

TEST_P(RadialLawTest, is_found_by_its_name) {
  const Radial radial = GetParam().radial;
  EXPECT_EQ(choice_from<Radial>(info_of(radial).name), radial);
  EXPECT_FALSE(info_of(radial).summary.empty());
}

INSTANTIATE_TEST_SUITE_P(Laws, RadialLawTest, testing::ValuesIn(test::radial_laws()),
                         test::name_of_law);

TEST(Newton, is_the_first_of_the_table_and_changes_nothing) {
  EXPECT_EQ(info_of(newton).name, "newton");
  EXPECT_EQ(PairLaw{}.radial, RadialLaw{});
  const radial::Newton law(0);
  EXPECT_EQ(law.force(0.3), 1);
  EXPECT_EQ(law.potential(0.3F), 1);
  EXPECT_EQ(law.steepness(0.3), 3);
}

TEST(Yukawa, is_as_by_hand) {
  const radial::Yukawa law(2);
  EXPECT_NEAR(law.potential(3.0), std::exp(-1.5), 1e-15);
  EXPECT_NEAR(law.force(3.0), 2.5 * std::exp(-1.5), 1e-15);
  EXPECT_NEAR(law.steepness(3.0), 3 + 2.25 / 2.5, 1e-15);
}

TEST(Yukawa, with_an_endless_range_is_newtons_to_the_bit) {
  const radial::Yukawa law(1e300);
  for (const double r : distances) {
    EXPECT_EQ(law.force(r), 1);
    EXPECT_EQ(law.potential(static_cast<float>(r)), 1);
    EXPECT_EQ(law.steepness(r), 3);
  }
}

// A few roundings, and those of u itself, which an exponential makes u times as large.
template <class Real>
void expect_exponential() {
  const double unit = std::numeric_limits<Real>::epsilon();
  for (double u = 0; u <= static_cast<double>(radial::most_exponent<Real>); u += 0.37) {
    const auto narrow = static_cast<Real>(u);
    const double exact = std::exp(-static_cast<double>(narrow));
    EXPECT_NEAR(static_cast<double>(radial::exp_of_minus(narrow)), exact, (3 + u) * unit * exact)
        << u;
  }
}

TEST(Exponential, is_good_to_its_last_digits) {
  expect_exponential<float>();
  expect_exponential<double>();
  EXPECT_EQ(radial::exp_of_minus(0.0), 1);
}

TEST(RadialLaw, takes_a_range_where_it_has_one_and_none_where_not) {
  EXPECT_EQ(complaint({}), "");
  const Radial yukawa = choice_from<Radial>("yukawa");
  EXPECT_EQ(complaint({yukawa, 0.5}), "");
  EXPECT_THAT(complaint({newton, 0.5}), AllOf(HasSubstr("force.range = 0.5 means nothing"),
                                              HasSubstr("radial"), HasSubstr("yukawa")));
  EXPECT_THAT(complaint({yukawa, 0}), HasSubstr("\"yukawa\" needs force.range"));
  EXPECT_THAT(complaint({yukawa, -1}), HasSubstr("force.range = -1 is not a length"));
  EXPECT_THAT(complaint({yukawa, INFINITY}), HasSubstr("is not a length"));
}

TEST(RadialLaw, goes_from_settings_to_a_law_and_back) {
  const PairLaw law{Law::coulomb, 2, 0.1, {choice_from<Radial>("yukawa"), 0.5}};
  EXPECT_EQ(law_of(forces(law)), law);
  EXPECT_EQ(law_of(forces(PairLaw{})), PairLaw{});
  EXPECT_FALSE(forces(PairLaw{}).radial.has_value()) << "specs of 0.1 say nothing of it";
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
// The table of analyses: every row fits its columns, of usual states and of odd ones, and what is
// written of one state after another says of each when it was.
#include <apsis/analysis/tables.hpp>
#include <apsis/core/error.hpp>
#include <apsis/initial/model.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace apsis::analysis {
namespace {

std::vector<double> no_potentials(const Bodies& bodies) {
  return std::vector<double>(bodies.size(), -1e3);
}

AnalysedState state_of(const Bodies& bodies) {
  return {.bodies = bodies, .time = 2.5, .gravity = 1, .potentials_of = no_potentials};
}

double number(const Figure& figure) { return std::get<double>(figure); }

Bodies some_bodies(std::size_t n) {
  Bodies bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double k = static_cast<double>(i);
    bodies.id[i] = i, bodies.mass[i] = 1;
    bodies.set_position(i, {std::sin(7 * k), std::cos(5 * k), std::sin(3 * k + 1)});
    bodies.set_velocity(i, {std::cos(k), std::sin(2 * k), 0});
  }
  return bodies;
}

TEST(tables, every_row_has_a_figure_for_each_column) {
  Bodies together(40);  // all in one place
  for (std::size_t i = 0; i < together.size(); ++i) together.id[i] = i, together.mass[i] = 1;
  for (const Analysis& analysis : analyses()) {
    const auto columns = series_columns(analysis, {});
    EXPECT_EQ(columns.front(), "time") << analysis.name;
    for (const Bodies& bodies : {some_bodies(0), some_bodies(1), some_bodies(2), some_bodies(7),
                                 some_bodies(65), together}) {
      const auto rows = series_rows(analysis, state_of(bodies), {});
      ASSERT_FALSE(rows.empty()) << analysis.name << " of " << bodies.size();
      for (const Row& row : rows) {
        EXPECT_EQ(row.size(), columns.size()) << analysis.name << " of " << bodies.size();
        EXPECT_EQ(number(row.front()), 2.5) << analysis.name;
      }
    }
  }
}

TEST(tables, a_state_without_groups_has_a_row_that_says_so) {
  const Bodies few = some_bodies(5);
  const auto rows = series_rows(analysis_named("groups"), state_of(few), {});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(std::get<std::uint64_t>(rows[0][2]), 0U);  // groups
  EXPECT_TRUE(std::isnan(number(rows[0][4])));         // which
}

TEST(tables, bodies_in_one_place_have_no_usual_linking_length) {
  const FoundGroups found = groups_in(Bodies(40), {});
  EXPECT_TRUE(std::isnan(found.linking_length));
  EXPECT_TRUE(found.members.empty());
}

TEST(tables, radii_are_about_the_centre_that_is_chosen) {
  Bodies far = some_bodies(200);
  for (std::size_t i = 0; i < far.size(); ++i)
    far.set_position(i, far.position(i) + Vec3{50, 0, 0});
  const Analysis& lagrangian = analysis_named("lagrangian");
  TableChoice choice;
  choice.shares = {0.5};
  const auto radius = [&](CentreKind centre) {
    choice.centre = centre;
    return number(lagrangian.of(state_of(far), choice).rows.front().back());
  };
  EXPECT_LT(radius(CentreKind::mass), 2);
  EXPECT_GT(radius(CentreKind::origin), 48);
}

TEST(tables, a_word_that_is_no_analysis_is_refused_with_the_nearest) {
  try {
    analysis_named("lagrangain");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'lagrangian'"), std::string::npos);
  }
}

TEST(tables, csv_brings_doubles_back_and_leaves_out_what_is_nothing) {
  const double third = 1.0 / 3;
  EXPECT_EQ(std::stod(exact_text(third)), third);
  EXPECT_EQ(csv_line({1.5, std::numeric_limits<double>::quiet_NaN(), std::uint64_t{3}}),
            "1.5,,3\n");
}

}  // namespace
}  // namespace apsis::analysis

// SPDX-License-Identifier: MIT
// States of the same bodies, compared.
#include "files/expect_error.hpp"
#include <apsis/io/comparison.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace apsis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A thousand bodies on a line, as far from each other as their velocities.
Snapshot line_of(std::size_t n) {
  Snapshot out;
  out.bodies = Bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    out.bodies.id[i] = 10 + i;
    out.bodies.mass[i] = 1;
    out.bodies.set_position(i, {100 + static_cast<double>(i), 0, 0});
    out.bodies.set_velocity(i, {0, static_cast<double>(i % 2), 0});
  }
  return out;
}

const QuantityDifference& difference_in(const Comparison& comparison, std::string_view quantity) {
  const auto found =
      std::ranges::find(comparison.differences, quantity, &QuantityDifference::quantity);
  if (found == comparison.differences.end()) throw std::out_of_range(std::string(quantity));
  return *found;
}

std::vector<std::string> quantities_in(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const auto& difference : comparison.differences) names.push_back(difference.quantity);
  return names;
}

Snapshot table(const std::string& text) {
  return parse_csv(text, "forces.csv", {.memory = 0, .places_may_miss = true});
}

TEST(Comparison, of_a_state_with_itself_finds_nothing) {
  const Snapshot state = line_of(1000);
  const Comparison comparison = compare(state, state);
  EXPECT_EQ(comparison.bodies, 1000U);
  EXPECT_TRUE(comparison.by_id);
  EXPECT_THAT(quantities_in(comparison), ElementsAre("position", "velocity", "mass"));
  for (const auto& difference : comparison.differences) {
    EXPECT_EQ(difference.max, 0) << difference.quantity;
    EXPECT_EQ(difference.differing, 0U);
  }
}

TEST(Comparison, tells_how_far_the_bodies_are_apart_as_shares_of_their_spread) {
  const Snapshot first = line_of(1000);
  Snapshot second = first;
  for (std::size_t i = 0; i < 100; ++i) {  // a tenth of the bodies, the last of them furthest
    const Vec3 p = first.bodies.position(i);
    second.bodies.set_position(i, p + Vec3{0, 0, 0.01 * static_cast<double>(i + 1)});
  }
  const auto difference = difference_in(compare(first, second), "position");
  const double spread = std::sqrt((1e6 - 1) / 12);  // of whole numbers, about their mean
  EXPECT_NEAR(difference.typical, spread, 1e-9 * spread);
  EXPECT_EQ(difference.median, 0);
  EXPECT_EQ(difference.p90, 0);
  EXPECT_NEAR(difference.p99, 0.90 / spread, 1e-12);
  EXPECT_NEAR(difference.max, 1.00 / spread, 1e-12);
  EXPECT_NEAR(difference.max_absolute, 1.00, 1e-12);
  EXPECT_EQ(difference.worst, 10U + 99U);
  EXPECT_EQ(difference.differing, 100U);
}

TEST(Comparison, matches_bodies_by_their_ids_whatever_their_order) {
  const Snapshot first = line_of(50);
  Snapshot second = line_of(50);
  std::ranges::reverse(second.bodies.id);
  for (std::size_t i = 0; i < 50; ++i) {
    second.bodies.set_position(i, first.bodies.position(49 - i));
    second.bodies.set_velocity(i, first.bodies.velocity(49 - i));
  }
  second.bodies.id[0] = 7;  // instead of 59
  const Comparison comparison = compare(first, second);
  EXPECT_EQ(comparison.bodies, 49U);
  EXPECT_THAT(comparison.only_in_first, ElementsAre(59));
  EXPECT_THAT(comparison.only_in_second, ElementsAre(7));
  EXPECT_EQ(difference_in(comparison, "position").max, 0);
}

TEST(Comparison, of_forces_takes_each_for_a_share_of_its_own) {
  const Snapshot first = table("id,ax,ay,az,potential\n1,1,0,0,-1\n2,0,100,0,-3\n");
  const Snapshot second = table("id,ax,ay,az,potential\n2,0,101,0,-3\n1,1.1,0,0,-1\n");
  const Comparison comparison = compare(first, second);
  EXPECT_THAT(quantities_in(comparison), ElementsAre("acceleration", "potential"));
  const auto& difference = difference_in(comparison, "acceleration");
  EXPECT_NEAR(difference.max, 0.1, 1e-12);
  EXPECT_EQ(difference.worst, 1U);
  EXPECT_NEAR(difference.max_absolute, 1, 1e-12);
}

TEST(Comparison, without_ids_goes_by_rows_and_needs_as_many) {
  const Snapshot rows = table("ax,ay,az\n1,0,0\n0,2,0\n");
  const Snapshot ids = table("id,ax,ay,az\n7,1,0,0\n3,0,2,1\n");
  const Comparison comparison = compare(rows, ids);
  EXPECT_FALSE(comparison.by_id);
  EXPECT_EQ(difference_in(comparison, "acceleration").worst, 1U);
  EXPECT_NEAR(difference_in(comparison, "acceleration").max, 0.5, 1e-12);
  expect_error(ExitCode::bad_data, "2 and 1 bodies, and one of the two has no ids",
               [&] { compare(rows, table("ax,ay,az\n1,0,0\n")); });
}

Snapshot forces_in(const std::string& text) {
  return parse_csv(text, "mine.txt", {.memory = 0, .places_may_miss = true, .forces_alone = true});
}

TEST(Comparison, takes_forces_that_have_no_names) {
  const Snapshot named = table("id,ax,ay,az\n0,1,2,3\n1,0,-2.5,1e-3\n");
  for (const char* text :
       {"1,2,3\n0,-2.5,1e-3\n", "1 2 3\n0\t-2.5 1e-3\n", "x,y,z\n1,2,3\n0,-2.5,1e-3\n",
        "id,x,y,z\n1,0,-2.5,1e-3\n0,1,2,3\n", "ax,ay,az\n1,2,3\n0,-2.5,1e-3\n",
        "(1.00,2.00,3.00,1.00) (1,2,3)\n(7,8,9,1) (0,-2.5,0.001)\n",
        "(1 2 3 1) (1 2 3)\n(7 8 9 1) (0 -2.5 0.001)\n",
        "id,x,y,z,m,ax,ay,az\n0,9,9,9,1,1,2,3\n1,9,9,9,1,0,-2.5,1e-3\n"}) {
    const Comparison comparison = compare(named, forces_in(text), {"acceleration"});
    EXPECT_EQ(comparison.bodies, 2U) << text;
    EXPECT_EQ(difference_in(comparison, "acceleration").max, 0) << text;
  }
}

TEST(Comparison, of_nameless_forces_refuses_what_is_none_by_line_and_column) {
  const auto refused = [](const char* text, const char* word) {
    expect_error(ExitCode::bad_data, word, [&] { forces_in(text); });
  };
  refused("1,2\n3,4\n", "mine.txt:1:1: 2 columns of forces without a header row");
  refused("1,2,3\n4,5\n", "mine.txt:2:1: 2 values where there are 3 columns");
  refused("1,2,3\n4,nan,6\n", "mine.txt:2:3: 'nan' is not a finite number");
  refused("(1,2,3,1) (4,5,6)\n(1,2,3,1) (4,5\n", "mine.txt:2:1: 6 values");
  refused("(1,2,3) (4,5,6)\n", "6 columns of forces");
  refused("(\n", "mine.txt:1:1: there are no numbers");
  refused("()\n", "there are no numbers");
  refused("(1,2,3,1) (4,5,6)\n(\n", "mine.txt:2:1");
  refused("(1,2,3,1) (4,5,6x)\n", "mine.txt:1:16: '6x'");
  refused("id,fx,fy,fz\n0,1,2,3\n", "unknown column 'fx'");
  // places that stand beside other columns are none
  expect_error(ExitCode::bad_data, "only one of the two has acceleration", [] {
    compare(table("id,ax,ay,az\n0,1,2,3\n"), forces_in("id,x,y,z,m\n0,1,2,3,1\n"),
            {"acceleration"});
  });
}

TEST(Comparison, names_the_file_that_lacks_something) {
  const ComparisonNames names{"reference.csv", "mine.csv"};
  const Snapshot all = table("id,ax,ay,az\n1,1,0,0\n2,0,2,0\n");
  const auto refused = [&](const Snapshot& other, const char* word) {
    expect_error(ExitCode::bad_data, word, [&] { compare(all, other, {"acceleration"}, names); });
    expect_error(ExitCode::bad_data, word, [&] {
      compare(other, all, {"acceleration"}, {names.second, names.first});
    });
  };
  refused(table("ax,ay,az\n1,0,0\n"), "mine.csv has 1");
  refused(table("id,potential\n1,0\n2,0\n"), "mine.csv has none");
  refused(table("id,ax,ay,az\n1,1,0,0\n1,0,2,0\n"), "two bodies of mine.csv have the id 1");
}

TEST(Comparison, gives_the_values_of_the_body_that_is_furthest_off) {
  const Snapshot first = table("id,ax,ay,az\n1,1,0,0\n2,0,100,0\n");
  const auto difference =
      compare(first, table("id,ax,ay,az\n2,0,101,0\n1,1,0.5,0\n")).differences.front();
  EXPECT_EQ(difference.worst, 1U);
  EXPECT_EQ(difference.worst_first, (Vec3{1, 0, 0}));
  EXPECT_EQ(difference.worst_second, (Vec3{1, 0.5, 0}));
}

TEST(Comparison, does_not_compare_what_a_file_has_made_up) {
  const Snapshot places = parse_csv("id,x,y,z\n1,0,0,0\n2,1,0,0\n", "places.csv");
  const Snapshot all =
      parse_csv("id,m,x,y,z,vx,vy,vz,radius\n1,5,0,0,0,1,1,1,2\n2,5,1,0,0,1,1,1,2\n", "all.csv");
  const Comparison comparison = compare(places, all);
  EXPECT_THAT(quantities_in(comparison), ElementsAre("position"));
  EXPECT_THAT(comparison.left_out, ElementsAre("velocity", "mass", "radius"));
}

// An own share of a force that cancels would be one of rounding.
TEST(Comparison, of_zero_and_endless_values_is_no_number_that_hides) {
  const Snapshot first = table("id,ax,ay,az\n1,0,0,0\n2,1,0,0\n");
  EXPECT_NEAR(compare(first, table("id,ax,ay,az\n1,1e-9,0,0\n2,1,0,0\n")).differences[0].max,
              1e-9 * std::sqrt(2), 1e-15);
  Snapshot broken = first;
  broken.accelerations.set(1, {std::numeric_limits<double>::quiet_NaN(), 0, 0});
  const auto difference = compare(first, broken).differences[0];
  EXPECT_EQ(difference.max, std::numeric_limits<double>::infinity());
  EXPECT_EQ(difference.worst, 2U);
  const Snapshot still = table("id,ax,ay,az\n1,0,0,0\n2,0,0,0\n");
  EXPECT_EQ(compare(still, first).differences[0].max, std::numeric_limits<double>::infinity());
  EXPECT_EQ(compare(still, still).differences[0].max, 0);
}

TEST(Comparison, refuses_what_has_nothing_in_common) {
  const Snapshot forces = table("id,ax,ay,az\n1,0,0,0\n");
  expect_error(ExitCode::bad_data, "no body in common",
               [&] { compare(forces, table("id,ax,ay,az\n2,0,0,0\n")); });
  expect_error(ExitCode::bad_data, "no quantity in common",
               [&] { compare(forces, table("id,potential\n1,0\n")); });
  expect_error(ExitCode::wrong_usage, "unknown quantity 'aceleration'",
               [&] { compare(forces, forces, {"aceleration"}); });
  expect_error(ExitCode::bad_data, "two bodies of the first state have the id 1",
               [&] { compare(table("id,ax,ay,az\n1,0,0,0\n1,0,0,0\n"), forces); });
}

TEST(Comparison, refuses_a_quantity_that_was_asked_for_and_is_not_there) {
  const Snapshot both = table("id,ax,ay,az,potential\n1,1,0,0,-1\n");
  const Snapshot forces = table("id,ax,ay,az\n1,1,0,0\n");
  expect_error(ExitCode::bad_data, "only one of the two has potential", [&] {
    compare(both, forces, {"acceleration", "potential"});
  });
  expect_error(ExitCode::bad_data, "neither of the two has charge",
               [&] { compare(both, both, {"charge"}); });
}

TEST(Comparison, refuses_other_units_unless_a_file_names_none) {
  const std::string row = "id,x,y,z\n1,1,0,0\n2,0,1,0\n";
  const Snapshot si = table("# units = si\n" + row), henon = table("# units = henon\n" + row);
  expect_error(ExitCode::bad_data, "in other units: si and henon", [&] { compare(si, henon); });
  EXPECT_EQ(compare(si, table(row)).differences.front().max, 0);
}

TEST(Comparison, tells_numbers_apart_whose_squares_are_none) {
  for (const char* size : {"e-200", "e200"}) {
    const auto with = [&](const char* value) {
      return table(fmt::format("id,ax,ay,az,potential\n1,{0}{1},0,0,{0}{1}\n", value, size));
    };
    const Comparison comparison = compare(with("1"), with("2"));
    for (const auto& difference : comparison.differences) {
      EXPECT_NEAR(difference.max, 1, 1e-12) << difference.quantity << size;
      EXPECT_NEAR(difference.rms, 1, 1e-12);
    }
  }
}

TEST(Comparison, of_no_bodies_at_all_is_one) {
  EXPECT_TRUE(compare(Snapshot{}, Snapshot{}).differences.empty());
}

TEST(Comparison, a_table_without_places_is_read_only_for_it) {
  expect_error(ExitCode::bad_data, "column 'x' is missing",
               [] { parse_csv("id,ax,ay,az\n1,0,0,0\n", "forces.csv"); });
  expect_error(ExitCode::bad_data, "position without all of x, y and z",
               [] { table("id,x,y,ax,ay,az\n1,0,0,0,0,0\n"); });
}

}  // namespace
}  // namespace apsis

// SPDX-License-Identifier: MIT
// The lesson about contacts: what it says about made-up rows, above all where something lost, and
// how it looks at bullets and compares searches.
#include <apsis/lab/bullets.hpp>
#include <apsis/lab/contact_rows.hpp>

#include <gtest/gtest.h>
#include <lab/made_up.hpp>
#include <support/devices.hpp>

#include <cmath>

namespace apsis::lab {
namespace {

using test::said_of;
using test::says;

struct SearchRow {
  std::string search;
  double bodies = 1000, seconds = 1;
  double ratio = 0;  // 0: was not resolved
  std::string complaint;
  double waited = 0;
};

Results made_up(const std::vector<SearchRow>& rows) {
  Results results;
  results.lesson = "contacts";
  ResultTable table = contact_table();
  for (const SearchRow& row : rows) {
    table.add({{"device", "X"},
               {"kind", "native"},
               {"variant", row.search},
               {"bodies", row.bodies},
               {"steps", 5.0},
               {"seconds", row.seconds},
               {"seconds_deviation", 0.0},
               {"error_p99", 5e-4},
               {"contacts", test::only_if(row.ratio > 0, 47)},
               {"ratio", test::only_if(row.ratio > 0, row.ratio)},
               {"waited", row.waited},
               {"complaint", row.complaint}});
  }
  results.tables = {table};
  return results;
}

TEST(FindingsOfContacts, say_from_how_many_bodies_on_the_tree_beats_all_pairs) {
  const auto said = said_of(made_up({{.search = "direct", .bodies = 100, .seconds = 1},
                                     {.search = "tree", .bodies = 100, .seconds = 4},
                                     {.search = "direct", .bodies = 1000, .seconds = 100},
                                     {.search = "tree", .bodies = 1000, .seconds = 40},
                                     {.search = "tree", .bodies = 10000, .seconds = 400}}));
  EXPECT_TRUE(says(said, {"all pairs are searched faster", "up to 100 bodies (0.25 times)",
                          "from 1,000 bodies (2.50 times) the tree beats them"}));
}

TEST(FindingsOfContacts, say_where_the_tree_never_wins_or_always_does) {
  const auto never = said_of(made_up({{.search = "direct", .bodies = 100, .seconds = 1},
                                      {.search = "tree", .bodies = 100, .seconds = 4},
                                      {.search = "direct", .bodies = 1000, .seconds = 100},
                                      {.search = "tree", .bodies = 1000, .seconds = 200}}));
  EXPECT_TRUE(says(never, {"the tree lost against all pairs", "1,000 bodies (0.50 times)"}));
  EXPECT_FALSE(says(never, {"beats"}));
  const auto always = said_of(made_up({{.search = "direct", .bodies = 100, .seconds = 8},
                                       {.search = "tree", .bodies = 100, .seconds = 4}}));
  EXPECT_TRUE(says(always, {"the tree beats all pairs from 100 bodies (2.00 times) on"}));
  const auto alike = said_of(made_up({{.search = "direct", .bodies = 100, .seconds = 4},
                                      {.search = "tree", .bodies = 100, .seconds = 4}}));
  EXPECT_TRUE(says(alike, {"can't be told apart", "100 bodies"}));
}

// A gain among few bodies that is lost again among more is no crossover.
TEST(FindingsOfContacts, take_no_early_gain_for_the_crossover) {
  const auto said = said_of(made_up({{.search = "direct", .bodies = 100, .seconds = 8},
                                     {.search = "tree", .bodies = 100, .seconds = 4},
                                     {.search = "direct", .bodies = 1000, .seconds = 10},
                                     {.search = "tree", .bodies = 1000, .seconds = 20}}));
  EXPECT_TRUE(says(said, {"lost against all pairs"}));
  EXPECT_FALSE(says(said, {"beats"}));
}

TEST(FindingsOfContacts, say_that_the_tree_lost_against_the_grid) {
  EXPECT_TRUE(
      says(said_of(made_up({{.search = "grid", .seconds = 1}, {.search = "tree", .seconds = 2}})),
           {"the tree lost against the grid (0.50 times)", "what a grid is made for"}));
  const auto won =
      said_of(made_up({{.search = "grid", .seconds = 2}, {.search = "tree", .seconds = 1}}));
  EXPECT_TRUE(says(won, {"the tree beats the grid (2.00 times)"}));
  EXPECT_FALSE(says(won, {"made for"}));
}

TEST(FindingsOfContacts, fit_the_growth_where_bodies_are_many) {
  std::vector<SearchRow> rows;
  for (const double bodies : {1e3, 1e4, 1e5, 1e6}) {
    // a second of launches, which does not grow
    rows.push_back(
        {.search = "tree", .bodies = bodies, .seconds = bodies < 1e4 ? 1 : 1e-3 * bodies});
    rows.push_back({.search = "grid", .bodies = bodies, .seconds = std::pow(bodies, 1.5)});
    if (bodies < 1e5) {
      rows.push_back({.search = "direct", .bodies = bodies, .seconds = bodies * bodies});
    }
  }
  const auto said = said_of(made_up(rows));
  EXPECT_TRUE(says(said, {"from 10,000 to 1,000,000 bodies", "by tree", "the power of 1.00",
                          "as their number does"}));
  EXPECT_TRUE(says(said, {"by grid", "the power of 1.50."}));
  EXPECT_TRUE(says(said, {"from 1,000 to 10,000 bodies", "by direct", "2.00, as the pairs do"}));
  EXPECT_FALSE(says(said_of(made_up({{.search = "tree"}})), {"the power of"}));
}

TEST(FindingsOfContacts, say_whether_contacts_cost_less_than_a_quarter_of_the_forces) {
  const auto below = said_of(made_up({{.search = "tree", .bodies = 1000, .ratio = 0.8},
                                      {.search = "tree", .bodies = 100000, .ratio = 0.2}}));
  EXPECT_TRUE(says(below, {"100,000 bodies", "takes 0.20 of an evaluation", "5.0e-04",
                           ", below a quarter; above it with 1,000 (0.80) bodies"}));
  const auto above = said_of(made_up({{.search = "tree", .bodies = 1000, .ratio = 0.2},
                                      {.search = "tree", .bodies = 100000, .ratio = 0.26}}));
  EXPECT_TRUE(says(above, {"takes 0.26 of an evaluation", ", above a quarter."}));
  EXPECT_FALSE(says(above, {"below"}));
  EXPECT_FALSE(says(said_of(made_up({{.search = "tree"}})), {"a quarter"}));
}

TEST(FindingsOfContacts, conclude_nothing_from_a_busy_machine) {
  const auto said = said_of(made_up({{.search = "direct", .seconds = 1, .waited = 0.5},
                                     {.search = "tree", .seconds = 2, .ratio = 2, .waited = 0.5}}));
  EXPECT_TRUE(says(said, {"busy", "2 of 2 rows"}));
  EXPECT_FALSE(says(said, {"lost"}));
  EXPECT_FALSE(says(said, {"a quarter"}));
}

TEST(FindingsOfContacts, name_the_search_that_finds_other_contacts_and_compare_it_with_nothing) {
  const auto said =
      said_of(made_up({{.search = "direct", .seconds = 10},
                       {.search = "tree",
                        .seconds = 1,
                        .ratio = 0.1,
                        .complaint = "it finds 7 pairs that touch, not the 8 of direct on cpu"}}));
  EXPECT_TRUE(says(said, {"1 of 2 rows find other contacts"}));
  EXPECT_TRUE(says(said, {"tree on X with 1,000 bodies is wrong", "not the 8 of direct"}));
  EXPECT_FALSE(says(said, {"beats"}));
  EXPECT_FALSE(says(said, {"a quarter"}));
  const auto agreed = said_of(made_up(
      {{.search = "direct"}, {.search = "tree", .ratio = 1}, {.search = "tree", .bodies = 9}}));
  EXPECT_TRUE(says(agreed, {"All 2 rows find the same pairs", "the 1 that resolve them"}));
  EXPECT_FALSE(says(said_of(made_up({{.search = "tree"}})), {"the same pairs"}));
}

std::vector<std::string> said_of_bullets(double by_overlap, double by_sweep) {
  Results results;
  results.lesson = "contacts";
  ResultTable table("bullets", "",
                    {{"way", "", "", Look::ratio},
                     {"shot", "", "", Look::whole},
                     {"passed_by_overlap", "", "", Look::whole},
                     {"passed_by_sweep", "", "", Look::whole}});
  for (const auto& [way, passed] : {std::pair{1.0, 0.0}, std::pair{8.0, by_overlap}}) {
    table.add({{"way", way},
               {"shot", 50.0},
               {"passed_by_overlap", passed},
               {"passed_by_sweep", passed > 0 ? by_sweep : 0.0}});
  }
  results.tables = {table};
  return said_of(results);
}

TEST(FindingsOfContacts, say_how_many_bullets_pass_by_overlap_and_by_sweep) {
  const auto said = said_of_bullets(40, 0);
  EXPECT_TRUE(says(said, {"80 % of the bullets pass", "8 diameters long", "none does up to 1"}));
  EXPECT_TRUE(says(said, {"By sweep none of 100 bullets passed"}));
  EXPECT_TRUE(says(said_of_bullets(40, 3), {"By sweep 3 of 100 bullets passed", "misses"}));
  EXPECT_TRUE(says(said_of_bullets(0, 0), {"By overlap", "no bullet passed"}));
}

// A bullet overlaps the wall along at least 2·√(0.75² - 0.5) = 0.5 of its way and at most 1.5:
// steps shorter than the former can't leap over it, and of long ones at most that share ends in it.
// With 300 bullets the share scatters by 0.02.
TEST(Bullets, pass_by_overlap_as_often_as_geometry_says_and_never_by_sweep) {
  EXPECT_EQ(volley(0.45, 100).passed_by_overlap, 0);
  for (const double way : {3.0, 12.0, 48.0}) {
    const Volley shot = volley(way, 300);
    const double seen = 1 - shot.passed_by_overlap / 300.0;
    EXPECT_GT(seen, 0.5 / way - 0.06) << way;
    EXPECT_LT(seen, 1.5 / way + 0.06) << way;
    EXPECT_GT(shot.passed_by_overlap, 0) << way;
    EXPECT_EQ(shot.passed_by_sweep, 0) << way;
  }
}

LessonPlace native() { return {"cpu", "cpu", true, {}}; }

TEST(RingSearch, finds_the_same_contacts_by_all_searches_and_on_a_device) {
  const Ring ring = ring_of(12000);
  const auto by = [&](const LessonPlace& place, ContactSearch how) {
    return contacts_in(ring, place, how, 0, {1, 0}, true);
  };
  const RingContacts direct = by(native(), ContactSearch::direct);
  EXPECT_GT(direct.contacts.size(), 30U);
  EXPECT_EQ(direct.bytes, 0U);
  for (const ContactSearch how : {ContactSearch::grid, ContactSearch::tree}) {
    EXPECT_EQ(disagreement(by(native(), how), direct, "direct"), "");
  }
  // two numbers, nine floats in lanes, and boxes
  EXPECT_GT(by(native(), ContactSearch::tree).bytes, 12000U * 30);
  APSIS_NEED_DEVICE();
  const LessonPlace device{"opencl:0", "device", false, {}};
  const RingContacts there = by(device, ContactSearch::tree);
  EXPECT_EQ(disagreement(there, direct, "direct"), "");
  // both ends of a path are 32 bytes a body
  EXPECT_GT(there.bytes, 12000U * 32);
}

// As in a gas: half of density, cross-section, relative speed and the step. With an optical depth
// of 0.1, heights and speeds of 4 radii and a step of 1/64 that is 0.1/(44.5 r³) · 4πr² · 9.04 r/64
// / 2 = 0.002 contacts a body; shear adds to it. No more, as nobody is put down inside another one.
TEST(RingSearch, has_contacts_of_a_few_bodies_in_a_thousand_whatever_their_number) {
  for (const std::uint64_t bodies : {2000U, 50000U}) {
    const RingContacts found =
        contacts_in(ring_of(bodies), native(), ContactSearch::tree, 0, {1, 0}, true);
    const double share = static_cast<double>(found.contacts.size()) / static_cast<double>(bodies);
    EXPECT_GT(share, 0.002) << bodies;
    EXPECT_LT(share, 0.006) << bodies;
  }
}

TEST(RingSearch, tells_in_what_two_searches_disagree) {
  RingContacts one, other;
  one.touching = {{1, 2}}, other.touching = {{1, 2}, {3, 4}};
  EXPECT_EQ(disagreement(one, other, "grid on cpu"),
            "it finds 1 pairs that touch, not the 2 of grid on cpu");
  other.touching = one.touching;
  other.contacts.resize(1);
  // nothing was resolved
  EXPECT_EQ(disagreement(one, other, "grid"), "");
  one.resolve.seconds = other.resolve.seconds = {1};
  EXPECT_EQ(disagreement(one, other, "grid"), "its 0 contacts are not the 1 of grid");
  one.contacts.resize(1);
  EXPECT_EQ(disagreement(one, other, "grid"), "");
}

}  // namespace
}  // namespace apsis::lab

// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/lab/results.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace apsis::lab {
namespace {

ResultTable small_table() {
  ResultTable table("results", "Small",
                    {{"name", "name", "a word", Look::text},
                     {"seconds", "time", "seconds", Look::seconds},
                     {"bodies", "", "number", Look::whole}});
  table.add({{"name", "a, \"quoted\""}, {"seconds", 0.0178}, {"bodies", 65536.0}});
  table.add({{"name", "b"}});
  return table;
}

TEST(Results, csv_quotes_what_needs_it_and_leaves_empty_cells_empty) {
  EXPECT_EQ(to_csv(small_table()),
            "name,seconds,bodies\n\"a, \"\"quoted\"\"\",0.0178,65536\nb,,\n");
}

TEST(Results, json_comes_back_as_it_was) {
  Results results;
  results.lesson = "direct";
  results.about = {{"command", "apsis lab direct"}};
  results.notices = {"something was left out"};
  results.tables = {small_table()};
  const Results again = results_from_json(to_json(results), "results.json");
  EXPECT_EQ(again.lesson, "direct");
  EXPECT_EQ(again.about, results.about);
  EXPECT_EQ(again.notices, results.notices);
  ASSERT_EQ(again.tables.size(), 1U);
  EXPECT_EQ(to_csv(again.tables[0]), to_csv(results.tables[0]));
  EXPECT_EQ(again.tables[0].columns()[1].look, Look::seconds);
  EXPECT_EQ(to_json(again), to_json(results));
}

TEST(Results, what_is_no_number_becomes_null_in_json) {
  Results results;
  results.lesson = "direct";
  ResultTable table("results", "", {{"x", "x", "", Look::ratio}});
  table.add({{"x", std::numeric_limits<double>::infinity()}});
  table.add({{"x", std::nan("")}});
  results.tables = {table};
  const Results again = results_from_json(to_json(results), "results.json");
  EXPECT_FALSE(again.tables[0].row(0).number("x").has_value());
}

TEST(Results, foreign_files_are_refused_by_name) {
  for (const char* text : {"", "[]", "{}", "{\"apsis_lab\": 1}", "not json",
                           R"({"apsis_lab": 1, "lesson": "direct", "about": {}, "notices": [],
                               "tables": [{"name": "r", "title": "", "columns": [],
                                           "rows": [{"x": 1}]}]})"}) {
    try {
      results_from_json(text, "some/results.json");
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_data) << text;
      EXPECT_NE(std::string(error.what()).find("some/results.json"), std::string::npos) << text;
    }
  }
}

TEST(Results, an_unknown_column_is_our_own_mistake) {
  ResultTable table = small_table();
  EXPECT_THROW(table.add({{"nmae", "x"}}), Error);
}

TEST(Results, a_cell_that_is_empty_absent_or_of_another_kind_gives_nothing) {
  const ResultTable table = small_table();
  EXPECT_EQ(table.row(0).number("bodies"), 65536.0);
  EXPECT_FALSE(table.row(1).number("bodies").has_value());
  EXPECT_FALSE(table.row(0).number("nothing like it").has_value());
  EXPECT_EQ(table.row(0).text("seconds"), "");
  EXPECT_TRUE(std::isnan(table.row(1).value("seconds")));
  EXPECT_EQ(Results{}.table("none").size(), 0U);
}

TEST(Results, times_are_shown_in_the_unit_that_fits) {
  const auto seconds = [](double value) { return shown(Cell(value), Look::seconds); };
  EXPECT_EQ(seconds(12.345), "12.3 s");
  EXPECT_EQ(seconds(0.9999), "1.00 s");
  EXPECT_EQ(seconds(0.0178), "17.8 ms");
  EXPECT_EQ(seconds(5.2e-6), "5.20 µs");
  EXPECT_EQ(seconds(3.4e-8), "34 ns");
  EXPECT_EQ(seconds(0), "0 s");
  EXPECT_EQ(shown(Cell(), Look::seconds), "");
  EXPECT_EQ(shown(Cell(4.2e-7), Look::error), "4.2e-07");
}

}  // namespace
}  // namespace apsis::lab

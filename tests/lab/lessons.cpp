// SPDX-License-Identifier: MIT
// Every lesson measured in the small: rows, charts and sentences come out, and none of them lies.
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/lab/lesson.hpp>

#include <files/scratch_folder.hpp>
#include <gtest/gtest.h>
#include <lab/made_up.hpp>
#include <support/devices.hpp>

#include <set>

namespace apsis::lab {
namespace {

bool takes(const Lesson& lesson, const std::string& option) {
  return std::find(lesson.takes.begin(), lesson.takes.end(), option) != lesson.takes.end();
}

LabOptions small(const Lesson& lesson) {
  LabOptions options;
  options.quick = true;
  if (takes(lesson, "bodies")) options.bodies = {65};
  if (takes(lesson, "steps")) options.steps = 2;
  options.warmup = 1;
  return options;
}

class LessonTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::string name = GetParam();
    // without a device `direct` is one row of the native cpu, the others nothing at all
    if (name == "direct" || name == "reuse" || name == "unroll" || name == "matmul" ||
        name == "your-own") {
      APSIS_NEED_DEVICE();
    }
  }
  static const Lesson& lesson() { return lesson_named(GetParam()); }
};

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Lesson& lesson : lessons()) names.push_back(lesson.name);
  return names;
}

TEST_P(LessonTest, measures_rows_draws_charts_and_says_something) {
  std::size_t watched = 0;
  const LabListener listener{.row_added = [&](const ResultTable&) { ++watched; }};
  const LessonRun run = run_lesson(lesson(), small(lesson()), listener);
  EXPECT_FALSE(run.failure.has_value()) << run.failure->what();
  const Results& results = run.results;
  std::size_t rows = 0;
  for (const ResultTable& table : results.tables) rows += table.size();
  EXPECT_GT(rows, 1U);
  EXPECT_EQ(watched, rows);
  for (const NamedChart& named : lesson().charts(results)) {
    ASSERT_FALSE(named.chart.panels.empty());
    std::size_t points = 0;
    for (const Panel& panel : named.chart.panels) {
      for (const Series& series : panel.series) points += series.x.size();
      EXPECT_FALSE(panel.x.label.empty());
      EXPECT_FALSE(panel.y.label.empty());
    }
    EXPECT_GT(points, 0U) << named.chart.title;
  }
  EXPECT_FALSE(lesson().findings(results).empty());
  for (const ResultTable& table : results.tables) {
    for (const Row& row : table.rows()) EXPECT_EQ(row.text("complaint"), "");
  }
}

TEST_P(LessonTest, has_something_to_say_and_draw_about_nothing_without_failing) {
  Results nothing;
  nothing.lesson = GetParam();
  lesson().charts(nothing);
  EXPECT_TRUE(lesson().findings(nothing).empty());
}

// A results.json that somebody edited must not bring the program down.
TEST_P(LessonTest, survives_results_with_empty_cells) {
  Results results = run_lesson(lesson(), small(lesson()), {}).results;
  for (ResultTable& table : results.tables) {
    for (const char* const key : {"bodies", "seconds", "seconds_kernel", "variant", "error"}) {
      ResultTable holes(table.name(), table.title(), table.columns());
      for (const Row& row : table.rows()) {
        std::vector<std::pair<std::string, Cell>> cells;
        for (const Column& column : table.columns()) {
          if (column.key != key) cells.emplace_back(column.key, row.cell(column.key));
        }
        holes.add(ResultTable::Entries(cells.begin(), cells.end()));
      }
      Results edited = results;
      for (ResultTable& other : edited.tables) {
        if (other.name() == table.name()) other = holes;
      }
      lesson().findings(edited);
      lesson().charts(edited);
    }
  }
}

TEST_P(LessonTest, keeps_what_was_measured_when_it_is_stopped) {
  std::size_t asked = 0;
  const LabListener listener{.stop_requested = [&] { return ++asked > 1; }};
  const Results results = run_lesson(lesson(), small(lesson()), listener).results;
  ASSERT_EQ(results.notices.empty(), false);
  EXPECT_NE(results.notices.back().find("stopped on request"), std::string::npos);
  lesson().charts(results);
  lesson().findings(results);
}

INSTANTIATE_TEST_SUITE_P(All, LessonTest, testing::ValuesIn(all_names()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Lessons, have_names_titles_and_summaries_of_their_own) {
  std::set<std::string> names;
  for (const Lesson& lesson : lessons()) {
    EXPECT_TRUE(names.insert(lesson.name).second);
    EXPECT_FALSE(lesson.title.empty());
    EXPECT_LT(lesson.summary.size(), 110U) << lesson.name;
  }
}

TEST(Lessons, an_edited_kernel_becomes_a_row_beside_the_built_in_one) {
  APSIS_NEED_DEVICE();
  const ScratchFolder folder;
  // the real file with another order of its two loads: the same result
  write_text(folder / "direct_float4.cl",
             "#define SOURCES global const state4* restrict sources\n"
             "#define SOURCE(j) sources[(j) + 0]\n#include \"one_body_an_item.cl\"\n");
  LabOptions options = small(lesson_named("direct"));
  options.devices = {"opencl"};
  options.kernel_dir = folder.path().string();
  const Results results = run_lesson(lesson_named("direct"), options, {}).results;
  std::vector<std::string> variants;
  for (const Row& row : results.table("results").rows()) {
    variants.push_back(row.text("variant"));
    EXPECT_EQ(row.text("edited") == "yes", row.text("variant") == "float4 (edited)");
  }
  EXPECT_EQ(std::count(variants.begin(), variants.end(), "float4"), 1);
  EXPECT_EQ(std::count(variants.begin(), variants.end(), "float4 (edited)"), 1);
  EXPECT_TRUE(test::says(lesson_named("direct").findings(results), {"your float4"}));
}

TEST(Lessons, a_folder_without_any_kernel_of_ours_is_refused) {
  const ScratchFolder folder;
  write_text(folder / "direct_mine.cl", "");
  LabOptions options = small(lesson_named("direct"));
  options.kernel_dir = folder.path().string();
  try {
    run_lesson(lesson_named("direct"), options, {});
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    EXPECT_NE(std::string(error.what()).find("direct_mine.cl takes the place of no kernel"),
              std::string::npos);
  }
}

TEST(Lessons, a_failure_behind_the_first_row_keeps_what_was_measured) {
  APSIS_NEED_DEVICE();
  const ScratchFolder folder;
  write_text(folder / "direct_symmetric.cl", "this is no kernel");
  LabOptions options = small(lesson_named("direct"));
  options.devices = {"opencl"};
  options.kernel_dir = folder.path().string();
  const LessonRun run = run_lesson(lesson_named("direct"), options, {});
  ASSERT_TRUE(run.failure.has_value());
  EXPECT_EQ(run.failure->code(), ExitCode::bad_data);
  EXPECT_GT(run.results.table("results").size(), 2U);
}

TEST(Lessons, about_opencl_refuse_the_native_cpu) {
  LabOptions options = small(lesson_named("reuse"));
  options.devices = {"cpu"};
  EXPECT_THROW(run_lesson(lesson_named("reuse"), options, {}), Error);
}

// A running float sum of n terms is off by about √n·2⁻²⁴ relative, sums of 32 by √32: over 20,000
// bodies the former must be the worse by far more than a factor of 2.
TEST(Lessons, precision_shows_that_a_running_sum_loses_digits) {
  APSIS_NEED_DEVICE();
  LabOptions options = small(lesson_named("precision"));
  options.devices = {"opencl"};
  options.bodies = {20000};
  options.steps = 1, options.warmup = 0;
  const Results results = run_lesson(lesson_named("precision"), options, {}).results;
  const ResultTable& sums = results.table("sums");
  ASSERT_EQ(sums.size(), 2U);
  EXPECT_GT(sums.row(0).value("error_max"), 2 * sums.row(1).value("error_max"));
  EXPECT_EQ(sums.row(0).text("complaint"), "");  // it is there to be bad
}

}  // namespace
}  // namespace apsis::lab

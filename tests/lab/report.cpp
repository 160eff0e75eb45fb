// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/programs.hpp>
#include <apsis/lab/report.hpp>

#include <files/scratch_folder.hpp>
#include <gtest/gtest.h>
#include <lab/made_up.hpp>

#include <cstdlib>

namespace apsis::test {
namespace {

lab::Results ladder() {
  return made_up("direct", {{.variant = "naive", .bodies = 1024, .seconds = 3, .kernel = 2.9},
                            {.variant = "naive", .bodies = 4096, .seconds = 30, .kernel = 29},
                            {.variant = "float4", .bodies = 1024, .seconds = 2, .kernel = 1.9},
                            {.variant = "float4", .bodies = 4096, .seconds = 20, .kernel = 19}});
}

const lab::Lesson& direct() { return lab::lesson_named("direct"); }

// PATH without gnuplot, for the time of a test.
class WithoutGnuplot {
 public:
  WithoutGnuplot() : before_(std::getenv("PATH")) { setenv("PATH", "/nonexistent", 1); }
  ~WithoutGnuplot() { setenv("PATH", before_.c_str(), 1); }
  WithoutGnuplot(const WithoutGnuplot&) = delete;
  WithoutGnuplot& operator=(const WithoutGnuplot&) = delete;

 private:
  std::string before_;
};

TEST(Report, is_one_page_that_needs_no_other_file) {
  const std::string page = lab::report_html(direct(), ladder(), {"a < b & c"},
                                            {{"Chart", {std::byte{1}, std::byte{2}}, ""}});
  EXPECT_NE(page.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_NE(page.find("0 &lt;test&gt; &amp; &quot;co&quot;"), std::string::npos);
  EXPECT_NE(page.find("data:image/png;base64,AQI="), std::string::npos);
  for (const char* outside : {"http:", "https:", "<script", "src=\"chart", "href=\"/"}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
}

TEST(Report, a_picture_that_is_missing_is_named_with_its_reason) {
  const std::string page =
      lab::report_html(direct(), ladder(), {}, {{"Chart", {}, "no chart: gnuplot is missing"}});
  EXPECT_NE(page.find("gnuplot is missing"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
}

TEST(Report, a_folder_holds_results_script_picture_and_page) {
  if (!find_program("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  const ScratchFolder scratch;
  const auto folder = scratch.path() / "lab" / "direct";
  const lab::WrittenLesson written = lab::write_lesson(direct(), ladder(), folder);
  EXPECT_TRUE(written.problems.empty());
  for (const char* file : {"results.csv", "results.json", "chart.gnuplot", "chart.png",
                           "chart-error.png", "report.html"}) {
    EXPECT_TRUE(file_exists(folder / file)) << file;
  }
  EXPECT_GT(size_of_file(folder / "chart.png"), 5000U);
}

TEST(Report, without_gnuplot_everything_else_is_written_and_can_be_drawn_later) {
  const ScratchFolder scratch;
  const auto folder = scratch.path() / "direct";
  {
    const WithoutGnuplot hidden;
    const lab::WrittenLesson written = lab::write_lesson(direct(), ladder(), folder);
    ASSERT_EQ(written.problems.size(), 2U);
    EXPECT_NE(written.problems[0].find("gnuplot-nox"), std::string::npos);
  }
  EXPECT_FALSE(file_exists(folder / "chart.png"));
  EXPECT_NE(read_text(folder / "report.html").find("gnuplot is not installed"), std::string::npos);
  EXPECT_EQ(read_text(folder / "chart.gnuplot").rfind("# Draws chart.png", 0), 0U);
  if (!find_program("gnuplot")) GTEST_SKIP() << "gnuplot is not installed";
  const lab::Results again = lab::read_results(folder);
  EXPECT_EQ(lab::to_json(again), lab::to_json(ladder()));
  EXPECT_TRUE(lab::write_lesson(direct(), again, folder).problems.empty());
  EXPECT_TRUE(file_exists(folder / "chart.png"));
}

TEST(Report, foreign_files_are_not_replaced_unless_forced) {
  const ScratchFolder scratch;
  const auto folder = scratch.path() / "direct";
  lab::require_own(folder, false);  // nothing there yet
  make_folder(folder);
  write_text(folder / "notes.txt", "mine");
  lab::require_own(folder, false);  // nothing that would be replaced
  write_text(folder / "results.csv", "mine");
  EXPECT_THROW(lab::require_own(folder, false), Error);
  lab::require_own(folder, true);
  lab::write_lesson(direct(), ladder(), folder);
  lab::require_own(folder, false);  // ours by now
  EXPECT_EQ(read_text(folder / "notes.txt"), "mine");
  write_text(folder / "results.json", "{}");
  EXPECT_THROW(lab::require_own(folder, false), Error);
}

}  // namespace
}  // namespace apsis::test

// SPDX-License-Identifier: MIT
// Matrices that people write into files, and the tables that show what becomes of them.
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/lab/lesson.hpp>
#include <apsis/lab/matmul_tables.hpp>
#include <apsis/lab/matrix_file.hpp>

#include <files/scratch_folder.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/devices.hpp>

namespace apsis::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string complaint(const std::string& text) {
  try {
    matrix_from(text, "A.txt");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    return error.what();
  }
  return "accepted";
}

TEST(MatrixFile, takes_blanks_commas_and_semicolons) {
  for (const char* const text : {"1 2 3\n4 5 6\n", "1,2,3\n4,5,6", "# mine\n\n1;2;3\r\n4; 5 ;6\r\n",
                                 "\t1 , 2 3\n4 +5 6e0\n"}) {
    const WrittenMatrix matrix = matrix_from(text, "A.txt");
    EXPECT_EQ(matrix.rows, 2);
    EXPECT_EQ(matrix.columns, 3);
    EXPECT_TRUE(matrix.whole);
    EXPECT_THAT(matrix.values, ElementsAre(1, 2, 3, 4, 5, 6));
  }
  EXPECT_FALSE(matrix_from("0.5", "A.txt").whole);
  EXPECT_FALSE(matrix_from("3e9", "A.txt").whole);  // no int
}

TEST(MatrixFile, names_the_line_that_is_no_row) {
  EXPECT_THAT(complaint("1 2\n3\n"),
              HasSubstr("A.txt:2: 1 numbers in a row, where the first has 2"));
  EXPECT_THAT(complaint("1 2\n3 x\n"), HasSubstr("A.txt:2: 'x' is no number"));
  EXPECT_THAT(complaint("1,,2\n"), HasSubstr("A.txt:1: a number is missing"));
  EXPECT_THAT(complaint("1,2,\n"), HasSubstr("A.txt:1: a number is missing"));
  EXPECT_THAT(complaint("nan\n"), HasSubstr("no number"));
  EXPECT_THAT(complaint("1e39\n"), HasSubstr("no number that a float holds"));
  EXPECT_THAT(complaint("1x2\n"), HasSubstr("'1x2'"));
  EXPECT_THAT(complaint("# only words\n\n"), HasSubstr("holds no matrix"));
}

class WrittenMatrices : public testing::Test {
 protected:
  WrittenProduct product(const std::string& a, const std::string& b) {
    write_text(folder_ / "A.txt", a);
    write_text(folder_ / "B.txt", b);
    return written_product((folder_ / "A.txt").string(), (folder_ / "B.txt").string());
  }
  const ScratchFolder folder_;
};

TEST_F(WrittenMatrices, that_do_not_fit_are_refused_by_name) {
  try {
    product("1 2\n3 4\n5 6\n", "1 2\n");
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("A.txt is 3x2"));
    EXPECT_THAT(error.what(), HasSubstr("B.txt is 1x2: 2 columns meet 1 rows"));
  }
}

TEST_F(WrittenMatrices, are_whole_only_where_int_holds_every_sum) {
  EXPECT_TRUE(product("1 2", "3\n4").whole);
  EXPECT_FALSE(product("1 2.5", "3\n4").whole);
  EXPECT_TRUE(product("2000000000 1", "1\n147483647").whole);
  EXPECT_FALSE(product("2000000000 1", "1\n147483648").whole);
}

TEST_F(WrittenMatrices, are_multiplied_and_their_product_is_shown) {
  APSIS_NEED_DEVICE();
  product("1 2\n3 4\n5 6\n", "1,0,2\n0,1,-3\n");
  LabOptions options;
  options.quick = true, options.steps = 1, options.warmup = 0;
  options.devices = {"opencl"};
  options.left_file = (folder_ / "A.txt").string();
  options.right_file = (folder_ / "B.txt").string();
  const Results results = run_lesson(lesson_named("matmul"), options, {}).results;
  const ResultTable& shown = results.table("product");
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_EQ(shown.row(0).text("c2"), "-4");
  EXPECT_EQ(shown.row(2).text("c0"), "5");
  EXPECT_EQ(shown.row(2).text("c2"), "-8");
  for (const Row& row : results.table("results").rows()) {
    EXPECT_EQ(row.text("complaint"), "");
    EXPECT_EQ(row.text("element"), "int");
    EXPECT_EQ(row.text("shape"), "3x2x3");
  }
}

TEST(MatmulTables, show_who_computes_what) {
  Results results;
  const LabListener listener;
  Recorder recorder(results, listener);
  const MatrixShape shape{2, 5, 3};
  add_index_rows(recorder, recorder.declare(index_table(shape)), shape);
  const ResultTable& table = results.table("index");
  ASSERT_EQ(table.size(), 6U);
  const Row fifth = table.row(4);
  EXPECT_EQ(fifth.value("item"), 4);
  EXPECT_EQ(fifth.value("row"), 1);
  EXPECT_EQ(fifth.value("column"), 1);
  EXPECT_EQ(table.row(5).text("item_2d"), "(2, 1)");
  EXPECT_EQ(table.row(5).text("element"), "c[1][2]: row 1 of a, column 2 of b");
}

}  // namespace
}  // namespace apsis::lab

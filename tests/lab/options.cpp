// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/lab/lesson.hpp>
#include <apsis/lab/options.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

namespace apsis::lab {
namespace {

// The message of the wrong_usage that `call` throws.
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::wrong_usage);
    return fmt::format("{}; {}", error.what(), error.remedy());
  }
  return "accepted";
}

TEST(LabOptions, shapes_are_rows_inner_columns) {
  EXPECT_EQ(shape_from("17x31x5"), (MatrixShape{17, 31, 5}));
  EXPECT_EQ(to_string(shape_from("1x1x1")), "1x1x1");
  EXPECT_EQ(shape_of_product("3x2", "2x5"), (MatrixShape{3, 2, 5}));
}

TEST(LabOptions, what_is_no_shape_is_refused) {
  for (const char* text : {"", "3", "3x2", "3x2x", "x3x2", "3x2x2x2", "0x1x1", "-1x2x3", "3 x2x2",
                           "3x2x1.5", "3,2,2", "99999999999999999999x1x1", "2097152x1x1"}) {
    EXPECT_NE(refusal([&] { shape_from(text); }).find("is no shape"), std::string::npos) << text;
  }
}

TEST(LabOptions, matrices_that_do_not_fit_are_refused_with_what_would) {
  const std::string said = refusal([] { shape_of_product("3x2", "4x5"); });
  EXPECT_NE(said.find("2 columns meet 4 rows"), std::string::npos) << said;
  EXPECT_NE(said.find("2x5"), std::string::npos) << said;
}

TEST(LabOptions, an_option_without_a_meaning_to_the_lesson_names_those_that_take_it) {
  LabOptions options;
  options.given = {"group"};
  const Lesson* const cpu[] = {&lesson_named("cpu")};
  const std::string said = refusal([&] { require_valid(options, cpu); });
  EXPECT_NE(said.find("--group means nothing to lesson cpu"), std::string::npos) << said;
  EXPECT_NE(said.find("direct"), std::string::npos) << said;
  const Lesson* const both[] = {&lesson_named("cpu"), &lesson_named("direct")};
  require_valid(options, both);
}

TEST(LabOptions, values_out_of_range_are_refused) {
  const Lesson* const direct[] = {&lesson_named("direct")};
  const auto refused = [&](const std::function<void(LabOptions&)>& change) {
    LabOptions options;
    change(options);
    return refusal([&] { require_valid(options, direct); }) != "accepted";
  };
  EXPECT_FALSE(refused([](LabOptions&) {}));
  EXPECT_TRUE(refused([](LabOptions& o) { o.bodies = {0}; }));
  EXPECT_TRUE(refused([](LabOptions& o) { o.bodies = {std::uint64_t{1} << 60}; }));
  EXPECT_TRUE(refused([](LabOptions& o) { o.steps = 0; }));
  EXPECT_TRUE(refused([](LabOptions& o) { o.warmup = -1; }));
  EXPECT_TRUE(refused([](LabOptions& o) { o.threads = -1; }));
  EXPECT_TRUE(refused([](LabOptions& o) { o.unroll = {4, 33}; }));
  EXPECT_TRUE(refused([](LabOptions& o) { o.group = 33; }));
  EXPECT_TRUE(refused([](LabOptions& o) { o.group = 6; }));
  EXPECT_FALSE(refused([](LabOptions& o) { o.group = 4; }));
}

TEST(LabOptions, an_unknown_lesson_is_answered_with_the_nearest) {
  EXPECT_NE(refusal([] { lesson_named("dirct"); }).find("did you mean 'direct'"),
            std::string::npos);
}

}  // namespace
}  // namespace apsis::lab

// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/lab/class_ranking.hpp>

#include <files/scratch_folder.hpp>
#include <gtest/gtest.h>
#include <lab/made_up.hpp>

#include <algorithm>
#include <limits>
#include <random>

namespace apsis::test {
namespace {

using lab::ClassEntry;
using lab::ClassFiles;
using lab::ClassGroup;
using lab::ClassRanking;

ClassEntry entry(const std::string& who, const std::vector<MadeUpRow>& rows,
                 const std::string& lesson = "direct") {
  return {who + ".json", who, made_up(lesson, rows)};
}

ClassRanking ranked(std::vector<ClassEntry> entries) {
  return lab::rank_class(ClassFiles{std::move(entries), {}});
}

const ClassGroup& only_group(const ClassRanking& ranking) {
  EXPECT_EQ(ranking.groups.size(), 1U);
  return ranking.groups.front();
}

// The reason why the only row of such results is disqualified; empty where it is ranked.
std::string fault_of(lab::Results results) {
  ClassFiles files;
  files.entries.push_back({"mallory.json", "mallory", std::move(results)});
  const ClassRanking ranking = lab::rank_class(files);
  const ClassGroup& group = only_group(ranking);
  return group.disqualified.empty() ? "" : group.disqualified.front().fault;
}
std::string fault_of(const MadeUpRow& row) { return fault_of(made_up("direct", {row})); }

// Such a row with another number in one of its cells.
std::string fault_with(const char* key, const lab::Cell& cell) {
  lab::Results results = made_up("direct", {});
  auto entries = entries_of({.variant = "tiled"});
  for (auto& [name, value] : entries) {
    if (name == key) value = cell;
  }
  results.tables.front().add(entries);
  return fault_of(std::move(results));
}

TEST(ClassRanking, the_best_right_row_of_each_person_is_ranked_by_its_time) {
  const ClassRanking ranking =
      ranked({entry("ada", {{.variant = "tiled", .seconds = 3}, {.variant = "rows", .seconds = 2}}),
              entry("bob", {{.variant = "tiled", .seconds = 1}}),
              entry("cem", {{.variant = "naive", .seconds = 2}})});
  const ClassGroup& group = only_group(ranking);
  ASSERT_EQ(group.ranked.size(), 3U);
  EXPECT_EQ(group.ranked[0].who, "bob");
  EXPECT_EQ(group.ranked[1].who, "ada");
  EXPECT_EQ(group.ranked[1].variant, "rows");
  EXPECT_EQ(group.ranked[2].who, "cem");
  EXPECT_EQ(group.ranked[0].place, 1);
  EXPECT_EQ(group.ranked[1].place, 2);
  EXPECT_EQ(group.ranked[2].place, 2) << "equal times share a place";
  EXPECT_DOUBLE_EQ(group.ranked[1].share, 0.5);
  EXPECT_DOUBLE_EQ(*group.ranked[0].rate, 20e-9 * 65536 * 65536);
  EXPECT_EQ(group.ranked[1].against_first, "2.00 times as long");
  ASSERT_EQ(ranking.people.size(), 3U);
  EXPECT_EQ(ranking.people[1].firsts, 1);
}

TEST(ClassRanking, a_wrong_row_is_disqualified_however_fast_and_whatever_its_file_says) {
  const ClassRanking ranking =
      ranked({entry("ada", {{.variant = "tiled", .seconds = 2}}),
              entry("bob", {{.variant = "fast",
                             .seconds = 1e-3,
                             .error = 3e-2,
                             .complaint = "largest force error 3.00e-02 exceeds 5e-06"}}),
              entry("cem", {{.variant = "hushed", .seconds = 1e-3, .error = 3e-2}})});
  const ClassGroup& group = only_group(ranking);
  ASSERT_EQ(group.ranked.size(), 1U);
  EXPECT_EQ(group.ranked[0].who, "ada");
  ASSERT_EQ(group.disqualified.size(), 2U);
  EXPECT_EQ(group.disqualified[0].fault, "largest force error 3.00e-02 exceeds 5e-06");
  EXPECT_NE(group.disqualified[1].fault.find("1.50e-02 exceeds 1e-04"), std::string::npos)
      << group.disqualified[1].fault;
  EXPECT_EQ(ranking.people[1].disqualified, 1);
}

TEST(ClassRanking, what_differs_in_lesson_size_version_precision_or_device_is_not_compared) {
  std::vector<ClassEntry> entries;
  const MadeUpRow usual{.variant = "tiled"};
  MadeUpRow small = usual, exact = usual, own = usual, native = usual, on_cpu = usual;
  small.bodies = 1024, exact.precision = "f64", exact.error = 1e-15, own.edited = true;
  native.kind = "native", on_cpu.kind = "cpu";
  for (const MadeUpRow& row : {usual, small, exact, own, native, on_cpu}) {
    entries.push_back(entry("ada", {row}));
  }
  entries.push_back(entry("ada", {usual}, "reuse"));
  entries.push_back(entry("ada", {usual}));
  entries.back().results.about = {{"version", "9.9.9"}};
  EXPECT_EQ(ranked(entries).groups.size(), entries.size());
}

// Of the lesson in which a kernel takes the whole step.
lab::Results steps_of(const char* own, double seconds, const lab::Cell& error) {
  lab::Results results;
  results.lesson = "direct";
  lab::ResultTable table("results", "",
                         {{"device", "", "", lab::Look::text},
                          {"kind", "", "", lab::Look::text},
                          {"variant", "", "", lab::Look::text},
                          {"own", "", "", lab::Look::text},
                          {"bodies", "", "", lab::Look::whole},
                          {"seconds", "", "", lab::Look::seconds},
                          {"steps_per_second", "", "", lab::Look::rate},
                          {"interactions_per_second", "", "", lab::Look::rate},
                          {"gflops", "", "", lab::Look::rate},
                          {"error", "", "", lab::Look::error}});
  table.add({{"device", "PoCL"},
             {"kind", "cpu"},
             {"variant", "mine.cl"},
             {"own", own},
             {"bodies", 1000.0},
             {"seconds", seconds},
             {"steps_per_second", 1 / seconds},
             {"interactions_per_second", 1e6 / seconds},
             {"error", error}});
  results.tables.push_back(std::move(table));
  return results;
}

TEST(ClassRanking, kernels_of_ones_own_are_ranked_by_steps_and_held_against_the_reference) {
  const auto by = [](const char* who, double seconds, const lab::Cell& error) {
    return ClassEntry{"file", who, steps_of("yes", seconds, error)};
  };
  const ClassRanking ranking = ranked({by("ada", 2e-3, 1e-6), by("bob", 1e-3, 1e-6),
                                       by("cem", 1e-4, 0.5), by("dan", 1e-4, lab::Cell())});
  const ClassGroup& group = only_group(ranking);
  EXPECT_NE(group.title.find("own kernels"), std::string::npos) << group.title;
  ASSERT_EQ(group.ranked.size(), 2U);
  EXPECT_EQ(group.ranked[0].who, "bob");
  EXPECT_DOUBLE_EQ(*group.ranked[0].rate, 20);
  EXPECT_EQ(group.error_label, "error");
  ASSERT_EQ(group.disqualified.size(), 2U);
  EXPECT_NE(group.disqualified[0].fault.find("5.00e-01 exceeds 1e-03"), std::string::npos);
  EXPECT_NE(group.disqualified[1].fault.find("not held against"), std::string::npos);
}

TEST(ClassRanking, commits_of_one_version_are_compared) {
  ClassEntry ada = entry("ada", {{.variant = "tiled"}}), bob = entry("bob", {{.variant = "tiled"}});
  ada.results.about = {{"version", "0.2.0 (1234)"}},
  bob.results.about = {{"version", "0.2.0 (5678)"}};
  EXPECT_EQ(only_group(ranked({ada, bob})).ranked.size(), 2U);
}

TEST(ClassRanking, numbers_that_cannot_be_are_named) {
  EXPECT_EQ(fault_of(MadeUpRow{.variant = "tiled"}), "");
  const auto has = [](const std::string& fault, const std::string& words) {
    EXPECT_NE(fault.find(words), std::string::npos) << words << " is not in: " << fault;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = INFINITY;
  has(fault_with("seconds", -1.0), "seconds is -1, below zero");
  has(fault_with("seconds", nan), "seconds is not finite");
  has(fault_with("seconds", 0.0), "which no measurement gives");
  has(fault_with("seconds", 1e9), "which no measurement gives");
  has(fault_with("seconds", lab::Cell()), "no time");
  has(fault_with("seconds", "fast"), "no time");
  has(fault_with("bodies", 2.5), "no whole number");
  has(fault_with("bodies", 1e300), "no whole number");
  has(fault_with("error_p99", -1e-7), "below zero");
  has(fault_with("error_p99", inf), "not finite");
  has(fault_with("error_p99", lab::Cell()), "not measured");
  has(fault_with("precision", "f31"), "no precision 'f31'");
  has(fault_with("solver", "magic"), "no solver 'magic'");
  has(fault_with("kind", "tpu"), "none of native, cpu and gpu");
  has(fault_with("interactions_per_second", 1e12), "follows from the time");
  has(fault_of(MadeUpRow{.variant = "tiled", .seconds = 2e-9}), "more than any machine does");
}

TEST(ClassRanking, tree_and_fmm_are_held_to_what_lessons_ask_of_them_and_bins_to_nothing) {
  const auto with = [](const char* solver) {
    return fault_of(made_up("far-field", {{.variant = solver, .error = 8e-3, .solver = solver}}));
  };
  EXPECT_NE(with("fmm").find("4.00e-03 exceeds 1e-03"), std::string::npos) << with("fmm");
  EXPECT_NE(with("tree"), "");
  EXPECT_EQ(with("bins"), "");
}

TEST(ClassRanking, rows_that_nobody_made_are_no_entries) {
  const ClassRanking ranking =
      ranked({entry("ada", {{.device = "published 2017", .kind = "published", .variant = "bins"},
                            {.variant = "CLBlast"}})});
  EXPECT_TRUE(ranking.groups.empty());
}

TEST(ClassRanking, what_spreads_as_much_as_it_differs_is_told_apart_from_nothing) {
  const ClassRanking ranking =
      ranked({entry("ada", {{.variant = "tiled", .seconds = 1, .deviation = 0.2}}),
              entry("bob", {{.variant = "tiled", .seconds = 1.1, .deviation = 0.2}})});
  EXPECT_NE(only_group(ranking).ranked[1].against_first.find("unclear"), std::string::npos);
}

TEST(ClassRanking, names_come_from_the_part_of_the_path_that_differs) {
  const auto names = [](const std::vector<std::filesystem::path>& files,
                        const std::string& lesson) {
    return lab::names_from_paths(files, std::vector<std::string>(files.size(), lesson));
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({"class/ada.json", "class/bob.json"}, "cpu"), (Names{"ada", "bob"}));
  EXPECT_EQ(names({"class/ada/lab/cpu/results.json", "class/bob/lab/cpu/results.json"}, "cpu"),
            (Names{"ada", "bob"}));
  EXPECT_EQ(names({"/x/y/ada/results.json", "/x/y/b/c/results.json"}, "cpu"),
            (Names{"ada", "b/c"}));
  EXPECT_EQ(names({"lab/cpu/results.json"}, "cpu"), (Names{"lab"}));
  EXPECT_EQ(names({"results.json"}, "cpu"), (Names{"results"}));
  EXPECT_EQ(names({"ada.json", "ada.json"}, "cpu"), (Names{"ada", "ada"}));
}

TEST(ClassRanking, bad_files_are_left_out_by_name_and_the_others_ranked) {
  const ScratchFolder scratch;
  const std::string good = lab::to_json(made_up("direct", {{.variant = "tiled"}}));
  const auto file = [&](const char* name, const std::string& text) {
    write_text(scratch.path() / name, text);
    return (scratch.path() / name).string();
  };
  lab::Results named = made_up("direct", {{.variant = "rows"}});
  named.about.emplace_back("name", "Ada \x1b[31m" + std::string(100, 'x'));
  lab::Results foreign = made_up("direct", {});
  foreign.lesson = "juggling";
  const ClassFiles files = lab::read_class(
      {file("ada.json", lab::to_json(named)), file("bob.json", good), file("copy.json", good),
       file("cut.json", good.substr(0, good.size() / 2)), file("notes.json", "{}"),
       file("other.json", lab::to_json(foreign)), (scratch.path() / "missing.json").string()});
  ASSERT_EQ(files.entries.size(), 2U);
  EXPECT_TRUE(files.entries[0].who.starts_with("Ada \\x1b[31mxxx"));
  EXPECT_TRUE(files.entries[0].who.ends_with("…"));
  EXPECT_EQ(files.entries[1].who, "bob");
  ASSERT_EQ(files.left_out.size(), 5U);
  const char* names[] = {"copy.json", "cut.json", "notes.json", "other.json", "missing.json"};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NE(files.left_out[i].reason.find(names[i]), std::string::npos);
    EXPECT_EQ(files.left_out[i].code, i < 4 ? ExitCode::bad_data : ExitCode::file_error);
  }
  EXPECT_THROW(lab::read_class({file("cut.json", good.substr(0, 99))}), Error);
}

TEST(ClassRanking, several_lessons_in_one_file_and_folders_of_folders_are_read) {
  const ScratchFolder scratch;
  const std::string one = lab::to_json(made_up("direct", {{.variant = "tiled"}}));
  const std::string two = lab::to_json(made_up("reuse", {{.variant = "float4"}}));
  make_folder(scratch.path() / "class" / "ada" / "lab" / "direct");
  write_text(scratch.path() / "class" / "ada" / "lab" / "direct" / "results.json", one);
  write_text(scratch.path() / "class" / "bob.json", "[" + one + "," + two + "]");
  const ClassFiles files = lab::read_class({(scratch.path() / "class").string()});
  ASSERT_EQ(files.entries.size(), 3U);
  EXPECT_EQ(files.entries[0].who, "ada");
  EXPECT_EQ(files.entries[2].who, "bob");
  EXPECT_EQ(files.entries[2].results.lesson, "reuse");
  EXPECT_THROW(lab::results_from_json("[" + one + "," + two + "]", "bob.json"), Error);
}

TEST(ClassRanking, names_of_an_attacker_stand_on_the_page_as_text) {
  const std::string evil = "<script>alert('1')</script>\"\x1b]0;x\x07\xe2\x80\xae";
  MadeUpRow row{.device = evil, .variant = evil};
  MadeUpRow wrong = row;
  wrong.complaint = evil;
  ClassFiles files;
  files.entries.push_back({evil, lab::short_text(evil), made_up("direct", {row, wrong})});
  files.entries.back().results.about = {{"version", evil}, {"device " + evil, evil}};
  files.left_out.push_back({evil, evil, ExitCode::bad_data});
  const std::string page = lab::class_page(lab::rank_class(files));
  for (const char* word :
       {"<script", "alert('", "\x1b", "\x07", "\xe2\x80\xae", "http:", "https:"}) {
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  }
  EXPECT_NE(page.find("&lt;script&gt;alert(&#39;1&#39;)"), std::string::npos);
}

// What a text is made into by small accidents and by somebody who tries: refused by name, or ranked
// and put on a page without harm.
void read_and_rank(const std::string& text) {
  try {
    ClassFiles files;
    for (lab::Results& results : lab::all_results_from_json(text, "odd.json")) {
      if (results.lesson != "direct") continue;
      files.entries.push_back({"odd.json", "odd", std::move(results)});
    }
    const ClassRanking ranking = lab::rank_class(files);
    EXPECT_EQ(lab::class_page(ranking).find("<script"), std::string::npos);
    EXPECT_FALSE(lab::to_json(ranking).empty());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data) << error.what();
    EXPECT_NE(std::string(error.what()).find("odd.json"), std::string::npos) << error.what();
  }
}

TEST(ClassRanking, no_damage_to_a_file_does_harm) {
  const std::string good = lab::to_json(made_up("direct", {{.variant = "tiled"}}));
  for (std::size_t end = 0; end < good.size(); end += 37) read_and_rank(good.substr(0, end));
  std::mt19937 random(7);
  const char* const tokens[] = {"null", "-1",   "1e308", "1e999", "[]",   "{}",     "\"<script>\"",
                                "true", "[[[[", "0",     "NaN",   "\"\"", "1e-320", "\xff"};
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    const std::size_t at = random() % text.size();
    switch (random() % 3) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, random() % 40);
        break;
      default: {  // another value after a colon
        const std::size_t colon = text.find(':', at);
        if (colon == std::string::npos) break;
        const std::size_t end = text.find_first_of(",}\n", colon);
        text.replace(colon + 1, end - colon - 1, tokens[random() % std::size(tokens)]);
      }
    }
    read_and_rank(text);
  }
}

TEST(ClassRanking, a_file_nested_a_million_deep_is_refused) {
  read_and_rank(std::string(1'000'000, '['));
  read_and_rank("{\"apsis_lab\":" + std::string(1'000'000, '['));
  read_and_rank(std::string(1'000'000, '[') + std::string(1'000'000, ']'));
}

TEST(ClassRanking, results_of_a_later_format_are_refused) {
  try {
    lab::results_from_json(R"({"apsis_lab": 2})", "later.json");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("version 2, this program reads version 1"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace apsis::test

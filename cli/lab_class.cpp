// SPDX-License-Identifier: MIT
#include "lab_class.hpp"

#include "output_file.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include <apsis/core/printable.hpp>
#include <apsis/files/file.hpp>
#include <apsis/lab/class_ranking.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace apsis::cli {
namespace {

using lab::ClassGroup;
using lab::ClassRow;
using lab::Look;

// Of a group; the page and --json have all of them.
constexpr std::size_t most_rows = 10;

std::string number(const std::optional<double>& value, Look look) {
  return value ? lab::shown(*value, look) : "";
}

void print(const ClassGroup& group) {
  fmt::print("\n{}: {}\n", group.lesson, group.title);
  const bool timed = group.value_label == "time", steps = group.value_label == "steps/s";
  Table table{{"place", "who", "device", "what", group.value_label}, {}};
  if (!timed) table.header.emplace_back("time");
  if (!group.rate_label.empty()) table.header.push_back(group.rate_label);
  if (!group.error_label.empty()) table.header.push_back(group.error_label);
  table.header.emplace_back("against the first");
  const std::size_t shown = std::min(most_rows, group.ranked.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const ClassRow& row = group.ranked[i];
    std::vector<std::string> cells{fmt::format("{}", row.place), row.who, row.device, row.variant,
                                   number(row.value, timed   ? Look::seconds
                                                     : steps ? Look::rate
                                                             : Look::error)};
    if (!timed) cells.push_back(number(row.seconds, Look::seconds));
    if (!group.rate_label.empty()) cells.push_back(number(row.rate, Look::rate));
    if (!group.error_label.empty()) cells.push_back(number(row.error, Look::error));
    cells.push_back(row.against_first);
    table.rows.push_back(std::move(cells));
  }
  if (shown > 0) fmt::print("{}", aligned(table));
  if (shown < group.ranked.size()) fmt::print("and {} more\n", group.ranked.size() - shown);
  for (const ClassRow& row : group.disqualified) {
    fmt::print("disqualified: {}, {}{}: {} ({})\n", row.who, row.device,
               row.variant.empty() ? "" : ", " + row.variant, row.fault, printable(row.file));
  }
}

void print(const lab::ClassRanking& ranking) {
  fmt::print("{} {}, {} {}\n", ranking.people.size(),
             ranking.people.size() == 1 ? "person" : "people", ranking.groups.size(),
             ranking.groups.size() == 1 ? "ranking" : "rankings");
  for (const ClassGroup& group : ranking.groups) print(group);
  if (!ranking.notes.empty()) fmt::print("\n");
  for (const std::string& note : ranking.notes) fmt::print("{}\n", note);
}

void require_page(const ClassArguments& arguments) {
  if (arguments.page.empty()) return;
  const std::string ending = std::filesystem::path(arguments.page).extension();
  if (ending != ".html" && ending != ".htm") {
    throw Error(ExitCode::wrong_usage, fmt::format("{} is no name of a page", arguments.page),
                "let it end in .html, for example class.html");
  }
  for (const std::string& file : arguments.files) {
    require_free_place(file, arguments.page, arguments.force);
  }
}

}  // namespace

void compare_class(const ClassArguments& arguments, Outcome& outcome) {
  require_page(arguments);
  const lab::ClassFiles files = lab::read_class(arguments.files);
  const lab::ClassRanking ranking = lab::rank_class(files);
  if (!arguments.page.empty()) write_text(arguments.page, lab::class_page(ranking));
  if (arguments.json) {
    fmt::print("{}", lab::to_json(ranking));
  } else {
    print(ranking);
    if (!arguments.page.empty()) fmt::print("\n{}: written\n", printable(arguments.page));
  }
  for (const lab::LeftOutFile& file : ranking.left_out) say("left out: {}", file.reason);
  if (!ranking.left_out.empty()) outcome.exit_code = ranking.left_out.front().code;
}

}  // namespace apsis::cli

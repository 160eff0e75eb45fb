// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/lab/report.hpp>

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace apsis::lab {
namespace {

constexpr const char* results_file = "results.json";
constexpr std::array<std::string_view, 4> main_files{"results.csv", "report.html", "chart.png",
                                                     "chart.gnuplot"};

std::string with_name(const std::string& base, const std::string& name, const std::string& ending) {
  return base + (name.empty() ? "" : "-" + name) + ending;
}

// gnuplot's script for the picture beside it.
std::string kept_script(const Chart& chart, const std::string& picture) {
  return fmt::format("# Draws {0}; change what you like and call: gnuplot {1}\nset output '{0}'\n",
                     picture, picture.substr(0, picture.rfind('.')) + ".gnuplot") +
         gnuplot_script(chart);
}

}  // namespace

Results read_results(const std::filesystem::path& place) {
  const auto file = folder_exists(place) ? place / results_file : place;
  return results_from_json(read_text(file), file.string());
}

void require_own(const std::filesystem::path& folder, bool force) {
  if (force || !folder_exists(folder)) return;
  const auto file = folder / results_file;
  std::string foreign;
  if (file_exists(file)) {
    try {
      results_from_json(read_text(file), file.string());
      return;
    } catch (const Error&) {
      foreign = results_file;
    }
  }
  for (const std::string_view name : main_files) {
    if (foreign.empty() && file_exists(folder / name)) foreign = name;
  }
  if (foreign.empty()) return;
  throw file_error(fmt::format("{} was not written by a lesson", (folder / foreign).string()),
                   "choose another folder with --out, or pass --force to replace it");
}

WrittenLesson write_lesson(const Lesson& lesson, const Results& results,
                           const std::filesystem::path& folder) {
  WrittenLesson written{folder, {}, lesson.findings(results), {}};
  make_folder(folder);
  const auto keep = [&](const std::string& name, std::span<const std::byte> bytes) {
    write_atomically(folder / name, bytes);
    written.files.push_back(name);
  };
  keep(results_file, bytes_of(to_json(results)));
  for (std::size_t i = 0; i < results.tables.size(); ++i) {
    const ResultTable& table = results.tables[i];
    keep(with_name("results", i == 0 ? "" : table.name(), ".csv"), bytes_of(to_csv(table)));
  }
  std::vector<ReportPicture> pictures;
  for (const NamedChart& named : lesson.charts(results)) {
    const std::string picture = with_name("chart", named.name, ".png");
    keep(with_name("chart", named.name, ".gnuplot"), bytes_of(kept_script(named.chart, picture)));
    DrawnChart drawn = draw(named.chart);
    if (drawn.problem.empty()) {
      keep(picture, drawn.picture);
    } else {
      remove_file(folder / picture);  // an older one would show other numbers
      written.problems.push_back(fmt::format("{}: {}", picture, drawn.problem));
    }
    pictures.push_back({named.chart.title, std::move(drawn.picture), std::move(drawn.problem)});
  }
  keep("report.html", bytes_of(report_html(lesson, results, written.findings, pictures)));
  return written;
}

}  // namespace apsis::lab

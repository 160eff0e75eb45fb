// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include "table.hpp"
#include <apsis/core/counted.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/core/printable.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace apsis::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string printed(const Figure& figure) {
  if (const auto* word = std::get_if<std::string>(&figure)) return printable(*word);
  if (const auto* count = std::get_if<std::uint64_t>(&figure)) return fmt::format("{}", *count);
  const double value = std::get<double>(figure);
  return std::isnan(value) ? "" : fmt::format("{:.6g}", value);
}

// JSON knows no infinity.
Json json_of(const Figure& figure) {
  if (const auto* word = std::get_if<std::string>(&figure)) return *word;
  if (const auto* count = std::get_if<std::uint64_t>(&figure)) return *count;
  const double value = std::get<double>(figure);
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string table_of(const Figures& figures) {
  std::string text;
  for (const auto& [key, value] : figures.about)
    text += fmt::format("{}: {}\n", key, printed(value));
  Table table{figures.columns, {}};
  const std::size_t shown = std::min(figures.rows.size(), most_rows);
  for (std::size_t k = 0; k < shown; ++k) {
    std::vector<std::string> row;
    for (const Figure& value : figures.rows[k]) row.push_back(printed(value));
    table.rows.push_back(std::move(row));
  }
  text += aligned(table);
  if (shown < figures.rows.size()) {
    text += fmt::format("... and {} more: --csv prints all\n",
                        counted(figures.rows.size() - shown, "row"));
  }
  return text;
}

std::string csv_of(const Figures& figures) {
  std::string text;
  for (const auto& [key, value] : figures.about) {
    text += fmt::format("# {} = {}\n", key, analysis::exact_text(value));
  }
  text += fmt::format("{}\n", fmt::join(figures.columns, ","));
  // in pieces, since digits of a million rows take longer than what they tell
  constexpr std::size_t piece = 4096;
  std::vector<std::string> pieces((figures.rows.size() + piece - 1) / piece);
  parallel_tasks(pieces.size(), thread_count(0), [&](std::size_t k) {
    const std::size_t end = std::min(figures.rows.size(), (k + 1) * piece);
    for (std::size_t i = k * piece; i < end; ++i) pieces[k] += analysis::csv_line(figures.rows[i]);
  });
  for (const std::string& some : pieces) text += some;
  return text;
}

std::string json_of(const Figures& figures) {
  Json json{{"analysis", figures.analysis}};
  for (const auto& [key, value] : figures.about) json[key] = json_of(value);
  json["rows"] = Json::array();
  for (const auto& row : figures.rows) {
    Json object;
    for (std::size_t k = 0; k < row.size(); ++k) object[figures.columns[k]] = json_of(row[k]);
    json["rows"].push_back(std::move(object));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string text_of(const Figures& figures, FiguresAs as) {
  switch (as) {
    case FiguresAs::csv:
      return csv_of(figures);
    case FiguresAs::json:
      return json_of(figures);
    case FiguresAs::table:
      break;
  }
  return table_of(figures);
}

}  // namespace apsis::cli

// SPDX-License-Identifier: MIT
// results.json: what a lesson measured, for programs and for drawing it again.
#include <apsis/core/error.hpp>
#include <apsis/lab/results.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace apsis::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr int format_version = 1;

constexpr std::array<std::pair<Look, const char*>, 6> looks{{{Look::text, "text"},
                                                             {Look::whole, "whole"},
                                                             {Look::seconds, "seconds"},
                                                             {Look::ratio, "ratio"},
                                                             {Look::rate, "rate"},
                                                             {Look::error, "error"}}};

Json json_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const auto* number = std::get_if<double>(&cell);
  // JSON has no infinity; whole numbers stay whole
  if (number == nullptr || !std::isfinite(*number)) return nullptr;
  if (*number == std::rint(*number) && std::abs(*number) < 1e15) {
    return static_cast<std::int64_t>(*number);
  }
  return *number;
}

Cell cell_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number()) return json.get<double>();
  return {};
}

Json json_of(const ResultTable& table) {
  Json columns = Json::array(), rows = Json::array();
  for (const Column& column : table.columns()) {
    const auto* look = looks.begin();
    while (look->first != column.look) ++look;
    columns.push_back({{"key", column.key},
                       {"label", column.label},
                       {"meaning", column.meaning},
                       {"look", look->second}});
  }
  for (const auto& cells : table.cells()) {
    Json row = Json::object();
    for (std::size_t c = 0; c < cells.size(); ++c) row[table.columns()[c].key] = json_of(cells[c]);
    rows.push_back(std::move(row));
  }
  return {{"name", table.name()}, {"title", table.title()}, {"columns", columns}, {"rows", rows}};
}

Column column_of(const Json& json) {
  Column column{json.at("key"), json.at("label"), json.at("meaning"), Look::text};
  for (const auto& [look, name] : looks) {
    if (json.at("look") == name) column.look = look;
  }
  return column;
}

// Whatever is wrong in it is thrown as an exception of the JSON library or of `add`.
ResultTable table_of(const Json& json) {
  std::vector<Column> columns;
  for (const Json& column : json.at("columns")) columns.push_back(column_of(column));
  ResultTable table(json.at("name"), json.at("title"), std::move(columns));
  for (const Json& row : json.at("rows")) {
    std::vector<std::pair<std::string, Cell>> cells;
    for (const auto& [key, value] : row.items()) cells.emplace_back(key, cell_of(value));
    table.add(ResultTable::Entries(cells.begin(), cells.end()));
  }
  return table;
}

Results results_of(const Json& json, const std::function<Error(const std::string&)>& refuse) {
  if (!json.is_object() || !json.contains("apsis_lab")) throw refuse("no key \"apsis_lab\"");
  if (json.at("apsis_lab") != format_version) {
    throw refuse(fmt::format("it is of version {}, this program reads version {}",
                             json.at("apsis_lab").dump(), format_version));
  }
  try {
    Results results;
    results.lesson = json.at("lesson");
    for (const auto& [key, value] : json.at("about").items()) {
      results.about.emplace_back(key, value.get<std::string>());
    }
    results.notices = json.at("notices").get<std::vector<std::string>>();
    for (const Json& table : json.at("tables")) results.tables.push_back(table_of(table));
    return results;
  } catch (const nlohmann::json::exception& error) {
    throw refuse(error.what());
  } catch (const Error& error) {
    if (error.code() == ExitCode::internal_error) throw refuse(error.what());
    throw;
  }
}

}  // namespace

std::string to_json(const Results& results) {
  Json about = Json::object(), tables = Json::array();
  for (const auto& [key, value] : results.about) about[key] = value;
  for (const ResultTable& table : results.tables) tables.push_back(json_of(table));
  const Json json{{"apsis_lab", format_version},
                  {"lesson", results.lesson},
                  {"about", about},
                  {"notices", results.notices},
                  {"tables", tables}};
  // names of devices come from drivers, in whatever encoding
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<Results> all_results_from_json(const std::string& text, const std::string& file) {
  const auto refuse = [&](const std::string& why) {
    return bad_data(fmt::format("{} holds no results of a lesson: {}", file, why),
                    "name the results.json that 'apsis lab' wrote, or its folder");
  };
  Json json;
  try {
    json = Json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw refuse(error.what());
  }
  std::vector<Results> all;
  if (json.is_array() && !json.empty()) {
    for (const Json& one : json) all.push_back(results_of(one, refuse));
  } else {
    all.push_back(results_of(json, refuse));
  }
  return all;
}

Results results_from_json(const std::string& text, const std::string& file) {
  std::vector<Results> all = all_results_from_json(text, file);
  if (all.size() == 1) return std::move(all.front());
  throw bad_data(fmt::format("{} holds the results of {} lessons", file, all.size()),
                 "name the results.json of one of them, or its folder");
}

}  // namespace apsis::lab

// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/lab/results.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace apsis::lab {
namespace {

const Cell nothing;

// Three digits and the unit that fits them.
std::string readable_seconds(double seconds) {
  if (seconds == 0) return "0 s";
  constexpr std::pair<double, const char*> units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}};
  for (const auto& [size, unit] : units) {
    if (std::abs(seconds) < 0.9995 * size) continue;
    const double value = seconds / size;
    const int digits = std::abs(value) < 9.995 ? 2 : std::abs(value) < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", value, digits, unit);
  }
  return fmt::format("{:.0f} ns", 1e9 * seconds);
}

std::string shown_number(double value, Look look) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  switch (look) {
    case Look::whole:
      return fmt::format("{:.0f}", value);
    case Look::seconds:
      return readable_seconds(value);
    case Look::ratio:
      return fmt::format("{:.2f}", value);
    case Look::rate:
      return fmt::format("{:.3g}", value);
    case Look::error:
      return value == 0 ? "0" : fmt::format("{:.1e}", value);
    case Look::text:
      break;
  }
  return fmt::format("{:g}", value);
}

// RFC 4180: quotes where a comma, a quote or a line end needs them.
std::string csv_cell(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  const auto* text = std::get_if<std::string>(&cell);
  if (text == nullptr) return {};
  if (text->find_first_of(",\"\r\n") == std::string::npos) return *text;
  std::string quoted(1, '"');
  for (const char c : *text) quoted.append(c == '"' ? 2 : 1, c);
  quoted += '"';
  return quoted;
}

}  // namespace

std::string Row::text(std::string_view key) const {
  const auto* text = std::get_if<std::string>(&cell(key));
  return text == nullptr ? std::string() : *text;
}

std::optional<double> Row::number(std::string_view key) const {
  const auto* number = std::get_if<double>(&cell(key));
  return number == nullptr ? std::nullopt : std::optional(*number);
}

double Row::value(std::string_view key) const {
  return number(key).value_or(std::numeric_limits<double>::quiet_NaN());
}

const Cell& Row::cell(std::string_view key) const {
  const auto place = table_->place_of(key);
  return place ? table_->cells()[index_][*place] : nothing;
}

ResultTable::ResultTable(std::string name, std::string title, std::vector<Column> columns)
    : name_(std::move(name)), title_(std::move(title)), columns_(std::move(columns)) {}

std::vector<Row> ResultTable::rows() const {
  std::vector<Row> all;
  for (std::size_t i = 0; i < rows_.size(); ++i) all.push_back(row(i));
  return all;
}

void ResultTable::add(const Entries& entries) {
  std::vector<Cell> cells(columns_.size());
  for (const auto& [key, cell] : entries) {
    const auto place = place_of(key);
    if (!place) {
      throw Error(ExitCode::internal_error, fmt::format("table {} has no column '{}'", name_, key));
    }
    cells[*place] = cell;
  }
  rows_.push_back(std::move(cells));
}

std::optional<std::size_t> ResultTable::place_of(std::string_view key) const {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&](const Column& column) { return column.key == key; });
  if (found == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns_.begin());
}

const ResultTable& Results::table(std::string_view name) const {
  static const ResultTable none("", "", {});
  const auto found = std::find_if(tables.begin(), tables.end(),
                                  [&](const ResultTable& table) { return table.name() == name; });
  return found == tables.end() ? none : *found;
}

std::string shown(const Cell& cell, Look look) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const auto* number = std::get_if<double>(&cell);
  return number == nullptr ? std::string() : shown_number(*number, look);
}

std::string to_csv(const ResultTable& table) {
  std::vector<std::string> keys;
  keys.reserve(table.columns().size());
  for (const Column& column : table.columns()) keys.push_back(column.key);
  std::string text = fmt::format("{}\n", fmt::join(keys, ","));
  for (const auto& row : table.cells()) {
    std::vector<std::string> cells;
    cells.reserve(row.size());
    for (const Cell& cell : row) cells.push_back(csv_cell(cell));
    text += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return text;
}

}  // namespace apsis::lab

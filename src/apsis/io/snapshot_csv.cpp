// SPDX-License-Identifier: MIT
// CSV: comment lines `# key = value`, a header row that names the columns in any order, and one
// row per body with 17 digits, which a double survives.
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/io/csv_columns.hpp>
#include <apsis/io/csv_keys.hpp>
#include <apsis/io/snapshot_formats.hpp>
#include <apsis/io/text_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace apsis {
namespace {

// Filled row by row; columns that a file has not stay empty until the end.
class TableReader {
 public:
  TableReader(std::string_view name, Snapshot& snapshot) : name_(name), snapshot_(snapshot) {}

  void row(std::string_view line, std::size_t number) {
    if (columns_.empty()) commas_ = line.find(',') != std::string_view::npos;
    split_fields(line, commas_, fields_);
    const TextPlace place{name_, number, 1};
    if (columns_.empty() && begin(place)) return;
    if (fields_.size() != columns_.size()) {
      fail_at(place,
              fmt::format("{} values where there are {} columns", fields_.size(), columns_.size()),
              "mend or remove that line");
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) take(fields_[i], columns_[i], place);
    ++rows_;
  }

  std::size_t finish() {
    Bodies& bodies = snapshot_.bodies;
    const auto given = [&](CsvColumn column) { return std::ranges::count(columns_, column) > 0; };
    if (!given(CsvColumn::vx)) bodies.vx.resize(rows_);
    if (!given(CsvColumn::vy)) bodies.vy.resize(rows_);
    if (!given(CsvColumn::vz)) bodies.vz.resize(rows_);
    if (!given(CsvColumn::mass)) bodies.mass.resize(rows_, 1.0);
    if (!given(CsvColumn::id)) {
      bodies.id.resize(rows_);
      bodies.renumber();
    }
    return rows_;
  }

 private:
  // Settles the columns from the first row; true when it was a header and not a body.
  bool begin(const TextPlace& place) {
    const std::string_view first = fields_.front().text;
    const bool has_names =
        !first.empty() && std::isalpha(static_cast<unsigned char>(first[0])) != 0;
    columns_ = has_names ? columns_named(fields_, place) : columns_counted(fields_.size(), place);
    return has_names;
  }

  void take(const TextField& field, CsvColumn column, const TextPlace& place) {
    if (column == CsvColumn::id) {
      snapshot_.bodies.id.push_back(whole_number_in(field, place));
      return;
    }
    const double value = number_in(field, place);
    if (!std::isfinite(value)) {
      fail_at({name_, place.line, field.column},
              fmt::format("'{}' is not a finite number", field.text), "mend or remove that body");
    }
    column_values(snapshot_, column).push_back(value);
  }

  std::string_view name_;
  Snapshot& snapshot_;
  std::vector<CsvColumn> columns_;
  std::vector<TextField> fields_;
  bool commas_ = true;
  std::size_t rows_ = 0;
};

void append_number(std::string& text, double value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                 std::chars_format::general, 17);
  text.append(digits.data(), end.ptr);
}

}  // namespace

Snapshot parse_csv(std::string_view text, const std::string& name, ReadLimits limits) {
  require_fits(static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')), name,
               limits);
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  const std::string_view whole = text;
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  Snapshot snapshot;
  CsvKeys keys(name);
  TableReader table(name, snapshot);
  Lines lines(text);
  std::string_view line;
  while (lines.next(line)) {
    const std::string_view content = trimmed(line);
    if (content.empty()) continue;
    if (content.front() == '#') {
      keys.comment(line, lines.number());
    } else {
      table.row(line, lines.number());
    }
  }
  const std::size_t rows = table.finish();
  keys.require_rows(rows, whole.ends_with('\n'));
  keys.apply(snapshot);
  return snapshot;
}

std::string format_csv(const Snapshot& snapshot) {
  const auto columns = columns_of(snapshot);
  const std::size_t n = snapshot.bodies.size();
  std::string text = csv_comments(snapshot);
  text.reserve(text.size() + 128 + n * columns.size() * 24);
  text += "id";
  for (const CsvColumn column : columns) text.append(1, ',').append(column_name(column));
  text += '\n';
  std::vector<const double*> values;
  values.reserve(columns.size());
  for (const CsvColumn column : columns) values.push_back(column_values(snapshot, column).data());
  for (std::size_t i = 0; i < n; ++i) {
    text += fmt::format_int(snapshot.bodies.id[i]).c_str();
    for (const double* column : values) {
      text += ',';
      append_number(text, column[i]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace apsis

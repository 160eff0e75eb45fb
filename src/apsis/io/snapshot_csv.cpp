// SPDX-License-Identifier: MIT
// CSV: comment lines `# key = value`, a header row that names the columns in any order, and one
// row per body with 17 digits, which a double survives.
#include <apsis/core/counted.hpp>
#include <apsis/io/csv_columns.hpp>
#include <apsis/io/csv_keys.hpp>
#include <apsis/io/snapshot_formats.hpp>
#include <apsis/io/text_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <variant>

namespace apsis {
namespace {

bool is_row(std::string_view content) { return !content.empty() && content.front() != '#'; }

// So that columns are allocated once, with their final length.
std::size_t count_rows(std::string_view text) {
  Lines lines(text);
  std::string_view line;
  std::size_t rows = 0;
  while (lines.next(line)) rows += static_cast<std::size_t>(is_row(trimmed(line)));
  return rows;
}

// "(1,2,3,1) (4,5,6)" as seven fields between commas, each where it was; or between spaces where
// there are no commas.
std::string without_brackets(std::string_view line, bool commas) {
  std::string text(line);
  const std::size_t between = text.find(')');
  for (char& c : text) c = c == '(' || c == ')' ? ' ' : c;
  if (commas && between < text.size()) text[between] = ',';
  return text;
}

class TableReader {
 public:
  // `lines` that are no comments: bodies, and perhaps a header row.
  TableReader(std::string_view name, std::size_t lines, ReadLimits limits, Snapshot& snapshot)
      : name_(name), lines_(lines), limits_(limits), snapshot_(snapshot) {}

  void row(std::string_view line, std::size_t number) {
    if (columns_.empty()) {
      brackets_ = limits_.forces_alone && trimmed(line).starts_with('(');
      commas_ = line.find(',') != std::string_view::npos;
    }
    std::string opened;
    if (brackets_) line = opened = without_brackets(line, commas_);
    split_fields(line, commas_, fields_);
    const TextPlace place{name_, number, 1};
    if (fields_.empty()) fail_at(place, "there are no numbers", "mend or remove that line");
    if (columns_.empty() && begin(place)) return;
    if (fields_.size() != columns_.size()) {
      fail_at(place,
              fmt::format("{} where there are {} columns", counted(fields_.size(), "value"),
                          columns_.size()),
              "mend or remove that line");
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const TextPlace at{name_, number, fields_[i].column};
      std::visit([&](auto values) { take(fields_[i], at, values[rows_]); }, values_[i]);
    }
    ++rows_;
  }

  std::size_t finish() {
    const auto given = [&](std::string_view quantity) {
      return std::ranges::count(columns_, quantity, &CsvColumn::quantity) > 0;
    };
    if (!given("mass")) std::ranges::fill(snapshot_.bodies.mass, 1.0);
    if (!given("id")) snapshot_.bodies.renumber();
    snapshot_.not_given = columns_missing(columns_);
    return rows_;
  }

 private:
  // Settles the columns from the first row; true when it was a header and not a body.
  bool begin(const TextPlace& place) {
    const std::string_view first = fields_.front().text;
    const bool has_names =
        !first.empty() && std::isalpha(static_cast<unsigned char>(first[0])) != 0;
    if (has_names) {
      columns_ = columns_named(fields_, place, limits_.places_may_miss);
      if (limits_.forces_alone) columns_ = as_forces(columns_);
    } else {
      columns_ = limits_.forces_alone ? force_columns_counted(fields_.size(), brackets_, place)
                                      : columns_counted(fields_.size(), place);
    }
    make_room(snapshot_, columns_, has_names ? lines_ - 1 : lines_);
    for (const CsvColumn* column : columns_) values_.push_back(column_values(snapshot_, *column));
    return has_names;
  }

  static void take(const TextField& field, const TextPlace& place, double& value) {
    value = number_in(field, place);
    if (std::isfinite(value)) return;
    fail_at(place, fmt::format("'{}' is not a finite number", field.text),
            "mend or remove that body");
  }
  static void take(const TextField& field, const TextPlace& place, std::uint64_t& value) {
    value = whole_number_in(field, place);
  }
  static void take(const TextField& field, const TextPlace& place, std::uint8_t& value) {
    const std::uint64_t number = whole_number_in(field, place);
    if (number >= type_count) {
      fail_at(place, fmt::format("'{}' is no type of particles", field.text),
              fmt::format("types are 0 to {}", type_count - 1));
    }
    value = static_cast<std::uint8_t>(number);
  }

  std::string_view name_;
  std::size_t lines_;
  ReadLimits limits_;
  Snapshot& snapshot_;
  CsvColumns columns_;
  std::vector<CsvValues> values_;  // of the columns
  std::vector<TextField> fields_;
  bool commas_ = true, brackets_ = false;
  std::size_t rows_ = 0;
};

void append_number(std::string& text, double value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                 std::chars_format::general, 17);
  text.append(digits.data(), end.ptr);
}
template <std::unsigned_integral Whole>
void append_number(std::string& text, Whole value) {
  const fmt::format_int digits(value);
  text.append(digits.data(), digits.size());
}

// Everything that is text may be a table.
bool looks_like_csv(std::span<const std::byte> beginning, std::uint64_t /*length*/) {
  return std::ranges::none_of(beginning, [](std::byte byte) {
    return byte < std::byte{0x20} && byte != std::byte{'\n'} && byte != std::byte{'\r'} &&
           byte != std::byte{'\t'};
  });
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
  TableReader table(name, count_rows(text), limits, snapshot);
  Lines lines(text);
  std::string_view line;
  while (lines.next(line)) {
    const std::string_view content = trimmed(line);
    if (is_row(content)) {
      table.row(line, lines.number());
    } else if (!content.empty()) {
      keys.comment(line, lines.number());
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
  std::vector<ConstCsvValues> values;
  values.reserve(columns.size());
  for (const CsvColumn* column : columns) {
    text.append(values.empty() ? "" : ",").append(column->name);
    values.push_back(column_values(snapshot, *column));
  }
  text += '\n';
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < values.size(); ++c) {
      if (c > 0) text += ',';
      std::visit([&](auto column) { append_number(text, column[i]); }, values[c]);
    }
    text += '\n';
  }
  return text;
}

SnapshotFormat csv_format() {
  return {
      .name = "CSV",
      .endings = {".csv"},
      .summary = "a table as text, with 17 digits",
      .any_text = true,
      .looks_like = looks_like_csv,
      .read =
          [](std::span<const std::byte> bytes, const std::string& name, ReadLimits limits) {
            const auto* text = reinterpret_cast<const char*>(bytes.data());
            return parse_csv({text, bytes.size()}, name, limits);
          },
      .write =
          [](const std::filesystem::path& path, const Snapshot& snapshot,
             const SnapshotWriteOptions& /*options*/) { write_text(path, format_csv(snapshot)); },
      .losses = [](const Snapshot& /*snapshot*/) { return std::vector<std::string>{}; },
      .flavour = [](std::span<const std::byte> /*bytes*/) { return std::string("CSV"); }};
}

}  // namespace apsis

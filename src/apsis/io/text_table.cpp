// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/io/text_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace apsis {
namespace {

constexpr std::string_view blanks = " \t";

// What a file holds may be binary or endless: messages show a readable piece of it.
std::string shown(std::string_view text) {
  constexpr std::size_t enough = 40;
  std::string result;
  for (const char c : text.substr(0, enough)) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 32 || code == 127) {
      result += fmt::format("\\x{:02x}", code);
    } else {
      result += c;
    }
  }
  return text.size() > enough ? result + "..." : result;
}

template <class Value>
Value parsed(const TextField& field, const TextPlace& place, std::string_view kind,
             std::string remedy) {
  std::string_view text = field.text;
  if (text.starts_with('+')) text.remove_prefix(1);  // from_chars knows no plus sign
  Value value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size()) return value;
  const std::string what = field.text.empty() ? fmt::format("nothing where {} belongs", kind)
                           : error == std::errc::result_out_of_range
                               ? fmt::format("'{}' is out of range", shown(field.text))
                               : fmt::format("'{}' is not {}", shown(field.text), kind);
  fail_at({place.file, place.line, field.column}, what, std::move(remedy));
}

}  // namespace

bool Lines::next(std::string_view& line) {
  if (left_.empty()) return false;
  const auto end = left_.find('\n');
  line = left_.substr(0, end);
  left_.remove_prefix(end == std::string_view::npos ? left_.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++number_;
  return true;
}

void fail_at(const TextPlace& place, const std::string& what, std::string remedy) {
  throw bad_data(fmt::format("{}:{}:{}: {}", place.file, place.line, place.column, what),
                 std::move(remedy));
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

void split_fields(std::string_view line, bool commas, std::vector<TextField>& fields) {
  fields.clear();
  std::size_t start = 0;
  while (start <= line.size()) {
    if (!commas) {
      start = line.find_first_not_of(blanks, start);
      if (start == std::string_view::npos) return;
    }
    const auto end =
        std::min(commas ? line.find(',', start) : line.find_first_of(blanks, start), line.size());
    const std::string_view text = trimmed(line.substr(start, end - start));
    const auto column = text.empty() ? start : static_cast<std::size_t>(text.data() - line.data());
    fields.push_back({text, column + 1});
    start = end + 1;
  }
}

double number_in(const TextField& field, const TextPlace& place) {
  return parsed<double>(field, place, "a number", "mend that line; decimals use a point");
}

std::uint64_t whole_number_in(const TextField& field, const TextPlace& place) {
  return parsed<std::uint64_t>(field, place, "a whole number >= 0", "mend that line");
}

}  // namespace apsis

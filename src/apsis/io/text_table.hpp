// SPDX-License-Identifier: MIT
// Rows of numbers in text, walked without copying; places for messages are line and column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apsis {

// Lines of a text one by one, numbered from 1, without their ends (\n or \r\n).
class Lines {
 public:
  explicit Lines(std::string_view text) : left_(text) {}
  bool next(std::string_view& line);
  std::size_t number() const { return number_; }

 private:
  std::string_view left_;
  std::size_t number_ = 0;
};

struct TextPlace {
  std::string_view file;
  std::size_t line = 0;
  std::size_t column = 0;
};
// "table.csv:12:7: 'abc' is not a number"
[[noreturn]] void fail_at(const TextPlace& place, const std::string& what, std::string remedy);

// Fields between commas (spaces around them do not count) or, without a comma in the line,
// between spaces and tabs.
struct TextField {
  std::string_view text;
  std::size_t column = 0;  // from 1
};
void split_fields(std::string_view line, bool commas, std::vector<TextField>& fields);

double number_in(const TextField& field, const TextPlace& place);
std::uint64_t whole_number_in(const TextField& field, const TextPlace& place);

std::string_view trimmed(std::string_view text);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// The `# key = value` lines of a table: what a snapshot says besides its bodies.
#pragma once

#include <apsis/io/snapshot.hpp>
#include <apsis/io/text_table.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apsis {

std::string csv_comments(const Snapshot& snapshot);

class CsvKeys {
 public:
  explicit CsvKeys(std::string file) : file_(std::move(file)) {}

  void comment(std::string_view line, std::size_t number);  // free text is passed over
  // As if it stood in such a comment.
  void set(std::string_view key, const TextField& value, std::size_t line) {
    values_[std::string(key)] = {value.text, line, value.column};
  }
  // Where the file tells its number of bodies it must hold them all, to the last line's end.
  void require_rows(std::size_t rows, bool whole_last_line) const;
  void apply(Snapshot& snapshot) const;

 private:
  struct Value {
    std::string_view text;
    std::size_t line = 0, column = 0;
  };
  bool number(const char* key, double& value) const;
  template <class Enum>
  void word(const char* key, Enum& value) const;
  void apply_units(Snapshot& snapshot) const;

  std::string file_;
  std::map<std::string, Value, std::less<>> values_;
  std::vector<std::pair<std::string, std::string>> provenance_;
};

}  // namespace apsis

// SPDX-License-Identifier: MIT
// What a lesson measured: tables of named columns. Charts, sentences and reports are made from it
// and from nothing else, so that they can be made again from results.json.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace apsis::lab {

// Empty where there is nothing to say: a rate of something that is not counted, a device's clock on
// the native cpu.
using Cell = std::variant<std::monostate, std::string, double>;

// How a column is printed; files hold plain numbers in the unit of the column.
enum class Look { text, whole, seconds, ratio, rate, error };

struct Column {
  std::string key;      // in results.json and results.csv
  std::string label;    // over the printed column; empty: not printed
  std::string meaning;  // with the unit
  Look look = Look::text;
};

class ResultTable;

// One line of a table, as long as the table lives.
class Row {
 public:
  Row(const ResultTable& table, std::size_t index) : table_(&table), index_(index) {}
  std::string text(std::string_view key) const;  // "" where empty, absent or a number
  std::optional<double> number(std::string_view key) const;
  double value(std::string_view key) const;  // NaN where there is none
  const Cell& cell(std::string_view key) const;

 private:
  const ResultTable* table_;
  std::size_t index_;
};

class ResultTable {
 public:
  ResultTable(std::string name, std::string title, std::vector<Column> columns);

  const std::string& name() const { return name_; }  // of its file, for people too
  const std::string& title() const { return title_; }
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<std::vector<Cell>>& cells() const { return rows_; }
  std::size_t size() const { return rows_.size(); }
  Row row(std::size_t index) const { return {*this, index}; }
  std::vector<Row> rows() const;

  using Entries = std::vector<std::pair<std::string_view, Cell>>;
  // Keys that are left out stay empty; one that is no column is our mistake (internal_error).
  void add(const Entries& entries);
  // Of a column's key; nothing where there is none.
  std::optional<std::size_t> place_of(std::string_view key) const;

 private:
  std::string name_, title_;
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

struct Results {
  std::string lesson;
  std::vector<std::pair<std::string, std::string>> about;  // command, version, devices, ...
  std::vector<ResultTable> tables;                         // the first is the main one
  std::vector<std::string> notices;                        // what was left out, and why

  // An empty one where there is none of that name.
  const ResultTable& table(std::string_view name) const;
};

// As people read it: "17.8 ms", "1.51e+10", "4.2e-07".
std::string shown(const Cell& cell, Look look);

std::string to_csv(const ResultTable& table);
std::string to_json(const Results& results);
// bad_data, with `file` in the message, for anything that to_json did not write.
Results results_from_json(const std::string& text, const std::string& file);
// Of one lesson, or the list of several that --json prints.
std::vector<Results> all_results_from_json(const std::string& text, const std::string& file);

}  // namespace apsis::lab

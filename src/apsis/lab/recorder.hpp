// SPDX-License-Identifier: MIT
// Where a lesson puts what it measures, row by row, while somebody watches.
#pragma once

#include <apsis/lab/results.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace apsis::lab {

// How a lesson speaks to whoever started it. All may be empty.
struct LabListener {
  std::function<void(const ResultTable&)> row_added;  // the last of the table
  std::function<void(const std::string&)> measuring;  // what comes next; "" when nothing does
  std::function<void(const std::string&)> notice;
  std::function<bool()> stop_requested;  // asked between measurements
};

// Thrown between measurements, caught by run_lesson.
struct StopRequested {};

class Recorder {
 public:
  Recorder(Results& results, const LabListener& listener)
      : results_(results), listener_(listener) {}

  // Tables are declared before the first row.
  std::size_t declare(ResultTable table);
  void add(std::size_t table, const ResultTable::Entries& entries);
  void measuring(const std::string& what);
  void notice(const std::string& text);
  void about(const std::string& key, const std::string& value);
  const Results& results() const { return results_; }

 private:
  Results& results_;
  const LabListener& listener_;
};

}  // namespace apsis::lab

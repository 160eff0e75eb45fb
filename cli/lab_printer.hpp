// SPDX-License-Identifier: MIT
// Prints a lesson while it is measured: tables row by row, and what comes next on a terminal.
#pragma once

#include <apsis/lab/lesson.hpp>
#include <apsis/lab/report.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace apsis::cli {

class LabPrinter {
 public:
  // With `quiet` nothing goes to stdout, which is JSON's then.
  explicit LabPrinter(bool quiet);

  void begin(const lab::Lesson& lesson);
  lab::LabListener listener(std::function<bool()> stop_requested);
  void end(const lab::Results& results, const lab::WrittenLesson& written);

 private:
  void print_row(const lab::ResultTable& table);
  void print_header(const lab::ResultTable& table);
  void show(const std::string& what);

  bool quiet_, redraws_;
  std::string table_;                // whose header stands above
  std::vector<std::size_t> widths_;  // of its columns
};

}  // namespace apsis::cli

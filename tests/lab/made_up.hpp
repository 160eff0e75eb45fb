// SPDX-License-Identifier: MIT
// Results that nobody measured, for tests of what is said about them.
#pragma once

#include <apsis/lab/forces.hpp>
#include <apsis/lab/lesson.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace apsis::test {

struct MadeUpRow {
  std::string device = "NVIDIA H200", kind = "gpu", variant;
  double bodies = 65536, seconds = 1, kernel = 0;  // kernel 0: no device's clock
  double deviation = 0, error = 1e-7;
  std::string complaint, precision = "f32", solver = "direct", sizes;
  bool edited = false;
};

// A number that is there, or an empty cell.
inline lab::Cell only_if(bool there, double number) {
  lab::Cell cell;
  if (there) cell = number;
  return cell;
}

inline lab::ResultTable::Entries entries_of(const MadeUpRow& row) {
  const double pairs = row.bodies * row.bodies;
  return {{"device", row.device},
          {"kind", row.kind},
          {"solver", row.solver},
          {"variant", row.variant},
          {"edited", row.edited ? lab::Cell("yes") : lab::Cell()},
          {"precision", row.precision},
          {"sizes", row.sizes},
          {"bodies", row.bodies},
          {"threads", only_if(row.kind == "native", 2)},
          {"seconds", row.seconds},
          {"seconds_deviation", row.deviation},
          {"seconds_kernel_deviation", only_if(row.kernel > 0, row.deviation)},
          {"seconds_kernel", only_if(row.kernel > 0, row.kernel)},
          {"interactions_per_second", pairs / row.seconds},
          {"interactions_per_second_kernel", only_if(row.kernel > 0, pairs / row.kernel)},
          {"gflops", 20e-9 * pairs / row.seconds},
          {"error_median", row.error / 3},
          {"error_p99", row.error / 2},
          {"error_max", row.error},
          {"error_max_double_inputs", 2 * row.error},
          {"complaint", row.complaint}};
}

inline lab::ResultTable made_up_table(const std::vector<MadeUpRow>& rows,
                                      const std::string& name = "results") {
  lab::ResultTable table =
      lab::force_table(name, "Made up", {"device", "variant", "bodies", "seconds", "error_max"});
  for (const MadeUpRow& row : rows) table.add(entries_of(row));
  return table;
}

inline lab::Results made_up(const std::string& lesson, const std::vector<MadeUpRow>& rows) {
  lab::Results results;
  results.lesson = lesson;
  results.about = {{"command", "apsis lab " + lesson}, {"version", "0 <test> & \"co\""}};
  results.tables.push_back(made_up_table(rows));
  return results;
}

// The sentences of a lesson about such results.
inline std::vector<std::string> said_of(const lab::Results& results) {
  return lab::lesson_named(results.lesson).findings(results);
}

// Whether one of the sentences has all the words.
inline bool says(const std::vector<std::string>& sentences, const std::vector<std::string>& words) {
  return std::any_of(sentences.begin(), sentences.end(), [&](const std::string& sentence) {
    return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      return sentence.find(word) != std::string::npos;
    });
  });
}

}  // namespace apsis::test

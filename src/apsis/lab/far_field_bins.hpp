// SPDX-License-Identifier: MIT
// Inside lab/: the ways of the solver `bins` to sum, in the lesson far-field: what each costs
// beside the usual one, and which digits it loses.
#pragma once

#include <apsis/lab/charts.hpp>
#include <apsis/lab/places.hpp>
#include <apsis/measure/bench.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace apsis::lab {

// "bins" of the usual way, "bins subtract" of another.
std::string name_of_way(const std::string& variant);

// Of the same bodies and bins: accelerations in f32 against those of the usual way in double, at
// the places as f32 has them. What is different is rounding alone.
class BinsDigits {
 public:
  BinsDigits(Recorder& recorder, int threads);

  // One row; `bench` is that of the row in the table of results.
  void add(const LessonPlace& place, const BenchOptions& bench);

 private:
  struct InDouble {
    Bodies bodies;  // at places that f32 has
    PairLaw law;
    Accelerations accelerations;
  };
  const InDouble& in_double(const BenchOptions& bench);

  Recorder& recorder_;
  int threads_;
  std::size_t table_;
  std::map<std::uint64_t, InDouble> known_;  // by the number of bodies
};

inline constexpr const char* digits_table = "digits";

// What rows of one device and number of bodies say about the other ways.
std::vector<std::string> way_findings(const ResultTable& digits, const std::vector<Row>& rows);

// Seconds and lost digits of each way against the number of bodies; nothing where only one way was
// measured.
std::optional<Chart> way_chart(const ResultTable& table, const ResultTable& digits);

}  // namespace apsis::lab

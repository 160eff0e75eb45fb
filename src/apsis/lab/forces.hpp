// SPDX-License-Identifier: MIT
// Inside lab/: rows of timed force evaluations, by `bench` and with its checks.
#pragma once

#include <apsis/lab/places.hpp>
#include <apsis/measure/bench.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace apsis::lab {

// All columns that a timed force evaluation can fill; those in `printed` have a label.
ResultTable force_table(const std::string& name, const std::string& title,
                        const std::vector<std::string>& printed);

// What stands in a row besides what was measured.
struct RowLabels {
  std::string variant;        // empty: the solver's own name for it
  bool edited = false;        // from the user's folder of kernels
  bool judged = true;         // false: shown because its forces are bad
  std::string compared_with;  // variant in the same table, device and number of bodies: speed-up
};

class ForceBench {
 public:
  ForceBench(const LabOptions& options, Recorder& recorder, std::size_t table)
      : options_(options), recorder_(recorder), table_(table) {}

  // One row for each solver, size and precision of `bench`, which says what beyond the place.
  // Steps are fewer where each takes long, unless the user gave their number.
  std::vector<BenchResult> add(const LessonPlace& place, BenchOptions bench,
                               const RowLabels& labels);

 private:
  struct Steps {
    int warmup, counted;
  };
  Steps steps_for(const BenchOptions& bench);
  double expected_seconds(const BenchOptions& bench);
  void note_clock_cost(const BenchResult& result, const LessonPlace& place);

  const LabOptions& options_;
  Recorder& recorder_;
  std::size_t table_;
  double most_clock_cost_ = 1;
  // Bodies and seconds of the last of a kind.
  std::map<std::string, std::pair<double, double>> known_;
};

// BenchOptions that every lesson starts from.
BenchOptions usual_bench(const LabOptions& options, const LessonPlace& place, std::uint64_t bodies);

// Variants of the direct solver whose kernel files `folder` has its own version of, without those
// that would pass over an edited law; the recorder hears which those are, and what stands for what.
// bad_data where there is none: an edited file that nobody reads is a mistake.
std::vector<std::string> edited_variants(const std::string& folder, Recorder& recorder);

}  // namespace apsis::lab

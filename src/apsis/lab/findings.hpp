// SPDX-License-Identifier: MIT
// From numbers to sentences. Nothing is taken for granted: what lost is said to have lost, with a
// reason why that can be, and what was not measured is not spoken of.
#pragma once

#include <apsis/lab/results.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apsis::lab {

enum class Verdict { gained, lost, alike, unclear };

struct Comparison {
  double ratio = 1;  // how many times as fast as before
  Verdict verdict = Verdict::alike;
};
// By the column `key`, in seconds. Less than 5 % of difference is none, and less than the two times
// spread together (`key` with "_deviation") is unclear. Nothing where one of them has no such time.
std::optional<Comparison> compared(const Row& before, const Row& after, std::string_view key);

struct VerdictWords {
  std::string gained, lost, alike, unclear;
};
std::string verdict_words(Verdict verdict, const VerdictWords& words);

// One rung of a ladder, and what may be behind a gain or a loss of it.
struct Rung {
  std::string variant;
  std::string before;       // the rung that it is compared with
  std::string gain;         // why it gains
  std::string loss_on_cpu;  // why it can lose on a CPU
  std::string loss_on_gpu;  // and on a GPU; empty: the same
};

// About every device at its largest number of bodies: the fastest rung, what each step brought, how
// much of the time is not kernels, the user's own kernels, and errors.
std::vector<std::string> ladder_findings(const ResultTable& table, std::span<const Rung> rungs);

// Sentences for the rows whose forces are not good enough.
std::vector<std::string> complaint_findings(const ResultTable& table);

// Devices in the order of their first row; and the rows of one.
std::vector<std::string> devices_in(const ResultTable& table);
std::vector<Row> rows_of(const ResultTable& table, const std::string& device);
// The rows with the largest number of bodies (all where none has one), or with this one.
std::vector<Row> largest(const std::vector<Row>& rows);
std::vector<Row> with_bodies(const std::vector<Row>& rows, double bodies);
std::optional<Row> row_with(const std::vector<Row>& rows, std::string_view key,
                            std::string_view text);

// "seconds_kernel" where all rows have it, else "seconds": one clock for a comparison.
std::string common_clock(const std::vector<Row>& rows);
std::string clock_words(std::string_view clock);  // "by kernel time", "end to end"

std::string with_commas(double whole);  // "262,144"
std::string compact(double value);      // "1.51e10", "42.3"
std::string times(double ratio);        // "1.34 times", "27 times"

}  // namespace apsis::lab

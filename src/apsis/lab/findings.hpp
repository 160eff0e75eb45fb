// SPDX-License-Identifier: MIT
// From numbers to sentences. Nothing is taken for granted: what lost is said to have lost, with a
// reason why that can be, and what was not measured is not spoken of.
#pragma once

#include <apsis/lab/comparison.hpp>
#include <apsis/lab/results.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apsis::lab {

// One rung of a ladder, and what may be behind a gain or a loss of it.
struct Rung {
  std::string variant;
  std::string before;       // the rung that it is compared with
  std::string gain;         // what it changes
  std::string loss_on_cpu;  // why it can lose on a CPU
  std::string loss_on_gpu;  // and on a GPU; empty: the same
};

// About every device at its largest number of bodies: the fastest rung, what each step brought, how
// much of the time is not kernels, the user's own kernels, and errors.
std::vector<std::string> ladder_findings(const ResultTable& table, std::span<const Rung> rungs);

// A sentence about the rows during which somebody else had the cores.
std::vector<std::string> busy_findings(const ResultTable& table);

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

}  // namespace apsis::lab

// SPDX-License-Identifier: MIT
// Inside lab/: the tables of the lesson about relaxation, and what is said of their rows.
#pragma once

#include <apsis/lab/results.hpp>

#include <string>
#include <vector>

namespace apsis::lab {

ResultTable relaxation_table();
ResultTable walk_table();

// Rows with encounters that are right: those of the softening with most numbers of bodies, and
// those of the number of bodies with most softenings.
std::vector<Row> rows_by_number(const ResultTable& table);
std::vector<Row> rows_by_softening(const ResultTable& table);

// A power law through values with errors, by their logarithms.
struct PowerLaw {
  double power = 0, error = 0;  // error: a standard deviation, from those of the values
};
PowerLaw power_law(const std::vector<double>& x, const std::vector<double>& y,
                   const std::vector<double>& errors);

std::vector<std::string> relaxation_findings(const ResultTable& table);

}  // namespace apsis::lab

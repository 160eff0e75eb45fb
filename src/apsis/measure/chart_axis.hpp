// SPDX-License-Identifier: MIT
// Marks along logarithmic axes, and axes whose ends are found from what they show.
#pragma once

#include <apsis/measure/chart.hpp>

#include <string>
#include <vector>

namespace apsis {

// Three to about ten marks with words between the ends, however near they are to each other, and
// finer ones without. `words` says how a value is written.
std::vector<Axis::Tick> logarithmic_ticks(double low, double high, std::string (*words)(double));

// Three to eight marks at round values.
std::vector<Axis::Tick> linear_ticks(double low, double high);

// "2e9", "1.25e9", "0.05", "300"
std::string compact_mark(double value);

// Smallest and largest of what is drawn along one of the axes, error bars among it; both 0 where
// there is nothing above 0.
struct DataRange {
  double low = 0, high = 0;
};
DataRange positive_range(const std::vector<Series>& series, std::vector<double> Series::*along);

// A logarithmic axis without marks of its own gets ends with some room, and marks.
Axis completed(const Axis& axis, const std::vector<Series>& series,
               std::vector<double> Series::*along);

}  // namespace apsis

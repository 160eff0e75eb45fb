// SPDX-License-Identifier: MIT
// Inside lab/: charts that several lessons draw.
#pragma once

#include <apsis/lab/lesson.hpp>

#include <functional>
#include <string>
#include <vector>

namespace apsis::lab {

struct SeriesBy {
  std::string x, y;                             // columns
  std::function<std::string(const Row&)> name;  // rows of one name are one line
  std::function<bool(const Row&)> wanted = [](const Row&) { return true; };
};
// In the order of their first rows.
std::vector<Series> series_of(const ResultTable& table, const SeriesBy& by);

// All values of a column, rising, for marks along an axis.
std::vector<double> values_of(const ResultTable& table, const std::string& key);

// The number of bodies, logarithmic, with a mark at each.
Axis bodies_axis(const ResultTable& table);

// Logarithmic, with a mark at each of the rising values.
Axis axis_with_marks(const std::string& label, const std::vector<double>& values);
// Logarithmic, with marks that suit what the series hold along one of their axes.
Axis logarithmic_axis(const std::string& label, const std::vector<Series>& series,
                      std::vector<double> Series::*along = &Series::y);

// Interactions a second against the number of bodies, a panel a device; bars where there is only
// one number of bodies. By kernel time where all rows of a device have it, and labelled so.
Chart rate_chart(const ResultTable& table, const std::string& title);

}  // namespace apsis::lab

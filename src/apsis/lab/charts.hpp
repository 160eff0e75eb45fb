// SPDX-License-Identifier: MIT
// Inside lab/: charts that several lessons draw.
#pragma once

#include <apsis/lab/lesson.hpp>

#include <functional>
#include <string>
#include <vector>

namespace apsis::lab {

using RowName = std::function<std::string(const Row&)>;

struct SeriesBy {
  std::string x, y;  // columns
  RowName name;      // rows of one name are one line
  std::function<bool(const Row&)> wanted = [](const Row&) { return true; };
  // Series have the colour of what the first says of them, and the marker of the second, numbered
  // over the whole table, so that charts of it agree. Empty: each its own.
  RowName colours = {}, markers = {};
  std::function<double(const Row&)> spread = {};  // of y, as bars; empty: none
  std::function<bool(const Row&)> dashed = [](const Row&) { return false; };
};
// In the order of their first rows.
std::vector<Series> series_of(const ResultTable& table, const SeriesBy& by);
// The same as a panel, with a key of colours and one of markers where `by` has both.
Panel panel_of(const ResultTable& table, const SeriesBy& by, Axis x, Axis y);

RowName text_of(const std::string& key);

// Of a rate or of seconds: the value times the relative deviation of the seconds.
std::function<double(const Row&)> spread_of(const std::string& key);

// All values of a column, rising, for marks along an axis.
std::vector<double> values_of(const ResultTable& table, const std::string& key);

// The number of bodies, logarithmic, with a mark at each.
Axis bodies_axis(const ResultTable& table);

// Logarithmic, with a mark at each of the rising values; where they are one or two, with others.
Axis axis_with_marks(const std::string& label, const std::vector<double>& values);
// Logarithmic, with marks that suit what the series hold along one of their axes.
Axis logarithmic_axis(const std::string& label, const std::vector<Series>& series,
                      std::vector<double> Series::*along = &Series::y);

// Interactions a second against the number of bodies: all devices on one pair of axes, a colour a
// variant and a marker a device. With one number of bodies the variants stand side by side, as bars
// where there is one device.
Chart rate_chart(const ResultTable& table, const std::string& title);

}  // namespace apsis::lab

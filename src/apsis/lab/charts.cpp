// SPDX-License-Identifier: MIT
#include <apsis/lab/charts.hpp>
#include <apsis/lab/findings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace apsis::lab {
namespace {

constexpr const char* rate_key = "interactions_per_second";

std::string rate_label(const std::string& device) {
  return fmt::format("{}: interactions/s, end to end", device);
}

std::string name_of_rung(const Row& row) {
  return row.text("variant") + (is_wrong(row) ? " (wrong)" : "");
}

// "2e9", "0.05", "300"
std::string compact_mark(double value) {
  if (value >= 0.01 && value < 1e4) return fmt::format("{:g}", value);
  const auto power = static_cast<int>(std::floor(std::log10(value) + 1e-9));
  return fmt::format("{:.0f}e{}", value / std::pow(10.0, power), power);
}

// One bar a variant, named below.
Panel bar_panel(const std::vector<Row>& rows, const std::string& device) {
  Panel panel;
  panel.x.label = fmt::format("{} bodies", with_commas(rows.front().value("bodies")));
  panel.y.label = rate_label(device);
  panel.y.low = 0;
  Series bars{.look = Series::Look::bars};
  for (const Row& row : rows) {
    bars.x.push_back(static_cast<double>(panel.x.names.size()));
    bars.y.push_back(row.value(rate_key));
    panel.x.names.push_back(name_of_rung(row));
  }
  panel.x.low = -0.6, panel.x.high = static_cast<double>(rows.size()) - 0.4;
  panel.series.push_back(std::move(bars));
  return panel;
}

Panel line_panel(const ResultTable& table, const std::string& device) {
  std::vector<Series> series = series_of(
      table,
      {.x = "bodies", .y = rate_key, .name = name_of_rung, .wanted = [device](const Row& row) {
         return row.text("device") == device;
       }});
  return {bodies_axis(table), logarithmic_axis(rate_label(device), series), std::move(series)};
}

}  // namespace

std::vector<Series> series_of(const ResultTable& table, const SeriesBy& by) {
  std::vector<Series> all;
  for (const Row& row : table.rows()) {
    if (!by.wanted(row)) continue;
    const std::string name = by.name(row);
    auto found = std::find_if(all.begin(), all.end(),
                              [&](const Series& series) { return series.name == name; });
    if (found == all.end()) {
      all.push_back({.name = name, .look = Series::Look::lines_and_points});
      found = all.end() - 1;
    }
    found->x.push_back(row.value(by.x));
    found->y.push_back(row.value(by.y));
  }
  return all;
}

std::vector<double> values_of(const ResultTable& table, const std::string& key) {
  std::set<double> values;
  for (const Row& row : table.rows()) {
    if (const auto value = row.number(key)) values.insert(*value);
  }
  return {values.begin(), values.end()};
}

Axis bodies_axis(const ResultTable& table) {
  return axis_with_marks("bodies", values_of(table, "bodies"));
}

Axis axis_with_marks(const std::string& label, const std::vector<double>& values) {
  Axis axis{.label = label, .logarithmic = true};
  for (const double value : values) axis.ticks.push_back({value, with_commas(value)});
  if (!values.empty()) {
    // room for the outermost points
    axis.low = 0.85 * values.front(), axis.high = 1.18 * values.back();
  }
  return axis;
}

Axis logarithmic_axis(const std::string& label, const std::vector<Series>& series,
                      std::vector<double> Series::*along) {
  Axis axis{.label = label, .logarithmic = true};
  double low = INFINITY, high = 0;
  for (const Series& one : series) {
    for (const double value : one.*along) {
      if (!(value > 0) || !std::isfinite(value)) continue;
      low = std::min(low, value), high = std::max(high, value);
    }
  }
  if (!(high > 0)) return axis;
  axis.low = 0.8 * low, axis.high = 1.25 * high;
  const double decades = std::log10(*axis.high / *axis.low);
  const auto first = static_cast<int>(std::floor(std::log10(*axis.low)));
  const auto last = static_cast<int>(std::ceil(std::log10(*axis.high)));
  const int stride = std::max(1, static_cast<int>(decades / 8));
  for (int power = first; power <= last; power += stride) {
    for (const int digit : {1, 2, 3, 5, 7}) {
      const double most_decades = digit == 1 ? INFINITY : digit % 2 == 0 || digit == 5 ? 2 : 1;
      if (decades > most_decades) continue;
      const double at = digit * std::pow(10.0, power);
      if (at >= *axis.low && at <= *axis.high) axis.ticks.push_back({at, compact_mark(at)});
    }
  }
  return axis;
}

Chart rate_chart(const ResultTable& table, const std::string& title) {
  Chart chart{.title = title, .panels = {}};
  const bool one_size = values_of(table, "bodies").size() == 1;
  for (const std::string& device : devices_in(table)) {
    const auto rows = rows_of(table, device);
    // a single line of the native cpu is a figure in the table, not a picture
    if (rows.size() == values_of(table, "bodies").size() && devices_in(table).size() > 1) continue;
    chart.panels.push_back(one_size ? bar_panel(rows, device) : line_panel(table, device));
  }
  return chart;
}

}  // namespace apsis::lab

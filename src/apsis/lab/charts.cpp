// SPDX-License-Identifier: MIT
#include <apsis/lab/charts.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/measure/chart_axis.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace apsis::lab {
namespace {

constexpr const char* rate_key = "interactions_per_second";
constexpr const char* rate_label = "interactions/s, end to end";

std::size_t place_in(const std::vector<std::string>& words, const std::string& word) {
  return static_cast<std::size_t>(std::ranges::find(words, word) - words.begin());
}

std::string name_of_rung(const Row& row) {
  return row.text("variant") + (is_wrong(row) ? " (wrong)" : "");
}

// In the order of rows.
std::vector<std::string> words_of(const ResultTable& table, const RowName& name) {
  std::vector<std::string> words;
  for (const Row& row : table.rows()) {
    if (std::string word = name(row); place_in(words, word) == words.size()) {
      words.push_back(std::move(word));
    }
  }
  return words;
}

// A single line of the native cpu is a figure in the table, not a picture.
bool is_shown(const ResultTable& table, const std::string& device) {
  return devices_in(table).size() == 1 ||
         rows_of(table, device).size() != values_of(table, "bodies").size();
}

// One number of bodies: the variants side by side, named below. Rates of several devices may be
// powers of ten apart, which bars from zero could not show.
Panel side_by_side(const ResultTable& table) {
  std::vector<std::string> devices;
  for (const std::string& device : devices_in(table)) {
    if (is_shown(table, device)) devices.push_back(device);
  }
  const bool bars = devices.size() == 1;
  const auto variants = words_of(table, name_of_rung);
  const auto spread = spread_of(rate_key);
  Panel panel;
  for (const Row& row : table.rows()) {
    const std::size_t device = place_in(devices, row.text("device"));
    if (device == devices.size()) continue;
    auto& names = panel.x.names;
    const std::size_t place = place_in(names, name_of_rung(row));
    if (place == names.size()) names.push_back(name_of_rung(row));
    panel.series.push_back({.name = {},
                            .x = {beside(place, device, devices.size())},
                            .y = {row.value(rate_key)},
                            .look = bars ? Series::Look::bars : Series::Look::points,
                            .colour = place_in(variants, name_of_rung(row)),
                            .marker = device,
                            .spread = {spread(row)}});
  }
  panel.x.label = bodies_in_words(values_of(table, "bodies").front());
  panel.x.low = -0.6, panel.x.high = static_cast<double>(panel.x.names.size()) - 0.4;
  panel.y.label = rate_label;
  if (bars) {
    panel.y.label += " on " + devices.front();
    panel.y.low = 0;
  } else {
    panel.y.logarithmic = true;
    add_shared_key(panel, {}, devices);
  }
  return panel;
}

}  // namespace

RowName text_of(const std::string& key) {
  return [key](const Row& row) { return row.text(key); };
}

std::function<double(const Row&)> spread_of(const std::string& key) {
  return [key](const Row& row) {
    const double relative = row.value("seconds_deviation") / row.value("seconds");
    return std::isfinite(relative) ? row.value(key) * relative : 0.0;
  };
}

std::vector<Series> series_of(const ResultTable& table, const SeriesBy& by) {
  const auto words = [&](const RowName& name) {
    return name ? words_of(table, name) : std::vector<std::string>{};
  };
  const auto colours = words(by.colours), markers = words(by.markers);
  std::vector<Series> all;
  for (const Row& row : table.rows()) {
    if (!by.wanted(row)) continue;
    const std::string name = by.name(row);
    auto found = std::find_if(all.begin(), all.end(),
                              [&](const Series& series) { return series.name == name; });
    if (found == all.end()) {
      all.push_back({.name = name, .look = Series::Look::lines_and_points});
      found = all.end() - 1;
      if (by.colours) found->colour = place_in(colours, by.colours(row));
      if (by.markers) found->marker = place_in(markers, by.markers(row));
      found->dashed = by.dashed(row);
    }
    found->x.push_back(row.value(by.x));
    found->y.push_back(row.value(by.y));
    if (by.spread) found->spread.push_back(by.spread(row));
  }
  return all;
}

Panel panel_of(const ResultTable& table, const SeriesBy& by, Axis x, Axis y) {
  Panel panel{.x = std::move(x), .y = std::move(y), .series = series_of(table, by)};
  if (!by.colours || !by.markers) return panel;
  // names of what is not drawn would be in the way
  const auto drawn = [&](const RowName& name) {
    std::set<std::string> known;
    for (const Row& row : table.rows()) {
      if (by.wanted(row)) known.insert(name(row));
    }
    auto words = words_of(table, name);
    for (std::string& word : words) {
      if (!known.contains(word)) word.clear();
    }
    return words;
  };
  const auto markers = drawn(by.markers);
  const auto named = [](const std::string& word) { return !word.empty(); };
  if (std::ranges::count_if(markers, named) == 1) {  // it has no place in the key
    panel.y.label = *std::ranges::find_if(markers, named) + ": " + panel.y.label;
  }
  add_shared_key(panel, drawn(by.colours), markers);
  return panel;
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
  if (values.empty()) return axis;
  // room for the outermost points
  axis.low = 0.85 * values.front(), axis.high = 1.18 * values.back();
  if (values.size() < 3) {
    axis.ticks =
        logarithmic_ticks(*axis.low, *axis.high, [](double value) { return with_commas(value); });
    return axis;
  }
  for (const double value : values) axis.ticks.push_back({value, with_commas(value)});
  return axis;
}

Axis logarithmic_axis(const std::string& label, const std::vector<Series>& series,
                      std::vector<double> Series::*along) {
  return completed({.label = label, .logarithmic = true}, series, along);
}

Chart rate_chart(const ResultTable& table, const std::string& title) {
  Chart chart{.title = title, .panels = {}};
  if (values_of(table, "bodies").size() == 1) {
    chart.panels.push_back(side_by_side(table));
    return chart;
  }
  chart.panels.push_back(
      panel_of(table,
               {.x = "bodies",
                .y = rate_key,
                .name = [](const Row& row) { return row.text("device") + " " + name_of_rung(row); },
                .wanted = [&](const Row& row) { return is_shown(table, row.text("device")); },
                .colours = name_of_rung,
                .markers = text_of("device"),
                .spread = spread_of(rate_key)},
               bodies_axis(table), {.label = rate_label, .logarithmic = true}));
  return chart;
}

}  // namespace apsis::lab

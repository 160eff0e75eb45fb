// SPDX-License-Identifier: MIT
#include <apsis/measure/chart_series.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <vector>

namespace apsis {
namespace {

// From the ninth on lines are dashed as well. Black comes last: it is for what has no colour.
constexpr std::array<std::string_view, 12> palette = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                      "#555555", "#E69F00", "#56B4E9", "#882255",
                                                      "#999933", "#44AA99", "#332288", "#000000"};
static_assert(chart_black == palette.size() - 1);
constexpr std::size_t plain_colours = 8;
// Discs, squares, triangles and diamonds, then the same hollow.
constexpr std::array<int, 8> marker_shapes = {7, 5, 9, 13, 11, 6, 4, 8};

bool drawable(const Panel& panel, const Series& series, std::size_t i) {
  const auto fits = [](const Axis& axis, double value) {
    return std::isfinite(value) && (!axis.logarithmic || value > 0);
  };
  return fits(panel.x, series.x[i]) && fits(panel.y, series.y[i]);
}

std::size_t drawable_points(const Panel& panel, const Series& series) {
  if (series.key_only) return 1;
  std::size_t count = 0;
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    count += drawable(panel, series, i) ? 1 : 0;
  }
  return count;
}

bool has_spread(const Series& series) {
  return !series.spread.empty() && series.spread.size() == series.y.size();
}

// What gnuplot calls the way that a series is drawn, without its colour.
std::string style_of(const Series& series, std::size_t index, std::size_t colour) {
  const int dash = series.dashed ? 2 : colour % palette.size() >= plain_colours ? 4 : 1;
  const int marker = marker_shapes[series.marker.value_or(index) % marker_shapes.size()];
  const bool bars = has_spread(series) && !series.key_only;
  switch (series.look) {
    case Series::Look::lines:
      return fmt::format("lines lw {} dt {}", series.width, dash);
    case Series::Look::points:
      return fmt::format("{} pt {} ps 1.5*marker", bars ? "yerrorbars" : "points", marker);
    case Series::Look::lines_and_points:
      return fmt::format("{} lw {} dt {} pt {} ps 1.3*marker", bars ? "yerrorlines" : "linespoints",
                         bars ? 0.8 * series.width : series.width, dash, marker);
    case Series::Look::bars:
      return fmt::format("{} fs solid 0.85 noborder", bars ? "boxerrorbars" : "boxes");
    case Series::Look::spans:
      // the border shows what is shorter than a pixel
      return "boxxyerror fs solid 0.85 border";
    case Series::Look::dots:
      return fmt::format("points pt 7 ps {}*marker", series.key_only ? 1.0 : 0.25);
    case Series::Look::circles:
      return fmt::format("circles lw {}", series.width);
  }
  return "points";
}

std::string columns_of(const Series& series) {
  if (series.look == Series::Look::spans) return "1:2:1:3:($2-0.35):($2+0.35)";
  if (series.look == Series::Look::circles) return "1:2:3";
  if (!has_spread(series) || series.look == Series::Look::lines) return "1:2";
  // with four columns gnuplot takes the last one of bars for their width
  return series.look == Series::Look::bars ? "1:2:3:4:(0.7)" : "1:2:3:4";
}

std::string plot_element(const Series& series, const std::string& block, std::size_t index) {
  const std::size_t colour = series.colour.value_or(index);
  const std::string rgb = fmt::format("lc rgb '{}'", palette[colour % palette.size()]);
  std::string with = style_of(series, index, colour) + " " + rgb;
  if (series.look == Series::Look::spans) with += " " + rgb;
  if (series.look == Series::Look::circles) with += " fs transparent solid 0.1 border " + rgb;
  const std::string title =
      series.name.empty() ? "notitle" : fmt::format("title {} noenhanced", in_quotes(series.name));
  if (series.key_only) return fmt::format("NaN with {} {}", with, title);
  if (series.look == Series::Look::dots && !series.name.empty()) {  // too small for the key
    Series in_key = series;
    in_key.key_only = true;
    return fmt::format("{} using 1:2 with {} notitle, {}", block, with,
                       plot_element(in_key, block, index));
  }
  return fmt::format("{} using {} with {} {}", block, columns_of(series), with, title);
}

std::string data_block(const Panel& panel, const Series& series, const std::string& name) {
  std::string text = name + " << EOD\n";
  const auto put = [&](double value) {
    fmt::format_to(std::back_inserter(text), " {:.10g}", value);
  };
  bool in_line = false;
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    if (!drawable(panel, series, i)) {
      if (series.gaps && in_line) text += '\n';  // ends a line
      in_line = false;
      continue;
    }
    in_line = true;
    fmt::format_to(std::back_inserter(text), "{:.10g} {:.10g}", series.x[i], series.y[i]);
    if (series.look == Series::Look::circles) put(i < series.radius.size() ? series.radius[i] : 0);
    if (i < series.until.size()) put(series.until[i]);
    if (has_spread(series)) {
      const double spread = std::isfinite(series.spread[i]) ? std::abs(series.spread[i]) : 0;
      const double low = series.y[i] - spread;
      // a logarithm has no zero for a bar to end at
      put(panel.y.logarithmic ? std::max(low, 0.1 * series.y[i]) : low);
      put(series.y[i] + spread);
    }
    text += '\n';
  }
  return text + "EOD\n";
}

// What stands before a name: a piece of the line, or a marker.
std::string sample_of(const Series& series, std::size_t index, const std::string& at,
                      const std::string& from, const std::string& to) {
  const std::size_t colour = series.colour.value_or(index) % palette.size();
  const bool line = series.look == Series::Look::lines;
  std::string text;
  if (line || series.look == Series::Look::lines_and_points) {
    text = fmt::format("set arrow from screen {} to screen {} nohead lw {} dt {} lc rgb '{}'\n",
                       from, to, series.width,
                       series.dashed             ? 2
                       : colour >= plain_colours ? 4
                                                 : 1,
                       palette[colour]);
  }
  if (line) return text;
  int marker = marker_shapes[series.marker.value_or(index) % marker_shapes.size()];
  if (series.look == Series::Look::dots) marker = 7;
  if (series.look == Series::Look::circles) marker = 6;
  if (series.look == Series::Look::bars) marker = 5;
  return text + fmt::format("set label '' at screen {} point pt {} ps 1.3*marker lc rgb '{}'\n", at,
                            marker, palette[colour]);
}

}  // namespace

std::size_t letters_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

SharedKey shared_key(const Chart& chart) {
  constexpr double letter = 10, sample = 34, gap = 26, row_height = 26;  // pixels
  struct Entry {
    const Series* series;
    std::size_t index;  // in its panel
    double x;           // in its row
  };
  std::vector<std::vector<Entry>> rows;
  std::vector<double> widths;  // of the rows
  std::set<std::string> known;
  for (const Panel& panel : chart.panels) {
    for (std::size_t s = 0; s < panel.series.size(); ++s) {
      const Series& one = panel.series[s];
      if (one.name.empty() || drawable_points(panel, one) == 0) continue;
      if (!known.insert(one.name).second) continue;
      const double width = sample + letter * static_cast<double>(letters_of(one.name)) + gap;
      if (rows.empty() || widths.back() + width > chart.width - 40) {
        rows.emplace_back(), widths.push_back(0);
      }
      rows.back().push_back({&one, s, widths.back()});
      widths.back() += width;
    }
  }
  SharedKey key{.commands = {}, .height = row_height * static_cast<double>(rows.size())};
  const auto place = [&](double x, double y) {
    return fmt::format("{:.5f},{:.5f}", x / chart.width, y / chart.height);
  };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double y = row_height * (static_cast<double>(rows.size() - row) - 0.3);
    for (const Entry& entry : rows[row]) {
      const double x = (chart.width - widths[row] + gap) / 2 + entry.x;
      key.commands +=
          sample_of(*entry.series, entry.index, place(x + 13, y), place(x, y), place(x + 26, y)) +
          fmt::format("set label {} at screen {} left noenhanced tc rgb '#222222'\n",
                      in_quotes(entry.series->name), place(x + sample, y));
    }
  }
  return key;
}

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';  // quotes are doubled, line ends would end the command
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result + "'";
}

std::string plot_command(const Panel& panel, std::size_t panel_index) {
  std::string blocks, plot;
  std::size_t drawn = 0;
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    if (drawable_points(panel, panel.series[s]) == 0) continue;
    const std::string block = fmt::format("$data_{}_{}", panel_index, s);
    if (!panel.series[s].key_only) blocks += data_block(panel, panel.series[s], block);
    plot += (drawn++ == 0 ? "plot " : ", ") + plot_element(panel.series[s], block, s);
  }
  if (drawn == 0) {
    return "unset logscale\nset xrange [0:1]\nset yrange [0:1]\nunset ytics\n"
           "set label 2 'nothing above zero to show' at graph 0.5,0.5 center tc rgb '#555555'\n"
           "plot NaN notitle\nunset label 2\n";
  }
  return blocks + plot + "\n";
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/programs.hpp>
#include <apsis/measure/chart.hpp>
#include <apsis/measure/chart_axis.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

namespace apsis {
namespace {

// From the ninth on lines are dashed as well. Black comes last: it is for what has no colour.
constexpr std::array<std::string_view, 12> palette = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                      "#555555", "#E69F00", "#56B4E9", "#882255",
                                                      "#999933", "#44AA99", "#332288", "#000000"};
constexpr std::size_t black = palette.size() - 1;
constexpr std::size_t plain_colours = 8;
// Discs, squares, triangles and diamonds, then the same hollow.
constexpr std::array<int, 8> marker_shapes = {7, 5, 9, 13, 11, 6, 4, 8};

// A gnuplot string without escapes (used with `noenhanced`, so ^ and _ are letters): quotes are
// doubled, line ends would end the command.
std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result + "'";
}

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

// Names that would run into each other stand aslant.
bool too_long(const std::vector<std::string>& names) {
  std::size_t letters = 0;
  for (const std::string& name : names) letters += name.size() + 2;
  return letters > 80;
}

std::string axis_commands(char name, const Axis& axis, bool with_label) {
  std::string text;
  text += axis.logarithmic ? fmt::format("set logscale {}\nset format {} '10^{{%L}}'\n", name, name)
                           : fmt::format("unset logscale {}\nset format {} '%g'\n", name, name);
  text +=
      fmt::format("set {}label {} noenhanced\n", name, with_label ? in_quotes(axis.label) : "''");
  const auto limit = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.17g}", *value) : std::string("*");
  };
  text += fmt::format("set {}range [{}:{}]\n", name, limit(axis.low), limit(axis.high));
  text += fmt::format("unset {}tics\nset {}tics nomirror tc rgb '#333333'\n", name, name);
  std::vector<Axis::Tick> ticks = axis.ticks;
  for (std::size_t i = 0; i < axis.names.size(); ++i) {
    ticks.push_back({static_cast<double>(i), axis.names[i]});
  }
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    text += fmt::format("{}{} {:.10g}{}",
                        i == 0 ? fmt::format("set {}tics noenhanced (", name) : std::string(", "),
                        in_quotes(ticks[i].label), ticks[i].at, ticks[i].minor ? " 1" : "");
  }
  if (ticks.empty()) return text;
  text += ")\n";
  if (too_long(axis.names)) text += fmt::format("set {}tics rotate by 25 right\n", name);
  return text;
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
      return fmt::format("{} pt {} ps 1.5", bars ? "yerrorbars" : "points", marker);
    case Series::Look::lines_and_points:
      return fmt::format("{} lw {} dt {} pt {} ps 1.3", bars ? "yerrorlines" : "linespoints",
                         bars ? 0.8 * series.width : series.width, dash, marker);
    case Series::Look::bars:
      return fmt::format("{} fs solid 0.85 noborder", bars ? "boxerrorbars" : "boxes");
    case Series::Look::spans:
      // the border shows what is shorter than a pixel
      return "boxxyerror fs solid 0.85 border";
  }
  return "points";
}

std::string columns_of(const Series& series) {
  if (series.look == Series::Look::spans) return "1:2:1:3:($2-0.35):($2+0.35)";
  if (!has_spread(series) || series.look == Series::Look::lines) return "1:2";
  // with four columns gnuplot takes the last one of bars for their width
  return series.look == Series::Look::bars ? "1:2:3:4:(0.7)" : "1:2:3:4";
}

std::string plot_element(const Series& series, const std::string& block, std::size_t index) {
  const std::size_t colour = series.colour.value_or(index);
  const std::string rgb = fmt::format("lc rgb '{}'", palette[colour % palette.size()]);
  std::string with = style_of(series, index, colour) + " " + rgb;
  if (series.look == Series::Look::spans) with += " " + rgb;
  const std::string title =
      series.name.empty() ? "notitle" : fmt::format("title {} noenhanced", in_quotes(series.name));
  if (series.key_only) return fmt::format("NaN with {} {}", with, title);
  return fmt::format("{} using {} with {} {}", block, columns_of(series), with, title);
}

std::string data_block(const Panel& panel, const Series& series, const std::string& name) {
  std::string text = name + " << EOD\n";
  const auto put = [&](double value) {
    fmt::format_to(std::back_inserter(text), " {:.10g}", value);
  };
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    if (!drawable(panel, series, i)) continue;
    fmt::format_to(std::back_inserter(text), "{:.10g} {:.10g}", series.x[i], series.y[i]);
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

// Series without a single point would make gnuplot fail; so would a panel without series.
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

// Where the plots end and the key begins, as a share of the width: names must not run into plots.
double key_begin(const Chart& chart) {
  constexpr double letter = 11, sample = 100;  // pixels
  std::size_t longest = 0;
  for (const Panel& panel : chart.panels) {
    for (const Series& series : panel.series) longest = std::max(longest, series.name.size());
  }
  const double needed = letter * static_cast<double>(longest) + sample;
  return std::clamp(1 - needed / chart.width, 0.5, longest == 0 ? 0.97 : 0.84);
}

}  // namespace

std::string gnuplot_script(const Chart& chart) {
  // room for the title, then panels from the top
  constexpr double title_room = 0.06;
  double heights = 0;
  for (const Panel& panel : chart.panels) heights += panel.height;
  std::string text = fmt::format(
      "set terminal pngcairo size {},{} enhanced background rgb 'white' font 'Sans,15'\n"
      "set encoding utf8\nset border 3 lw 1.2 lc rgb '#333333'\n"
      "set grid lt 1 lw 1 lc rgb '#DDDDDD'\nset key outside right top tc rgb '#222222' samplen 2\n"
      "set boxwidth 0.7\nset offsets 0,0,graph 0.05,graph 0.05\nset multiplot\n",
      chart.width, chart.height);
  text += fmt::format(
      "set label 1 {} at screen 0.5,0.97 center noenhanced font 'Sans,19' tc rgb '#111111'\n",
      in_quotes(chart.title));
  double top = 1 - title_room;
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    Panel panel = chart.panels[i];
    panel.x = completed(panel.x, panel.series, &Series::x);
    panel.y = completed(panel.y, panel.series, &Series::y);
    const double height = (1 - title_room) * panel.height / heights;
    top -= height;
    text += fmt::format("set origin 0,{:.4f}\nset size 1,{:.4f}\n", top, height);
    text +=
        fmt::format("set lmargin at screen 0.11\nset rmargin at screen {:.4f}\n", key_begin(chart));
    const bool lowest = i + 1 == chart.panels.size();
    text += axis_commands('x', panel.x, lowest) + axis_commands('y', panel.y, true);
    text += plot_command(panel, i);
    text += "unset label 1\n";
  }
  return text + "unset multiplot\n";
}

void add_shared_key(Panel& panel, const std::vector<std::string>& colours,
                    const std::vector<std::string>& markers) {
  for (Series& series : panel.series) series.name.clear();
  const auto add = [&](const std::vector<std::string>& names, const Series& like,
                       std::optional<std::size_t> Series::*number) {
    const auto named =
        std::ranges::count_if(names, [](const std::string& name) { return !name.empty(); });
    for (std::size_t i = 0; named > 1 && i < names.size(); ++i) {
      if (names[i].empty()) continue;
      Series entry = like;
      entry.name = names[i], entry.key_only = true;
      entry.*number = i;
      panel.series.push_back(std::move(entry));
    }
  };
  add(colours, {.look = Series::Look::lines, .colour = 0}, &Series::colour);
  // black: of no colour's series
  add(markers, {.look = Series::Look::points, .colour = black}, &Series::marker);
}

double beside(std::size_t name, std::size_t marker, std::size_t markers) {
  const double step = std::min(0.12, 0.6 / static_cast<double>(std::max<std::size_t>(markers, 1)));
  return static_cast<double>(name) +
         step * (static_cast<double>(marker) - 0.5 * (static_cast<double>(markers) - 1));
}

DrawnChart draw(const Chart& chart) {
  DrawnChart drawn;
  const auto gnuplot = find_program("gnuplot");
  if (!gnuplot) {
    drawn.problem = "no chart: gnuplot is not installed (apt install gnuplot-nox)";
    return drawn;
  }
  try {
    const std::string arguments[] = {gnuplot->string(), "-"};
    const ProgramResult result = run_program(arguments, gnuplot_script(chart));
    if (result.exit_status != 0 || !result.output.starts_with("\x89PNG")) {
      const std::string reason = result.errors.substr(0, result.errors.find_first_of("\r\n", 1));
      drawn.problem = fmt::format("no chart: gnuplot ended with {}: {}", result.exit_status,
                                  reason.empty() ? "it drew nothing" : reason);
      return drawn;
    }
    drawn.png.resize(result.output.size());
    std::transform(result.output.begin(), result.output.end(), drawn.png.begin(),
                   [](char c) { return static_cast<std::byte>(c); });
  } catch (const Error& error) {
    drawn.problem = fmt::format("no chart: {}", error.what());
  }
  return drawn;
}

}  // namespace apsis

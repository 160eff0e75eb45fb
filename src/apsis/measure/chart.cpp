// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/programs.hpp>
#include <apsis/measure/chart.hpp>
#include <apsis/measure/chart_axis.hpp>
#include <apsis/measure/chart_series.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

namespace apsis {
namespace {

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
  // an end that was asked for stays where it is
  if (name == 'y') {
    text += fmt::format("set offsets 0,0,{},{}\n", axis.high ? "0" : "graph 0.05",
                        axis.low ? "0" : "graph 0.05");
  }
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

// Where the plots end and the key begins, as a share of the width: names must not run into plots.
double key_begin(const Chart& chart) {
  constexpr double letter = 11, sample = 100;  // pixels
  std::size_t longest = 0;
  for (const Panel& panel : chart.panels) {
    for (const Series& series : panel.series) longest = std::max(longest, letters_of(series.name));
  }
  const double needed = letter * static_cast<double>(longest) + sample;
  return std::clamp(1 - needed / chart.width, 0.5, longest == 0 ? 0.97 : 0.84);
}

// One of several panels side by side, in pixels: names of axes and numbers need as much.
struct Cell {
  static constexpr double left = 125, right = 25, below = 78, above = 12;
  double x, width;        // of all of it
  double bottom, height;  // of what the axes enclose
  double plot_width() const { return width - left - right; }
};

// The same length along both axes is the same number of pixels: the axis that has more room shows
// more.
void scale_equally(Panel& panel, const Cell& cell) {
  if (!panel.x.low || !panel.x.high || !panel.y.low || !panel.y.high) return;
  const double wide = *panel.x.high - *panel.x.low, high = *panel.y.high - *panel.y.low;
  const double scale = std::max(wide / cell.plot_width(), high / cell.height);
  const auto widen = [](Axis& axis, double width) {
    const double middle = *axis.low / 2 + *axis.high / 2;
    axis.low = middle - width / 2, axis.high = middle + width / 2;
  };
  widen(panel.x, scale * cell.plot_width());
  widen(panel.y, scale * cell.height);
}

std::string stacked(const Chart& chart, double title_room) {
  double heights = 0;
  for (const Panel& panel : chart.panels) heights += panel.height;
  std::string text;
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
    text += "unset label 1\nunset label 3\n";
  }
  return text;
}

// Round values for a narrow panel, where gnuplot would write more than find room.
void mark_few(Axis& axis) {
  if (axis.logarithmic || !axis.low || !axis.high || !axis.names.empty()) return;
  axis.ticks = linear_ticks(*axis.low, *axis.high);
}

std::string side_by_side(const Chart& chart, double title_room) {
  const double width = chart.width, height = chart.height;
  const double cell_width = width / static_cast<double>(chart.panels.size());
  const SharedKey key = shared_key(chart);
  const double bottom = Cell::below + key.height;
  std::string text = key.commands;
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    Panel panel = chart.panels[i];
    const Cell cell{cell_width * static_cast<double>(i), cell_width, bottom,
                    height * (1 - title_room) - bottom - Cell::above};
    panel.x = completed(panel.x, panel.series, &Series::x);
    panel.y = completed(panel.y, panel.series, &Series::y);
    if (panel.equal_scale) scale_equally(panel, cell);
    mark_few(panel.x);
    if (panel.equal_scale) mark_few(panel.y);
    text += fmt::format(
        "set lmargin at screen {:.4f}\nset rmargin at screen {:.4f}\n"
        "set bmargin at screen {:.4f}\nset tmargin at screen {:.4f}\n",
        (cell.x + Cell::left) / width, (cell.x + cell.width - Cell::right) / width,
        cell.bottom / height, (cell.bottom + cell.height) / height);
    for (Series& series : panel.series) series.name.clear();
    text += axis_commands('x', panel.x, true) + axis_commands('y', panel.y, true);
    text += plot_command(panel, i);
    if (i == 0) text += "unset label\nunset arrow\n";
  }
  return text;
}

// What is the same to gnuplot, letters of 15 and markers of 1, has other sizes in each format.
struct Terminal {
  std::string_view ending, command, begins;
  const char* font;
  int letter, title_letter;
  double marker;
};

const Terminal& terminal_of(ChartFormat format) {
  static const std::array<Terminal, 3> terminals{{
      {".png", "pngcairo size {0},{1} enhanced background rgb 'white'", "\x89PNG", "Sans", 15, 19,
       1},
      {".pdf", "pdfcairo size {2:.4f}in,{3:.4f}in enhanced background rgb 'white'", "%PDF-", "Sans",
       15, 19, 0.6},
      // a browser knows no font named Sans
      {".svg", "svg size {0},{1} enhanced background rgb 'white'", "<?xml", "sans-serif", 19, 24,
       0.6},
  }};
  return terminals[static_cast<std::size_t>(format)];
}

}  // namespace

std::string gnuplot_script(const Chart& chart, ChartFormat format) {
  // room for the title, then panels from the top
  const double title_room = chart.subtitle.empty() ? 0.06 : 0.095;
  const Terminal& terminal = terminal_of(format);
  constexpr double pixels_in_an_inch = 144;  // of PDF, where letters of 15 have half of 15 points
  std::string text =
      "set terminal " +
      fmt::format(fmt::runtime(terminal.command), chart.width, chart.height,
                  chart.width / pixels_in_an_inch, chart.height / pixels_in_an_inch) +
      fmt::format(" font '{},{}'\nmarker = {}\n", terminal.font, terminal.letter, terminal.marker) +
      "set encoding utf8\nset border 3 lw 1.2 lc rgb '#333333'\n"
      "set grid lt 1 lw 1 lc rgb '#DDDDDD'\nset key outside right top tc rgb '#222222' samplen 2\n"
      "set boxwidth 0.7\nset clip two\nset multiplot\n";
  text += fmt::format(
      "set label 1 {} at screen 0.5,0.97 center noenhanced font '{},{}' tc rgb '#111111'\n",
      in_quotes(chart.title), terminal.font, terminal.title_letter);
  if (!chart.subtitle.empty()) {
    text += fmt::format("set label 3 {} at screen 0.5,0.93 center noenhanced tc rgb '#555555'\n",
                        in_quotes(chart.subtitle));
  }
  text += chart.side_by_side ? side_by_side(chart, title_room) : stacked(chart, title_room);
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
  add(markers, {.look = Series::Look::points, .colour = chart_black}, &Series::marker);
}

double beside(std::size_t name, std::size_t marker, std::size_t markers) {
  const double step = std::min(0.12, 0.6 / static_cast<double>(std::max<std::size_t>(markers, 1)));
  return static_cast<double>(name) +
         step * (static_cast<double>(marker) - 0.5 * (static_cast<double>(markers) - 1));
}

ChartFormat chart_format(const std::filesystem::path& path) {
  for (const ChartFormat format : {ChartFormat::png, ChartFormat::pdf, ChartFormat::svg}) {
    if (path.extension() == terminal_of(format).ending) return format;
  }
  throw Error(ExitCode::wrong_usage, fmt::format("{} is no name of a chart", path.string()),
              "let it end in .png, .pdf or .svg");
}

DrawnChart draw(const Chart& chart, ChartFormat format) {
  DrawnChart drawn;
  const auto gnuplot = find_program("gnuplot");
  if (!gnuplot) {
    drawn.problem = "no chart: gnuplot is not installed (apt install gnuplot-nox)";
    return drawn;
  }
  try {
    const std::string arguments[] = {gnuplot->string(), "-"};
    const ProgramResult result = run_program(arguments, gnuplot_script(chart, format));
    if (result.exit_status != 0 || !result.output.starts_with(terminal_of(format).begins)) {
      const std::string reason = result.errors.substr(0, result.errors.find_first_of("\r\n", 1));
      drawn.problem = fmt::format("no chart: gnuplot ended with {}: {}", result.exit_status,
                                  reason.empty() ? "it drew nothing" : reason);
      return drawn;
    }
    const auto bytes = std::as_bytes(std::span(result.output));
    drawn.picture.assign(bytes.begin(), bytes.end());
  } catch (const Error& error) {
    drawn.problem = fmt::format("no chart: {}", error.what());
  }
  return drawn;
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
// Charts by gnuplot, run as a program: panels stacked over each other or side by side, any number
// of series, dark on white and legible from the last row. Colours are told apart by readers of any
// eyesight (Okabe and Ito 2008).
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

struct Series {
  // spans: beams from x to `until`, at the height y; dots: small, for thousands; circles of
  // `radius`
  enum class Look { lines, points, lines_and_points, bars, spans, dots, circles };

  std::string name;  // empty: not in the key
  std::vector<double> x, y;
  Look look = Look::lines;
  bool dashed = false;
  std::vector<double> until = {};  // of spans alone
  // One of twelve, and one of eight, so that series may share them; else its own.
  std::optional<std::size_t> colour = {}, marker = {};
  std::vector<double> spread = {};  // of each y, drawn as bars up and down; empty: none
  bool key_only = false;            // a name in the key that others share, and no points
  double width = 2.5;               // of lines: a wide one is seen under a thin one
  std::vector<double> radius = {};  // of circles, as long along x
  bool gaps = false;                // a line ends at what is no number, and the next one begins
};

struct Axis {
  std::string label;
  bool logarithmic = false;  // values that are not above 0 are left out
  std::optional<double> low, high;
  std::vector<std::string> names;  // of the values 0, 1, 2 ... instead of numbers, for bars
  struct Tick {
    double at;
    std::string label;
    bool minor = false;  // a short one, without a line across the panel
  };
  std::vector<Tick> ticks;  // marked instead of what gnuplot would mark
};

struct Panel {
  Axis x, y;
  std::vector<Series> series;
  double height = 1;         // relative to the other panels, where they are stacked
  bool equal_scale = false;  // side by side alone, with all four ends of the axes given
};

// A key of two parts instead of a name for every series: what colours stand for, and what markers.
// `colours` and `markers` are names by number, empty ones left out; so is a single one.
void add_shared_key(Panel& panel, const std::vector<std::string>& colours,
                    const std::vector<std::string>& markers);

// Where the one of `markers` stands about a name of the axis, so that none hides another.
double beside(std::size_t name, std::size_t marker, std::size_t markers);

struct Chart {
  std::string title;
  std::vector<Panel> panels;
  int width = 1280, height = 800;  // pixels
  std::string subtitle = {};       // smaller, below the title
  bool side_by_side = false;       // keys are then below the panels
};

enum class ChartFormat { png, pdf, svg };

// By the ending of a file's name; wrong_usage names those that there are.
ChartFormat chart_format(const std::filesystem::path& path);

// What gnuplot is told; the data are part of it.
std::string gnuplot_script(const Chart& chart, ChartFormat format = ChartFormat::png);

struct DrawnChart {
  std::vector<std::byte> picture;
  std::string problem;  // why there is no picture, with what to do; empty when there is one
};

// Never throws for a missing or failing gnuplot: a chart is not worth a run.
DrawnChart draw(const Chart& chart, ChartFormat format = ChartFormat::png);

}  // namespace apsis

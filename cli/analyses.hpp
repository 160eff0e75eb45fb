// SPDX-License-Identifier: MIT
// What `apsis analyse` shows, analysis by analysis.
#pragma once

#include "figures.hpp"
#include <apsis/analysis/tables.hpp>
#include <apsis/measure/analysis_plot.hpp>

#include <string>

namespace apsis::cli {

struct AnalyseOptions {
  std::string state, centre = "density";
  analysis::TableChoice choice;  // but for its centre, which is a word here
  std::string members, plot;
  bool csv = false, json = false, force = false;

  FiguresAs as() const { return json ? FiguresAs::json : csv ? FiguresAs::csv : FiguresAs::table; }
};

analysis::TableChoice choice_of(const AnalyseOptions& options);

// `plot` gets what a chart needs beside the figures; nullptr where there is to be none.
Figures lagrangian_of(const AnalyseOptions& options, PlotSource* plot);
Figures centre_of(const AnalyseOptions& options, PlotSource* plot);
Figures profile_of(const AnalyseOptions& options, PlotSource* plot);
Figures bound_of(const AnalyseOptions& options, PlotSource* plot);
Figures groups_of(const AnalyseOptions& options, PlotSource* plot);
Figures orbits_of(const AnalyseOptions& options, PlotSource* plot);

}  // namespace apsis::cli

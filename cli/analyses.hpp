// SPDX-License-Identifier: MIT
// What `apsis analyse` shows, analysis by analysis.
#pragma once

#include "figures.hpp"
#include <apsis/analysis/tables.hpp>

#include <string>

namespace apsis::cli {

struct AnalyseOptions {
  std::string state, centre = "density";
  analysis::TableChoice choice;  // but for its centre, which is a word here
  std::string members;
  bool csv = false, json = false, force = false;

  FiguresAs as() const { return json ? FiguresAs::json : csv ? FiguresAs::csv : FiguresAs::table; }
};

Figures lagrangian_of(const AnalyseOptions& options);
Figures centre_of(const AnalyseOptions& options);
Figures profile_of(const AnalyseOptions& options);
Figures bound_of(const AnalyseOptions& options);
Figures groups_of(const AnalyseOptions& options);
Figures orbits_of(const AnalyseOptions& options);

}  // namespace apsis::cli

// SPDX-License-Identifier: MIT
// What `apsis analyse` shows, analysis by analysis.
#pragma once

#include "figures.hpp"
#include <apsis/analysis/profile.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apsis::cli {

struct AnalyseOptions {
  std::string state, centre = "density";
  std::vector<double> shares{0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9};
  analysis::ShellChoice shells;
  std::optional<double> linking_length;
  std::size_t least = 20;
  std::string members;
  std::optional<std::uint64_t> about;
  int threads = 0;
  bool csv = false, json = false, force = false;

  FiguresAs as() const { return json ? FiguresAs::json : csv ? FiguresAs::csv : FiguresAs::table; }
};

inline const std::vector<std::string> centre_names{"density", "sphere", "mass", "origin"};

Figures lagrangian_of(const AnalyseOptions& options);
Figures centre_of(const AnalyseOptions& options);
Figures profile_of(const AnalyseOptions& options);
Figures bound_of(const AnalyseOptions& options);
Figures groups_of(const AnalyseOptions& options);
Figures orbits_of(const AnalyseOptions& options);

}  // namespace apsis::cli

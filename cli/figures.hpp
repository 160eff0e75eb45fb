// SPDX-License-Identifier: MIT
// Figures of an analysis as a table for people, CSV or JSON.
#pragma once

#include <apsis/analysis/tables.hpp>

#include <string>
#include <utility>
#include <vector>

namespace apsis::cli {

using analysis::Figure;

struct Figures {
  std::string analysis;
  std::vector<std::pair<std::string, Figure>> about;  // what holds for all rows
  std::vector<std::string> columns;
  std::vector<analysis::Row> rows;
};

enum class FiguresAs { table, csv, json };

// Tables are cut after `most_rows`, and say so; files are not.
inline constexpr std::size_t most_rows = 60;
std::string text_of(const Figures& figures, FiguresAs as);

}  // namespace apsis::cli

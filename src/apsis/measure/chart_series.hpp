// SPDX-License-Identifier: MIT
// Series as gnuplot is told them: their data, and how they are drawn.
#pragma once

#include <apsis/measure/chart.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace apsis {

// Of the palette: for what has no colour.
inline constexpr std::size_t chart_black = 11;

// A gnuplot string without escapes (used with `noenhanced`, so ^ and _ are letters).
std::string in_quotes(std::string_view text);

// The data of a panel's series and the command that draws them. A panel in which nothing can be
// drawn says so, for gnuplot would fail.
std::string plot_command(const Panel& panel, std::size_t panel_index);

// Of text in UTF-8.
std::size_t letters_of(std::string_view text);

// The key of panels that stand side by side: below all of them, each name once.
struct SharedKey {
  std::string commands;
  double height = 0;  // pixels
};
SharedKey shared_key(const Chart& chart);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// Aligned columns on stdout: numbers to the right, words to the left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace apsis::cli {

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

// In characters, not bytes, so that ± and ² stay in line.
inline std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

// "12", "-1.5e-06", "0.1*" and the empty cell.
inline bool looks_numeric(const std::string& cell) {
  if (cell.empty() || cell == "inf" || cell == "nan") return true;
  const std::size_t sign = cell[0] == '-' || cell[0] == '+' ? 1 : 0;
  return cell.find_first_of("0123456789") == sign;
}

// Lines with an end each; two spaces between columns, none behind the last.
inline std::string aligned(const Table& table) {
  const std::size_t columns = table.header.size();
  std::vector<std::size_t> widths(columns);
  std::vector<bool> right(columns, true);
  for (std::size_t c = 0; c < columns; ++c) {
    widths[c] = width_of(table.header[c]);
    for (const auto& row : table.rows) {
      if (c >= row.size()) continue;
      widths[c] = std::max(widths[c], width_of(row[c]));
      right[c] = right[c] && looks_numeric(row[c]);
    }
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t c = 0; c < std::min(columns, cells.size()); ++c) {
      const std::string space(widths[c] - width_of(cells[c]), ' ');
      text += (c == 0 ? "" : "  ") + (right[c] ? space + cells[c] : cells[c] + space);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = line(table.header);
  for (const auto& row : table.rows) text += line(row);
  return text;
}

}  // namespace apsis::cli

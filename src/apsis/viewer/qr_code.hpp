// SPDX-License-Identifier: MIT
// Links as QR codes, for the camera of a phone, in half blocks of a terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace apsis::viewer {

struct QrCode {
  int side = 0;            // modules
  std::vector<bool> dark;  // row by row
  bool is_dark(int row, int column) const {
    const bool inside = row >= 0 && column >= 0 && row < side && column < side;
    return inside && dark[static_cast<std::size_t>(row * side + column)];
  }
};

// Whether this build can make any; it needs libqrencode.
bool qr_built_in();
// Nothing where it is not built in, or where the text is too long for one.
std::optional<QrCode> qr_code(const std::string& text);

// Light modules around it, which cameras need.
inline constexpr int qr_margin = 4;
inline int qr_columns(const QrCode& code) { return code.side + 2 * qr_margin; }

// Two rows of modules a line. Light modules are drawn, so that it is right on a dark terminal; with
// `colour` it is on any.
std::string in_half_blocks(const QrCode& code, bool colour);

}  // namespace apsis::viewer

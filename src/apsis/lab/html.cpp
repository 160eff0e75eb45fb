// SPDX-License-Identifier: MIT
#include <apsis/core/printable.hpp>
#include <apsis/lab/html.hpp>

namespace apsis::lab {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text, Lines::several)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace apsis::lab

// SPDX-License-Identifier: MIT
#include <apsis/core/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace apsis {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: no character of UTF-8 begins here
};

Character character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = first & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < least[bytes] || code > 0x10ffff || surrogate ? Character{} : Character{code, bytes};
}

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

bool turns_direction(std::uint32_t code) {
  return code == 0x200e || code == 0x200f || code == 0x61c || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text, Lines lines) {
  std::string out;
  const auto end = std::back_inserter(out);
  while (!text.empty()) {
    const auto [code, bytes] = character_at(text);
    const bool breaks = lines == Lines::several && (code == '\n' || code == '\t');
    if (bytes == 0) {
      fmt::format_to(end, "\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (turns_direction(code) || (code >= 0x80 && is_control(code))) {
      fmt::format_to(end, "\\u{:04x}", code);
    } else if (is_control(code) && !breaks) {
      fmt::format_to(end, "\\x{:02x}", code);
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return out;
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/core/counted.hpp>

#include <fmt/format.h>

namespace apsis {

std::string plural(std::string_view one, bool many) {
  if (!many || one.empty()) return std::string(one);
  constexpr std::string_view vowels = "aeiou";
  const bool changes_y = one.size() > 1 && one.ends_with('y') &&
                         vowels.find(one[one.size() - 2]) == std::string_view::npos;
  if (changes_y) return fmt::format("{}ies", one.substr(0, one.size() - 1));
  const bool hisses = one.ends_with('s') || one.ends_with('x') || one.ends_with("ch");
  return fmt::format("{}{}", one, hisses ? "es" : "s");
}

std::string counted(std::uint64_t count, std::string_view one) {
  return fmt::format("{} {}", count, plural(one, count != 1));
}

}  // namespace apsis

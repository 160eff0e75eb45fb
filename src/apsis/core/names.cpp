// SPDX-License-Identifier: MIT
#include <apsis/core/names.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace apsis {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1])) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest_name(std::string_view word, std::span<const std::string> candidates) {
  if (word.size() > 64) return {};  // not a misspelt word
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, (word.size() + 2) / 3) + 1;
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) best = candidate, best_distance = distance;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string nearest = nearest_name(word, candidates);
  return nearest.empty() ? std::string{} : fmt::format(" (did you mean '{}'?)", nearest);
}

std::string list_of(std::span<const std::string> words) {
  if (words.empty()) return {};
  if (words.size() == 1) return words.front();
  return fmt::format("{} or {}", fmt::join(words.first(words.size() - 1), ", "), words.back());
}

}  // namespace apsis

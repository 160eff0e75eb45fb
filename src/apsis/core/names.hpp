// SPDX-License-Identifier: MIT
// Words that people type: the nearest known word for a wrong one, and lists for messages.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apsis {

// The candidate with the fewest edits (Damerau-Levenshtein, no case), or "" when none is near
// enough to be what was meant (more than about a third of the letters differ).
std::string nearest_name(std::string_view word, std::span<const std::string> candidates);

// " (did you mean 'leapfrog'?)" or "".
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

// "a, b or c"
std::string list_of(std::span<const std::string> words);

}  // namespace apsis

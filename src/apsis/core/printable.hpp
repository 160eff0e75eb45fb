// SPDX-License-Identifier: MIT
// Texts of others on this person's terminal: a file must not move its cursor, change its title or
// hide what stands beside it.
#pragma once

#include <string>
#include <string_view>

namespace apsis {

enum class Lines { one, several };  // whether line breaks and tabs stay

// Control characters, bytes that are not UTF-8, and marks that turn the direction of writing as
// \x1b and \u202e. All else stays.
std::string printable(std::string_view text, Lines lines = Lines::one);

}  // namespace apsis

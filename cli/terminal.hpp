// SPDX-License-Identifier: MIT
// Talk to the person: what may be coloured or redrawn, and lines that never fail a command.
#pragma once

#include <apsis/core/printable.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <utility>

namespace apsis::cli {

bool is_terminal(std::FILE* stream);
// A terminal, and neither NO_COLOR nor TERM=dumb forbids it.
bool has_colour(std::FILE* stream);
// Columns of the terminal, 80 where that is unknown.
int columns(std::FILE* stream);

// Diagnostics go to stderr; a reader that went away must not end a run, so failures are ignored.
void say_text(std::string_view text);
// Lines of it; what files and names of others bring along is shown and not obeyed.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  say_text(printable(fmt::format(format, std::forward<Args>(args)...), Lines::several) + "\n");
}

}  // namespace apsis::cli

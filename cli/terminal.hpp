// SPDX-License-Identifier: MIT
// Talk to the person: how much of it, what may be coloured or redrawn, and lines that never fail a
// command.
#pragma once

#include <apsis/core/printable.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace apsis::cli {

enum class Talk { quiet, usual, verbose };
enum class Colour { never, automatic, always };

// What the options of a command said; for the whole process.
void set_talk(Talk talk);
Talk talk();
void set_colour(Colour colour);

// --color for every command.
void add_colour_option(CLI::App& command);
// -q and -v; `quiet` says what the command then does, `verbose` what more it says (empty: nothing).
void add_talk_options(CLI::App& command, const std::string& quiet, const std::string& verbose);
// What `verbose` is for commands that run kernels and choose nothing: main.cpp says it at their
// end.
inline constexpr const char* more_of_kernels =
    "Also say which kernels were built, for which device and how long it took, or that the cache "
    "had them; on stderr";

bool is_terminal(std::FILE* stream);
// A terminal where a line can be drawn again.
bool can_redraw(std::FILE* stream);
// As --color says; by itself on a terminal where neither NO_COLOR nor TERM=dumb forbids it.
bool has_colour(std::FILE* stream);
// Columns of the terminal, 80 where that is unknown.
int columns(std::FILE* stream);

// On stdout, where that has colours; otherwise the text as it is.
std::string strong(std::string_view text);
std::string good(std::string_view text);
std::string doubtful(std::string_view text);
std::string bad(std::string_view text);

// Diagnostics go to stderr; a reader that went away must not end a run, so failures are ignored.
void say_text(std::string_view text);
// A line or several, as they are to be read: what files and names of others bring along is shown
// and not obeyed.
void say_lines(std::string_view text);

// Warnings and errors, which --quiet does not silence.
template <class... Args>
void warn(fmt::format_string<Args...> format, Args&&... args) {
  say_lines(fmt::format(format, std::forward<Args>(args)...));
}
// What is good to know.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  if (talk() != Talk::quiet) say_lines(fmt::format(format, std::forward<Args>(args)...));
}
// What only --verbose says.
template <class... Args>
void say_more(fmt::format_string<Args...> format, Args&&... args) {
  if (talk() == Talk::verbose) say_lines(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace apsis::cli

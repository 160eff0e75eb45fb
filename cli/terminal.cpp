// SPDX-License-Identifier: MIT
#include "terminal.hpp"

#include "ranks.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <map>

namespace apsis::cli {
namespace {

Talk talk_wanted = Talk::usual;
Colour colour_wanted = Colour::automatic;

bool is_dumb() {
  const char* term = std::getenv("TERM");
  return term == nullptr || *term == '\0' || std::string_view(term) == "dumb";
}

constexpr const char *bold = "\x1b[1m", *red = "\x1b[1;31m", *yellow = "\x1b[33m",
                     *green = "\x1b[32m", *faint = "\x1b[2m", *plain = "\x1b[0m";

std::string painted(std::string_view text, const char* colour, std::FILE* stream) {
  return has_colour(stream) ? fmt::format("{}{}{}", colour, text, plain) : std::string(text);
}

// The words by which lines on stderr say what they are.
std::string with_colours(std::string_view line) {
  struct Kind {
    std::string_view words;
    const char* colour;
  };
  constexpr Kind kinds[] = {
      {"apsis: error:", red}, {"apsis: warning:", yellow}, {"apsis: note:", faint}};
  for (const auto& [words, colour] : kinds) {
    if (!line.starts_with(words)) continue;
    return painted(words, colour, stderr) + std::string(line.substr(words.size()));
  }
  return std::string(line);
}

}  // namespace

void set_talk(Talk wanted) { talk_wanted = wanted; }
Talk talk() { return talk_wanted; }
void set_colour(Colour wanted) { colour_wanted = wanted; }

void add_colour_option(CLI::App& command) {
  static const std::map<std::string, Colour> words{
      {"auto", Colour::automatic}, {"always", Colour::always}, {"never", Colour::never}};
  command
      .add_option_function<std::string>(
          "--color,--colour", [](const std::string& word) { set_colour(words.at(word)); },
          "Colours: auto is on a terminal, unless NO_COLOR is set or TERM is dumb")
      ->check(CLI::IsMember(words))
      ->type_name("auto|always|never")
      ->group("Terminal");
}

void add_talk_options(CLI::App& command, const std::string& quiet, const std::string& verbose) {
  CLI::Option* less = command.add_flag_callback(
      "-q,--quiet", [] { set_talk(Talk::quiet); }, quiet);
  less->group("Terminal");
  if (verbose.empty()) return;
  command
      .add_flag_callback(
          "-v,--verbose", [] { set_talk(Talk::verbose); }, verbose)
      ->excludes(less)
      ->group("Terminal");
}

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }
bool can_redraw(std::FILE* stream) { return is_terminal(stream) && !is_dumb(); }

bool has_colour(std::FILE* stream) {
  if (colour_wanted != Colour::automatic) return colour_wanted == Colour::always;
  const char* no_colour = std::getenv("NO_COLOR");
  const bool forbidden = no_colour != nullptr && *no_colour != '\0';
  // a launcher of ranks gives them terminals of its own, also where what they say goes into a file
  return !forbidden && !launch().by_launcher && can_redraw(stream);
}

int columns(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::string strong(std::string_view text) { return painted(text, bold, stdout); }
std::string good(std::string_view text) { return painted(text, green, stdout); }
std::string doubtful(std::string_view text) { return painted(text, yellow, stdout); }
std::string bad(std::string_view text) { return painted(text, red, stdout); }

void say_text(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void say_lines(std::string_view text) {
  say_text(with_colours(printable(text, Lines::several)) + "\n");
}

}  // namespace apsis::cli

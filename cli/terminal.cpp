// SPDX-License-Identifier: MIT
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace apsis::cli {

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

bool has_colour(std::FILE* stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool forbidden = no_colour != nullptr && *no_colour != '\0';
  const bool dumb = term == nullptr || std::string_view(term) == "dumb";
  return is_terminal(stream) && !forbidden && !dumb;
}

int columns(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

void say_text(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace apsis::cli

// SPDX-License-Identifier: MIT
#include "picture.hpp"

#include "terminal.hpp"
#include <apsis/files/file.hpp>

namespace apsis::cli {

void draw_picture(const Chart& chart, const char* file) {
  const DrawnChart drawn = draw(chart);
  if (!drawn.problem.empty()) {
    warn("no {}: {}", file, drawn.problem);
    return;
  }
  write_atomically(file, drawn.png);
  say("drawn in {}", file);
}

}  // namespace apsis::cli

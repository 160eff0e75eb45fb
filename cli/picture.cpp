// SPDX-License-Identifier: MIT
#include "picture.hpp"

#include "terminal.hpp"
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/programs.hpp>

namespace apsis::cli {

void draw_picture(const Chart& chart, const char* file) {
  const DrawnChart drawn = draw(chart);
  if (!drawn.problem.empty()) {
    warn("no {}: {}", file, drawn.problem);
    return;
  }
  write_atomically(file, drawn.picture);
  say("drawn in {}", file);
}

void require_gnuplot() {
  if (find_program("gnuplot")) return;
  throw Error(ExitCode::unavailable, "gnuplot, which draws charts, was not found",
              "install it (apt-get install gnuplot-nox), or leave --plot out");
}

void write_chart(const Chart& chart, const std::string& file) {
  const DrawnChart drawn = draw(chart, chart_format(file));
  if (!drawn.problem.empty()) {
    throw Error(ExitCode::unavailable, fmt::format("{}: {}", file, drawn.problem),
                "leave --plot out to have the figures alone");
  }
  write_atomically(file, drawn.picture);
  say("{}: drawn", file);
}

}  // namespace apsis::cli

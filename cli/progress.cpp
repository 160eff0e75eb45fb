// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include "terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace apsis::cli {
namespace {

std::string bar(double share, int width) {
  // eighths of a cell, so that slow runs are seen to move
  static constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * width * 8);
  std::string out;
  for (int cell = 0; cell < filled / 8; ++cell) out += "█";
  int used = filled / 8;
  if (filled % 8 != 0) out += eighths[filled % 8], ++used;
  return out + std::string(static_cast<std::size_t>(width - used), ' ');
}

struct Figure {
  std::string text;
  int importance;  // those with the least are left out first
};

std::vector<Figure> figures_of(const Progress& p, double share) {
  std::vector<Figure> figures{
      {fmt::format("{:3.0f} %", 100 * share), 6},
      {fmt::format("step {}/{}", p.step, p.last_step), 4},
      {fmt::format("{} steps/s", short_rate(p.steps_per_second)), 2},
      {interaction_rate("", p.interactions_per_second), 1},
      {fmt::format("dE/E {}", p.energy_error ? fmt::format("{:.1e}", *p.energy_error) : "?"), 3},
      {fmt::format("ETA {}", short_duration(p.seconds_left)), 5}};
  std::erase_if(figures, [](const Figure& figure) { return figure.text.empty(); });
  return figures;
}

std::string line_of(const std::vector<Figure>& figures) {
  std::string line;
  for (const Figure& figure : figures) line += (line.empty() ? "" : "  ") + figure.text;
  return line;
}

// Whole figures, as many as there is room for; the last column stays free, where terminals wrap.
std::string fitting(std::vector<Figure> figures, int width) {
  std::string line = line_of(figures);
  while (width > 0 && static_cast<int>(line.size()) > width - 1 && figures.size() > 1) {
    figures.erase(std::ranges::min_element(figures, {}, &Figure::importance));
    line = line_of(figures);
  }
  return width > 0 ? line.substr(0, static_cast<std::size_t>(width - 1)) : line;
}

}  // namespace

std::string short_duration(double seconds) {
  if (!(seconds < 1e9)) return "?";
  const auto s = static_cast<std::int64_t>(std::llround(seconds));
  if (s >= 86400) return fmt::format("{} d {:02} h", s / 86400, s % 86400 / 3600);
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s % 3600 / 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string short_rate(double per_second) {
  if (per_second >= 1e5) return fmt::format("{:.2e}", per_second);
  if (per_second >= 100) return fmt::format("{:.0f}", per_second);
  return fmt::format("{:.3g}", per_second);
}

std::string interaction_rate(const char* gap, double per_second) {
  return per_second > 0 ? fmt::format("{}{} interactions/s", gap, short_rate(per_second)) : "";
}

std::string progress_text(const Progress& p, int width) {
  const double share =
      p.last_step > 0 ? static_cast<double>(p.step) / static_cast<double>(p.last_step) : 1;
  const std::string figures = fitting(figures_of(p, share), width);
  const int room = width - 1 - static_cast<int>(figures.size()) - 3;
  if (width > 0 && room >= 8) {
    return fmt::format("│{}│ {}", bar(share, std::min(room, 40)), figures);
  }
  return figures;
}

ProgressLine::ProgressLine()
    : redraws_(can_redraw(stderr)), last_(std::chrono::steady_clock::now()) {}

void ProgressLine::show(const Progress& progress) {
  if (talk() == Talk::quiet) return;
  if (redraws_) {
    say_text(fmt::format("\r\x1b[K{}", progress_text(progress, columns(stderr))));
    shown_ = true;
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::seconds(10)) return;
  last_ = now;
  say_text(progress_text(progress, 0) + "\n");
}

void ProgressLine::end() {
  if (shown_) say_text("\n");
  shown_ = false;
}

}  // namespace apsis::cli

// SPDX-License-Identifier: MIT
#include "lab_printer.hpp"

#include "table.hpp"
#include "terminal.hpp"
#include <apsis/lab/comparison.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

namespace apsis::cli {
namespace {

using lab::Column;
using lab::Look;

std::size_t usual_text_width(std::string_view key) {
  constexpr std::pair<std::string_view, std::size_t> widths[] = {{"device", 14}, {"variant", 16},
                                                                 {"what", 21},   {"integrator", 16},
                                                                 {"shape", 13},  {"scheme", 16}};
  for (const auto& [name, width] : widths) {
    if (name == key) return width;
  }
  return 6;
}

// Rows are printed when they are known, so widths are those that usual contents need.
std::size_t usual_width(const Column& column) {
  std::size_t contents = 0;
  switch (column.look) {
    case Look::text:
      contents = usual_text_width(column.key);
      break;
    case Look::whole:
      contents = 7;
      break;
    case Look::seconds:
    case Look::rate:
      contents = 8;
      break;
    case Look::ratio:
    case Look::error:
      contents = 7;
      break;
  }
  return std::max(contents, width_of(column.label));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t used = width_of(text);
  const std::string space(width > used ? width - used : 0, ' ');
  return right ? space + text : text + space;
}

// Lines of at most `width` columns, each behind the first with an indent.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  std::string out, line = indent;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (line.size() > indent.size() && width_of(line) + 1 + width_of(word) > width) {
      out += line + "\n";
      line = indent;
    }
    line += (line.size() > indent.size() ? " " : "") + word;
    at = end + 1;
  }
  return out + line + "\n";
}

}  // namespace

LabPrinter::LabPrinter(bool quiet)
    : quiet_(quiet || talk() == Talk::quiet),
      redraws_(can_redraw(stderr) && talk() != Talk::quiet) {}

void LabPrinter::begin(const lab::Lesson& lesson) {
  if (quiet_) return;
  fmt::print("{}\n", strong(fmt::format("== {}: {}", lesson.name, lesson.summary)));
  std::fflush(stdout);
}

lab::LabListener LabPrinter::listener(std::function<bool()> stop_requested) {
  return {.row_added = [this](const lab::ResultTable& table) { print_row(table); },
          .measuring = [this](const std::string& what) { show(what); },
          .notice =
              [this](const std::string& text) {
                show("");
                say("{}", text);
              },
          .stop_requested = std::move(stop_requested)};
}

// One line that is redrawn, on a terminal only.
void LabPrinter::show(const std::string& what) {
  if (!redraws_) return;
  const auto width = static_cast<std::size_t>(std::max(1, columns(stderr) - 1));
  say_text("\r\x1b[K" + (what.empty() ? "" : ("measuring " + what).substr(0, width)));
}

void LabPrinter::print_header(const lab::ResultTable& table) {
  fmt::print("\n{}\n", table.title());
  widths_.clear();
  std::string line;
  for (const Column& column : table.columns()) {
    widths_.push_back(usual_width(column));
    if (column.label.empty()) continue;
    line += (line.empty() ? "" : "  ") +
            padded(column.label, widths_.back(), column.look != Look::text);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  fmt::print("{}\n", strong(line));
}

void LabPrinter::print_row(const lab::ResultTable& table) {
  const auto is_printed = [](const Column& column) { return !column.label.empty(); };
  if (quiet_ || std::ranges::none_of(table.columns(), is_printed)) return;
  show("");
  if (std::exchange(table_, table.name()) != table.name()) print_header(table);
  const auto& cells = table.cells().back();
  std::string line;
  bool first = true;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const Column& column = table.columns()[c];
    if (column.label.empty()) continue;
    line += (std::exchange(first, false) ? "" : "  ") +
            padded(lab::shown(cells[c], column.look), widths_[c], column.look != Look::text);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  if (lab::is_wrong(table.row(table.size() - 1))) line += "  " + bad("wrong");
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

void LabPrinter::end(const lab::Results& results, const lab::WrittenLesson& written) {
  for (const std::string& problem : written.problems) warn("{}", problem);
  if (quiet_) return;
  fmt::print("\n");
  const auto width = static_cast<std::size_t>(is_terminal(stdout) ? columns(stdout) : 100);
  for (const std::string& sentence : written.findings) {
    std::string text = wrapped(sentence, width, "  ");
    text[0] = '-';
    fmt::print("{}", text);
  }
  if (!results.notices.empty())
    fmt::print("Notice: {}\n", fmt::join(results.notices, "\nNotice: "));
  fmt::print("\n{}/: {}\n\n", written.folder.string(), fmt::join(written.files, ", "));
}

}  // namespace apsis::cli

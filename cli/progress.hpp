// SPDX-License-Identifier: MIT
// The line that shows how a run goes: redrawn in place on a terminal, one line every ten seconds
// elsewhere. On stderr, so that results can be piped.
#pragma once

#include <apsis/run/run.hpp>

#include <chrono>
#include <string>

namespace apsis::cli {

class ProgressLine {
 public:
  ProgressLine();
  void show(const Progress& progress);
  void end();  // leaves the last state standing and starts a new line

 private:
  bool redraws_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

std::string short_duration(double seconds);  // "0:42", "2:03:11", "4 d 07 h"
std::string short_rate(double per_second);   // "3.41e9", "52.3"
// `gap` and "3.41e9 interactions/s"; nothing where pairs are not counted.
std::string interaction_rate(const char* gap, double per_second);

// The line itself in fewer than `width` columns, with those figures that fit as a whole and a bar
// in what is left; 0: all figures, without the bar.
std::string progress_text(const Progress& progress, int width);

}  // namespace apsis::cli

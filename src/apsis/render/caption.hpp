// SPDX-License-Identifier: MIT
// What a picture says about itself: the time below its left edge, a scale bar at its right.
#pragma once

#include <apsis/render/image.hpp>

#include <string>

namespace apsis {

// The largest of 1, 2 and 5 times a power of ten that is not above `limit`; 0 for no such limit.
double round_length(double limit);

// "t = 3.25 Gyr": `digits` behind the point, the unit where it has a name.
std::string time_label(double time, int digits, const std::string& unit);
// Digits behind the point that show three of the longest time.
int time_digits(double longest);

struct Caption {
  std::string text;         // left; empty: none
  double width = 0;         // length seen across the picture; 0: no scale bar
  std::string length_unit;  // behind the bar's length
};

void draw_caption(Image& image, const Caption& caption);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// What a picture says about itself: the time below its left edge, a scale bar at its right; above
// them what is shown, and what its colours mean.
#pragma once

#include <apsis/render/colour_map.hpp>
#include <apsis/render/image.hpp>

#include <string>
#include <vector>

namespace apsis {

// The largest of 1, 2 and 5 times a power of ten that is not above `limit`; 0 for no such limit.
double round_length(double limit);

// "t = 3.25 Gyr": `digits` behind the point, the unit where it has a name; below 0 digits as a
// power of ten, "t = 3.25e-07 s".
std::string time_label(double time, int digits, const std::string& unit);
// Digits behind the point that show three of the longest time; below 0 where that takes too many.
int time_digits(double longest);

// "0.02", "1e6": as short as digits allow.
std::string short_number(double value, int digits = 6);

// The colours from end to end and what they stand for.
struct ColourKey {
  ColourMap map = ColourMap::stars;
  std::string quantity;   // empty: no key
  std::string low, high;  // values at the ends, the last one with its unit
};

struct Caption {
  std::string text;                // left; empty: none
  double width = 0;                // length seen across the picture; 0: no scale bar
  std::string length_unit;         // behind the bar's length
  std::string title;               // upper left
  std::vector<std::string> notes;  // below the title
  ColourKey colours;               // upper right
};

// Never outside the picture: what does not fit into a small one is shortened or left out, the upper
// part first.
void draw_caption(Image& image, const Caption& caption);

// The parts of it, for pictures that put them elsewhere. Capitals of `height` pixels.
// Time and scale bar at the lower edge of [left, left + width), across which `caption.width` is
// seen.
void draw_lower(Image& image, const Caption& caption, int left, int width, double height);
// Title, notes and colours from the top down.
void draw_upper(Image& image, const Caption& caption, double height);

}  // namespace apsis

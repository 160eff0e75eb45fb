// SPDX-License-Identifier: MIT
// A run in a row of frames, each with its label.
#pragma once

#include <apsis/render/caption.hpp>
#include <apsis/render/image.hpp>

#include <span>
#include <string>

namespace apsis {

struct StripStyle {
  int gap = 4;      // pixels between frames
  int columns = 0;  // frames in a row; 0: all in one
};

// Frames must have one size.
Image strip(std::span<const Image> frames, const StripStyle& style = {});

// All in one row. What is shown stands in a band above them; the time of each, one per frame, and
// the scale, once at the right end, in a band below: nothing covers a body.
Image captioned_strip(std::span<const Image> frames, const Caption& caption,
                      std::span<const std::string> times, const StripStyle& style = {});

}  // namespace apsis

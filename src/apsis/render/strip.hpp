// SPDX-License-Identifier: MIT
// A run in a row of frames, each with its label.
#pragma once

#include <apsis/render/image.hpp>

#include <span>
#include <string>

namespace apsis {

struct StripStyle {
  int gap = 4;               // pixels between frames
  int columns = 0;           // frames in a row; 0: all in one
  double label_height = 15;  // of capitals; 0: no labels
};

// Frames must have one size. `labels`: one per frame, or none.
Image strip(std::span<const Image> frames, std::span<const std::string> labels,
            const StripStyle& style = {});

}  // namespace apsis

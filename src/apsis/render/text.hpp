// SPDX-License-Identifier: MIT
// Words on pictures in a stroke font of our own: no font file to find, sharp at any size.
#pragma once

#include <apsis/render/image.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace apsis {

struct TextStyle {
  double height = 16;  // of capital letters, in pixels
  std::array<std::uint8_t, 3> rgb = {205, 214, 230};
  double weight = 0.11;  // thickness of strokes over the height
};

double text_width(std::string_view text, const TextStyle& style);

// `left` and `baseline` in pixels; what lies outside the picture is not drawn. Characters without
// a shape are drawn as a small box.
void draw_text(Image& image, double left, double baseline, std::string_view text,
               const TextStyle& style);

}  // namespace apsis

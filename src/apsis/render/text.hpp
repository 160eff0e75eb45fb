// SPDX-License-Identifier: MIT
// Words on pictures in a stroke font of our own: no font file to find, sharp at any size.
#pragma once

#include <apsis/render/image.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace apsis {

struct TextStyle {
  double height = 16;  // of capital letters, in pixels
  std::array<std::uint8_t, 3> rgb = {205, 214, 230};
  double weight = 0.11;  // thickness of strokes over the height
  double rim = 0;        // of black around strokes, over the height: for words on what is bright
};

double text_width(std::string_view text, const TextStyle& style);
// As much of it as fits into the width, with "..." where something had to go; empty where not even
// a letter fits. Control characters become spaces.
std::string shortened(std::string_view text, const TextStyle& style, double width);

// `left` and `baseline` in pixels; what lies outside the picture is not drawn. Characters without
// a shape are drawn as a small box, one for all bytes of a character in UTF-8.
void draw_text(Image& image, double left, double baseline, std::string_view text,
               const TextStyle& style);

}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/render/strip.hpp>
#include <apsis/render/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace apsis {
namespace {

constexpr std::array<std::uint8_t, 3> gap_colour = {38, 42, 52};

void paste(Image& onto, const Image& frame, int left, int top) {
  for (int row = 0; row < frame.height; ++row) {
    std::copy_n(frame.pixel(0, row), static_cast<std::size_t>(frame.width) * 3,
                onto.pixel(left, top + row));
  }
}

}  // namespace

Image strip(std::span<const Image> frames, std::span<const std::string> labels,
            const StripStyle& style) {
  if (frames.empty()) return {};
  const int width = frames[0].width, height = frames[0].height;
  for (const Image& frame : frames) {
    if (frame.width != width || frame.height != height) {
      throw bad_data(fmt::format("a frame of {} x {} pixels in a strip of {} x {}", frame.width,
                                 frame.height, width, height),
                     "render all frames with one size");
    }
  }
  const int count = static_cast<int>(frames.size());
  const int columns = style.columns > 0 ? std::min(style.columns, count) : count;
  const int rows = (count + columns - 1) / columns;
  Image result(columns * width + (columns - 1) * style.gap, rows * height + (rows - 1) * style.gap);
  for (std::size_t i = 0; i < result.rgb.size(); ++i) result.rgb[i] = gap_colour[i % 3];
  const TextStyle text{.height = style.label_height};
  for (int i = 0; i < count; ++i) {
    const int left = (i % columns) * (width + style.gap),
              top = (i / columns) * (height + style.gap);
    paste(result, frames[i], left, top);
    if (style.label_height > 0 && i < static_cast<int>(labels.size())) {
      draw_text(result, left + style.label_height, top + height - style.label_height, labels[i],
                text);
    }
  }
  return result;
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/render/strip.hpp>

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

Image strip(std::span<const Image> frames, const StripStyle& style) {
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
  for (int i = 0; i < count; ++i) {
    paste(result, frames[i], (i % columns) * (width + style.gap),
          (i / columns) * (height + style.gap));
  }
  return result;
}

Image captioned_strip(std::span<const Image> frames, const Caption& caption,
                      std::span<const std::string> times, const StripStyle& style) {
  const Image row = strip(frames, {.gap = style.gap});
  if (row.width == 0) return {};
  const int width = frames[0].width;
  // a strip is looked at smaller than it is
  const double height = std::max(7.0, frames[0].height / 28.0);
  const int upper =
                static_cast<int>((4.2 + 1.6 * static_cast<double>(caption.notes.size())) * height),
            lower = static_cast<int>(4.4 * height);
  Image result(row.width, upper + row.height + lower);
  paste(result, row, 0, upper);
  draw_upper(result, caption, height);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    Caption own = caption;
    own.text = i < times.size() ? times[i] : "";
    // one scale for all
    own.width = i + 1 == frames.size() ? caption.width : 0;
    draw_lower(result, own, static_cast<int>(i) * (width + style.gap), width, height);
  }
  return result;
}

}  // namespace apsis

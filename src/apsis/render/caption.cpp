// SPDX-License-Identifier: MIT
#include <apsis/render/caption.hpp>
#include <apsis/render/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

void draw_bar(Image& image, int left, int top, int width, int height, const TextStyle& style) {
  for (int row = std::max(0, top); row < std::min(image.height, top + height); ++row) {
    for (int column = std::max(0, left); column < std::min(image.width, left + width); ++column) {
      std::copy(style.rgb.begin(), style.rgb.end(), image.pixel(column, row));
    }
  }
}

void draw_scale(Image& image, const Caption& caption, double margin, const TextStyle& style) {
  const double length = round_length(0.2 * caption.width);
  if (!(length > 0)) return;
  const int pixels = static_cast<int>(std::lround(length / caption.width * image.width));
  const int thickness = std::max(1, static_cast<int>(std::lround(style.height / 8)));
  const int left = image.width - static_cast<int>(margin) - pixels;
  const int top = image.height - static_cast<int>(margin) - thickness;
  draw_bar(image, left, top, pixels, thickness, style);
  for (const int end : {left, left + pixels - thickness}) {
    draw_bar(image, end, top - 3 * thickness, thickness, 3 * thickness, style);
  }
  const std::string text =
      fmt::format("{:g}{}{}", length, caption.length_unit.empty() ? "" : " ", caption.length_unit);
  draw_text(image, left + 0.5 * (pixels - text_width(text, style)), top - 0.8 * style.height, text,
            style);
}

}  // namespace

double round_length(double limit) {
  if (!(limit > 0) || !std::isfinite(limit)) return 0;
  const double power = std::pow(10, std::floor(std::log10(limit)));
  for (const double step : {5.0, 2.0, 1.0}) {
    if (step * power <= limit) return step * power;
  }
  return 0.5 * power;  // rounding of the power itself
}

std::string time_label(double time, int digits, const std::string& unit) {
  return fmt::format("t = {:.{}f}{}{}", time, digits, unit.empty() ? "" : " ", unit);
}

int time_digits(double longest) {
  return longest > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(longest))), 0, 6) : 0;
}

void draw_caption(Image& image, const Caption& caption) {
  // readable on a phone and not loud on a wall
  const TextStyle style{.height = std::max(7.0, image.height / 48.0)};
  const double margin = 1.8 * style.height;
  draw_text(image, margin, image.height - margin, caption.text, style);
  draw_scale(image, caption, margin, style);
}

}  // namespace apsis

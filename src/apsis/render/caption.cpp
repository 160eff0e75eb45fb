// SPDX-License-Identifier: MIT
#include <apsis/render/caption.hpp>
#include <apsis/render/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

constexpr double margin = 1.8;         // of the height of letters, to the edges
constexpr double line_height = 1.9;    // likewise, from line to line
constexpr double gap = 2;              // likewise, between words beside each other
constexpr double smallest_height = 5;  // pixels: below, letters are no longer letters

TextStyle style_of(double height, bool faint = false) {
  TextStyle style{.height = height, .rim = 0.14};
  if (faint) style.rgb = {184, 193, 209};
  return style;
}

// What lies below words is dimmed, so that bright bodies do not swallow them; black stays black.
// [left, right) x [top, bottom) wholly, and less and less around it.
void dim(Image& image, double left, double top, double right, double bottom, double soft) {
  constexpr double most = 0.72;
  const auto within = [](double at, int end) { return std::clamp(static_cast<int>(at), 0, end); };
  for (int row = within(top - soft, image.height); row < within(bottom + soft, image.height);
       ++row) {
    for (int column = within(left - soft, image.width); column < within(right + soft, image.width);
         ++column) {
      const double x = std::max({left - column, column - right, 0.0});
      const double y = std::max({top - row, row - bottom, 0.0});
      const double rest = std::clamp(1 - std::hypot(x, y) / soft, 0.0, 1.0);
      const double keep = 1 - most * rest * rest * (3 - 2 * rest);
      std::uint8_t* pixel = image.pixel(column, row);
      for (int k = 0; k < 3; ++k) pixel[k] = static_cast<std::uint8_t>(keep * pixel[k]);
    }
  }
}

// A line of words on what was dimmed for it.
void dim_line(Image& image, double left, double width, double baseline, double height) {
  if (width > 0) {
    dim(image, left, baseline - height, left + width, baseline + 0.2 * height, height);
  }
}

void draw_bar(Image& image, int left, int top, int width, int height, const TextStyle& style) {
  for (int row = std::max(0, top); row < std::min(image.height, top + height); ++row) {
    for (int column = std::max(0, left); column < std::min(image.width, left + width); ++column) {
      std::copy(style.rgb.begin(), style.rgb.end(), image.pixel(column, row));
    }
  }
}

// Where the bar of a scale stands, with its words above.
struct Scale {
  int left = 0, pixels = 0;
  double words_left = 0, words_width = 0;
  std::string words;

  bool empty() const { return pixels <= 0; }
  double begin() const { return std::min<double>(left, words_left); }
};

// At the right end of [left, left + width), across which the caption's width is seen.
Scale scale_of(const Caption& caption, int left, int width, const TextStyle& style) {
  Scale scale;
  const double length = round_length(0.2 * caption.width);
  if (!(length > 0)) return scale;
  const double right = left + width - margin * style.height;
  scale.pixels = static_cast<int>(std::lround(length / caption.width * width));
  scale.left = static_cast<int>(right) - scale.pixels;
  scale.words =
      short_number(length) + (caption.length_unit.empty() ? "" : " ") + caption.length_unit;
  scale.words_width = text_width(scale.words, style);
  // above the middle of the bar, and not over the edge
  scale.words_left =
      std::min(scale.left + 0.5 * (scale.pixels - scale.words_width), right - scale.words_width);
  if (scale.begin() < left) scale.pixels = 0;
  return scale;
}

void draw_scale(Image& image, const Scale& scale, const TextStyle& style) {
  const int thickness = std::max(1, static_cast<int>(std::lround(style.height / 8)));
  const int top = image.height - static_cast<int>(margin * style.height) - thickness;
  const double height = style.height;
  dim(image, scale.begin(), top - 1.8 * height,
      std::max(scale.left + scale.pixels + 0.0, scale.words_left + scale.words_width),
      top + thickness, height);
  draw_bar(image, scale.left, top, scale.pixels, thickness, style);
  for (const int end : {scale.left, scale.left + scale.pixels - thickness}) {
    draw_bar(image, end, top - 3 * thickness, thickness, 3 * thickness, style);
  }
  draw_text(image, scale.words_left, top - 0.8 * style.height, scale.words, style);
}

// "speed 0.1 ▆▆▆▆▆ 2.3 km/s": how wide it is, and at `right` how it looks.
double key_width(const ColourKey& key, const TextStyle& style) {
  return text_width(key.quantity, style) + text_width(key.low, style) +
         text_width(key.high, style) + 10 * style.height;
}

void draw_colours(Image& image, const ColourKey& key, double right, double baseline,
                  const TextStyle& style) {
  const double height = style.height;
  double left = right - key_width(key, style);
  dim_line(image, left, right - left, baseline, height);
  draw_text(image, left, baseline, key.quantity, style);
  left += text_width(key.quantity, style) + 1.5 * height;
  draw_text(image, left, baseline, key.low, style);
  left += text_width(key.low, style) + 0.75 * height;
  const int first = static_cast<int>(std::lround(left)),
            last = static_cast<int>(std::lround(left + 7 * height));
  const int top = static_cast<int>(std::lround(baseline - height)),
            bottom = static_cast<int>(std::lround(baseline));
  for (int column = std::max(0, first); column < std::min(image.width, last); ++column) {
    const double place = last - first > 1 ? 1.0 * (column - first) / (last - first - 1) : 0.5;
    const Colour shown = display_colour(colour_at(key.map, place));
    const auto byte = [](float c) { return static_cast<std::uint8_t>(std::lround(255 * c)); };
    draw_bar(image, column, top, 1, bottom - top,
             {.rgb = {byte(shown.r), byte(shown.g), byte(shown.b)}});
  }
  draw_text(image, left + 7.75 * height, baseline, key.high, style);
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
  const std::string number =
      digits < 0 ? fmt::format("{:.2e}", time) : fmt::format("{:.{}f}", time, digits);
  return fmt::format("t = {}{}{}", number, unit.empty() ? "" : " ", unit);
}

int time_digits(double longest) {
  if (!(longest > 0)) return 0;
  if (longest < 1e-4 || longest >= 1e7) return -1;
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(longest))), 0, 6);
}

std::string short_number(double value, int digits) {
  std::string text = fmt::format("{:.{}g}", value, digits);
  const std::size_t power = text.find('e');
  if (power == std::string::npos) return text;
  return text.substr(0, power) + "e" + fmt::format("{}", std::stoi(text.substr(power + 1)));
}

void draw_lower(Image& image, const Caption& caption, int left, int width, double height) {
  TextStyle style = style_of(height);
  const auto room = [&] { return width - 2 * margin * style.height; };
  while (style.height > smallest_height && text_width(caption.text, style) > room()) {
    style.height -= 0.5;
  }
  const bool fits = text_width(caption.text, style) <= room();
  const Scale scale = scale_of(caption, left, width, style);
  double baseline = image.height - margin * style.height;
  if (!scale.empty()) {
    draw_scale(image, scale, style);
    const double end = left + margin * style.height + text_width(caption.text, style);
    if (end + gap * style.height > scale.begin()) baseline -= 1.5 * line_height * style.height;
  }
  if (fits && baseline > style.height) {
    dim_line(image, left + margin * style.height, text_width(caption.text, style), baseline,
             style.height);
    draw_text(image, left + margin * style.height, baseline, caption.text, style);
  }
}

void draw_upper(Image& image, const Caption& caption, double height) {
  const TextStyle style = style_of(height), small = style_of(0.8 * height, true);
  const double left = margin * height, right = image.width - margin * height;
  double baseline = (margin + 1) * height, room = right - left;
  if (!caption.colours.quantity.empty()) {
    const double key = key_width(caption.colours, small);
    const double rest = room - key - 2 * gap * height;
    // words come first: colours only beside half a line of them
    if (rest >= std::min(0.5 * room, text_width(caption.title, style))) {
      draw_colours(image, caption.colours, right, baseline, small);
      room = rest;
    }
  }
  const auto draw_line = [&](const std::string& words, const TextStyle& as) {
    dim_line(image, left, text_width(words, as), baseline, as.height);
    draw_text(image, left, baseline, words, as);
  };
  draw_line(shortened(caption.title, style, room), style);
  for (const std::string& note : caption.notes) {
    baseline += line_height * (note == caption.notes.front() ? style.height : small.height);
    draw_line(shortened(note, small, right - left), small);
  }
}

void draw_caption(Image& image, const Caption& caption) {
  // readable on a phone and not loud on a wall
  const double height = std::max(7.0, std::min(image.height / 48.0, image.width / 36.0));
  draw_lower(image, caption, 0, image.width, height);
  // a small picture has no room for more than its time and scale
  const double lines = 1.0 + static_cast<double>(caption.notes.size());
  if (image.height > (20 + 2 * lines) * height) draw_upper(image, caption, height);
}

}  // namespace apsis

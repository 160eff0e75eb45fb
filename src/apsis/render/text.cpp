// SPDX-License-Identifier: MIT
#include <apsis/render/text.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace apsis {
namespace {

// Strokes on a grid 4 wide; rows 0..8 upwards: 0 under the line, 2 the line, 6 small and 8 capital
// letters. "xy xy xy" is one stroke, ';' lifts the pen.
struct Glyph {
  char character;
  std::string_view strokes;
};
constexpr Glyph glyphs[] = {
    {'0', "12 03 07 18 38 47 43 32 12"},
    {'1', "06 28 22"},
    {'2', "07 18 38 47 46 02 42"},
    {'3', "07 18 38 47 46 35 15;35 44 43 32 12 03"},
    {'4', "32 38 04 44"},
    {'5', "48 08 05 35 44 43 32 12 03"},
    {'6', "47 38 18 07 03 12 32 43 44 35 05"},
    {'7', "08 48 12"},
    {'8', "15 06 07 18 38 47 46 35 15 04 03 12 32 43 44 35"},
    {'9', "03 12 32 43 47 38 18 07 06 15 45"},
    {'A', "02 06 28 46 42;04 44"},
    {'B', "02 08 38 47 46 35 05;35 44 43 32 02"},
    {'C', "47 38 18 07 03 12 32 43"},
    {'D', "02 08 28 46 44 22 02"},
    {'E', "48 08 02 42;05 35"},
    {'F', "48 08 02;05 35"},
    {'G', "47 38 18 07 03 12 32 43 45 25"},
    {'H', "02 08;42 48;05 45"},
    {'I', "22 28"},
    {'J', "48 43 32 12 03"},
    {'K', "02 08;48 05 42"},
    {'L', "08 02 42"},
    {'M', "02 08 25 48 42"},
    {'N', "02 08 42 48"},
    {'O', "12 03 07 18 38 47 43 32 12"},
    {'P', "02 08 38 47 46 35 05"},
    {'Q', "12 03 07 18 38 47 43 32 12;24 42"},
    {'R', "02 08 38 47 46 35 05;25 42"},
    {'S', "47 38 18 07 06 15 35 44 43 32 12 03"},
    {'T', "08 48;28 22"},
    {'U', "08 03 12 32 43 48"},
    {'V', "08 22 48"},
    {'W', "08 12 25 32 48"},
    {'X', "02 48;08 42"},
    {'Y', "08 25 48;25 22"},
    {'Z', "08 48 02 42"},
    {'a', "06 36 45 42;44 14 03 12 32 43"},
    {'b', "08 02 32 43 45 36 06"},
    {'c', "45 36 16 05 03 12 32 43"},
    {'d', "48 42 12 03 05 16 46"},
    {'e', "04 44 45 36 16 05 03 12 42"},
    {'f', "38 28 17 12;06 36"},
    {'g', "46 41 30 10;42 12 03 05 16 46"},
    {'h', "08 02;05 16 36 45 42"},
    {'i', "22 26;28 28"},
    {'j', "36 31 20 10;38 38"},
    {'k', "08 02;46 04 42"},
    {'l', "18 13 22 32"},
    {'m', "02 06;05 16 25 22;25 36 45 42"},
    {'n', "02 06;05 16 36 45 42"},
    {'o', "12 03 05 16 36 45 43 32 12"},
    {'p', "00 06 36 45 43 32 02"},
    {'q', "40 46 16 05 03 12 42"},
    {'r', "02 06;05 16 36"},
    {'s', "46 16 05 14 34 43 32 02"},
    {'t', "18 13 22 32;06 36"},
    {'u', "06 03 12 32 43;46 42"},
    {'v', "06 22 46"},
    {'w', "06 12 25 32 46"},
    {'x', "02 46;06 42"},
    {'y', "06 22;46 10"},
    {'z', "06 46 02 42"},
    {' ', ""},
    {'.', "22 22"},
    {',', "22 11"},
    {':', "22 22;25 25"},
    {'-', "14 34"},
    {'+', "05 45;27 23"},
    {'=', "06 46;04 44"},
    {'*', "27 23;06 44;46 04"},
    {'/', "02 48"},
    {'%', "02 48;07 07;43 43"},
    {'(', "38 26 24 32"},
    {')', "18 26 24 12"},
    {'<', "47 05 43"},
    {'>', "07 45 03"},
    {'^', "06 28 46"},
    {'_', "02 42"},
    {'|', "20 28"},
    {'\'', "28 27"},
    {'!', "28 24;22 22"},
    {'?', "07 18 38 47 46 25 24;22 22"},
};
constexpr std::string_view unknown = "02 08 48 42 02";
constexpr double cell = 6.0;         // advance in grid units: 4 wide and a gap
constexpr double narrow_cell = 3.4;  // for marks that stand in the middle of the grid
constexpr double capital = 6.0;      // grid units from the line to the top of capitals

std::string_view strokes_of(char character) {
  for (const Glyph& glyph : glyphs) {
    if (glyph.character == character) return glyph.strokes;
  }
  return unknown;
}

bool narrow(char c) { return std::string_view(".,:'!|Ii ").find(c) != std::string_view::npos; }
// In grid units to the next letter; the arm of an r is shorter than the others' width.
double advance(char c) { return narrow(c) ? narrow_cell : c == 'r' ? cell - 1 : cell; }

struct Segment {
  double x0, y0, x1, y1;  // pixels
};

std::vector<Segment> segments_of(std::string_view strokes, double left, double baseline,
                                 double unit) {
  std::vector<Segment> segments;
  bool pen_down = false;
  double x = 0, y = 0;
  for (std::size_t i = 0; i + 1 < strokes.size(); i += 3) {
    const double next_x = left + (strokes[i] - '0') * unit;
    const double next_y = baseline - (strokes[i + 1] - '0' - 2) * unit;
    if (pen_down) segments.push_back({x, y, next_x, next_y});
    x = next_x, y = next_y;
    pen_down = i + 2 < strokes.size() && strokes[i + 2] == ' ';
  }
  return segments;
}

double distance(const Segment& s, double x, double y) {
  const double dx = s.x1 - s.x0, dy = s.y1 - s.y0;
  const double length_squared = dx * dx + dy * dy;
  const double along =
      length_squared > 0 ? ((x - s.x0) * dx + (y - s.y0) * dy) / length_squared : 0.0;
  const double t = std::clamp(along, 0.0, 1.0);
  return std::hypot(x - s.x0 - t * dx, y - s.y0 - t * dy);
}

void cover(std::uint8_t* pixel, const TextStyle& style, double share) {
  for (int c = 0; c < 3; ++c) {
    pixel[c] = static_cast<std::uint8_t>(std::lround(pixel[c] + share * (style.rgb[c] - pixel[c])));
  }
}

// `thicker`: pixels on every side of a stroke.
void draw_segments(Image& image, const std::vector<Segment>& segments, const TextStyle& style,
                   double thicker) {
  const double half = std::max(0.6, 0.5 * style.weight * style.height) + thicker;
  double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
  for (const Segment& s : segments) {
    left = std::min({left, s.x0, s.x1}), right = std::max({right, s.x0, s.x1});
    top = std::min({top, s.y0, s.y1}), bottom = std::max({bottom, s.y0, s.y1});
  }
  const double reach = half + 1;
  const auto within = [](double v, int limit) {
    return static_cast<int>(std::clamp(v, 0.0, static_cast<double>(limit)));
  };
  for (int row = within(top - reach, image.height); row < within(bottom + reach + 1, image.height);
       ++row) {
    for (int column = within(left - reach, image.width);
         column < within(right + reach + 1, image.width); ++column) {
      double nearest = 1e9;
      for (const Segment& s : segments) {
        nearest = std::min(nearest, distance(s, column + 0.5, row + 0.5));
      }
      const double share = std::clamp(half + 0.5 - nearest, 0.0, 1.0);
      if (share > 0) cover(image.pixel(column, row), style, share);
    }
  }
}

// A further byte of a character in UTF-8, which the first one stands for.
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

void draw_letters(Image& image, double left, double baseline, std::string_view text,
                  const TextStyle& style, double thicker) {
  const double unit = style.height / capital;
  for (const char c : text) {
    if (continues(c)) continue;
    // narrow marks are drawn about column 2 of the grid: move them to the left of their cell
    const double shift = narrow(c) ? -1.3 * unit : 0.0;
    const auto segments = segments_of(strokes_of(c), left + shift, baseline, unit);
    if (!segments.empty()) draw_segments(image, segments, style, thicker);
    left += advance(c) * unit;
  }
}

}  // namespace

double text_width(std::string_view text, const TextStyle& style) {
  const double unit = style.height / capital;
  double width = 0;
  for (const char c : text) {
    if (!continues(c)) width += advance(c) * unit;
  }
  return text.empty() ? 0.0 : width - (cell - 4) * unit;
}

std::string shortened(std::string_view text, const TextStyle& style, double width) {
  std::string whole(text);
  std::ranges::replace_if(
      whole, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  if (text_width(whole, style) <= width) return whole;
  // once along the letters: titles come from files of strangers, and have no longest length
  constexpr std::string_view dots = "...";
  const double unit = style.height / capital;
  const double room = width - text_width(dots, style) - (cell - 4) * unit;
  double used = 0;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < whole.size() && used <= room; ++i) {
    if (continues(whole[i])) continue;
    kept = i;
    used += advance(whole[i]) * unit;
  }
  return kept == 0 ? std::string{} : whole.substr(0, kept) + std::string(dots);
}

void draw_text(Image& image, double left, double baseline, std::string_view text,
               const TextStyle& style) {
  if (style.rim > 0) {
    TextStyle rim = style;
    rim.rgb = {0, 0, 0};
    draw_letters(image, left, baseline, text, rim, std::max(1.0, style.rim * style.height));
  }
  draw_letters(image, left, baseline, text, style, 0);
}

}  // namespace apsis

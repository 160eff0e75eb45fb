// SPDX-License-Identifier: MIT
#include <apsis/render/colour_map.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace apsis {
namespace {

struct Lch {
  double lightness, chroma, hue_degrees;
};

double blend(double a, double b, double t) { return a + (b - a) * t; }

double smooth(double t) { return t * t * (3 - 2 * t); }

// Matrices of OKLab, https://bottosson.github.io/posts/oklab (public domain).
Colour linear_rgb(const Lch& c) {
  const double hue = c.hue_degrees * std::numbers::pi / 180;
  const double a = c.chroma * std::cos(hue), b = c.chroma * std::sin(hue);
  const double l = std::pow(c.lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(c.lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(c.lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  const auto positive = [](double v) { return static_cast<float>(std::max(0.0, v)); };
  return {positive(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          positive(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          positive(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

// From one hue to another across white, without passing through green.
Lch across_white(double t, double cold_chroma, double warm_chroma, double dip) {
  const double side = 2 * t - 1;
  const double chroma = (side < 0 ? cold_chroma : warm_chroma) * std::pow(std::abs(side), 0.8);
  return {0.80 - dip * (1 - std::abs(side)), chroma, side < 0 ? 262.0 : 62.0};
}

Lch path(ColourMap map, double t) {
  switch (map) {
    case ColourMap::stars:
      return across_white(t, 0.135, 0.135, -0.10);
    case ColourMap::ember:
      return {blend(0.42, 0.95, t), 0.13 + 0.09 * std::sin(std::numbers::pi * t),
              blend(305, 460, smooth(t))};
    case ColourMap::sea:
      return {blend(0.40, 0.94, t), 0.10 + 0.05 * std::sin(std::numbers::pi * t),
              blend(282, 135, smooth(t))};
    case ColourMap::poles:
      return across_white(t, 0.16, 0.16, 0.35);
    case ColourMap::grey:
      break;
  }
  return {blend(0.35, 1.0, t), 0, 0};
}

float encoded(float linear) {
  const float v = std::clamp(linear, 0.0F, 1.0F);
  return v <= 0.0031308F ? 12.92F * v : 1.055F * std::pow(v, 1 / 2.4F) - 0.055F;
}

}  // namespace

Colour colour_at(ColourMap map, double t) {
  const double clamped = t > 0 ? std::min(t, 1.0) : 0.0;  // NaN falls to 0
  return linear_rgb(path(map, clamped));
}

Colour display_colour(Colour linear) {
  return {encoded(linear.r), encoded(linear.g), encoded(linear.b)};
}

}  // namespace apsis

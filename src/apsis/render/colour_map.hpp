// SPDX-License-Identifier: MIT
// Colour maps as paths through OKLCh (lightness, chroma, hue; Ottosson 2020), where equal steps
// look equal. All of them stay apart for readers who do not tell red from green.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/render/image.hpp>

#include <string_view>
#include <utility>

namespace apsis {

// stars: blue, white, amber at even lightness, for light that is added up; ember: violet through
// red to yellow; sea: indigo through teal to pale green; poles: blue and orange about a dim
// middle, for quantities with a sign; grey: no colour.
enum class ColourMap { stars, ember, sea, poles, grey };
template <>
struct Choice<ColourMap> {
  static constexpr const char* what = "colour map";
  static constexpr std::pair<ColourMap, std::string_view> values[] = {{ColourMap::stars, "stars"},
                                                                      {ColourMap::ember, "ember"},
                                                                      {ColourMap::sea, "sea"},
                                                                      {ColourMap::poles, "poles"},
                                                                      {ColourMap::grey, "grey"}};
};

// Linear light for t in [0, 1]; values outside are clamped, NaN is treated as 0.
Colour colour_at(ColourMap map, double t);

// sRGB bytes for a key or a chart, "#rrggbb".
Colour display_colour(Colour linear);  // transfer curve applied, each channel within [0, 1]

}  // namespace apsis

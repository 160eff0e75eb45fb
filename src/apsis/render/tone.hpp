// SPDX-License-Identifier: MIT
// From linear light to a picture: exposure found from the light itself, an asinh stretch that
// shows cores and faint arms together (after Lupton et al. 2004), bloom around what is brightest.
#pragma once

#include <apsis/render/image.hpp>

namespace apsis {

struct Tone {
  double stops = 0;     // brighter (+1: twice the light) or darker than the automatic exposure
  double gamma = 1;     // on top of the display's own curve; above 1: faint parts come up
  double bloom = 0.35;  // share of the light above white that is spread around it
  double contrast = 1;  // above 1: faint light is kept darker
};

// Luminances between which a picture is developed. Taken once and shared by all frames of a strip
// or movie, so that nothing flickers.
struct Exposure {
  double faint = 0;  // shown dark, but shown
  double white = 0;  // and above: white; 0 when there is no light at all
};

// By shares of the light, not of the pixels: the empty part of a picture has no say in it.
Exposure exposure_of(const Light& light);

// `surfaces`: what is added as it is, 1 is white; for example of spheres. Without pixels: nothing.
Image develop(const Light& light, const Exposure& exposure, const Tone& tone, int threads,
              const Light& surfaces = {});

}  // namespace apsis

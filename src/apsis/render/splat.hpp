// SPDX-License-Identifier: MIT
// Bodies as spots of light that add up: a sharp point and a wide glow around it. Each band of rows
// is owned by one thread and takes its spots in the order of bodies: same bits for any threads.
#pragma once

#include <apsis/render/image.hpp>

#include <span>

namespace apsis {

struct Splat {
  float column = 0, row = 0;  // pixel centres lie at half-integers
  float glow_radius = 0;      // pixels; not above `point_radius`: point only
  Colour colour;              // all light of the body; black: nothing is drawn
};

struct SplatShape {
  float point_radius = 2;   // pixels, where the spot ends; its deviation is a third of that
  float glow_share = 0.7F;  // of the light that goes into the glow
};

// Adds the splats to `light`. Spots are round, w = (1 - r²/R²)³, and carry exactly their light;
// what falls outside the picture is lost.
void add_splats(Light& light, std::span<const Splat> splats, const SplatShape& shape, int threads);

}  // namespace apsis

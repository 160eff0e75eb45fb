// SPDX-License-Identifier: MIT
// Bodies as lit spheres of their own size, the nearer ones in front. Each band of rows is owned by
// one thread and takes its spheres in one order: same bits for any threads.
#pragma once

#include <apsis/render/image.hpp>

#include <cstddef>
#include <vector>

namespace apsis {

struct Sphere {
  float column = 0, row = 0;  // pixel centres lie at half-integers
  float radius = 0;           // pixels
  double distance = 0;        // that orders them: the larger one is behind
  Colour colour;              // where light falls straight on it
  float opacity = 1;          // below 1 while a point of light turns into a sphere
};

// What spheres show, for every pixel. White is 1: a surface needs no exposure.
struct Surfaces {
  Light light;                   // empty where there are no spheres
  std::vector<double> distance;  // of the sphere in front; infinite where none is

  bool empty() const { return light.pixels.empty(); }
  // Whether a point at that place would be behind a sphere.
  bool hides(double column, double row, double distance) const;
};

// In the order of distance, from the back; of those at one distance the first is drawn first.
// Spheres that do not overlap in space hide each other as they should.
Surfaces drawn(std::vector<Sphere> spheres, int width, int height, int threads);

}  // namespace apsis

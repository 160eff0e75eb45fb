// SPDX-License-Identifier: MIT
// How crowded the picture is around a point: a summed-area table of the bodies' light, so that the
// light inside any square costs four look-ups. Integers, hence the same for any order of bodies.
#pragma once

#include <cstdint>
#include <vector>

namespace apsis {

class CrowdMap {
 public:
  // `margin` pixels beyond each edge are counted too, so that the edge is not taken for a void.
  CrowdMap(int width, int height, int margin);

  // One body's light, 1 for the brightest kind; ignored beyond the margin.
  void add(double column, double row, double light);
  // Call once, after the last `add`.
  void sum_up();

  // Half the side of the square about a point that holds `light`; at most `limit`.
  double radius(double column, double row, double light, double limit) const;
  // Light per square pixel, estimated from the square that holds `light`.
  double density(double column, double row, double light, double limit) const;

 private:
  std::int64_t inside(int column, int row, int half) const;

  int width_, height_, margin_;
  std::vector<std::int64_t> sums_;  // (width_ + 1) × (height_ + 1)
};

}  // namespace apsis

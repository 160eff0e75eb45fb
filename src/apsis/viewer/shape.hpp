// SPDX-License-Identifier: MIT
// Radii that hold shares of the mass, and the density about the centre, of what pages are shown.
#pragma once

#include <apsis/viewer/points.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace apsis::viewer {

// Of more bodies a fair sample is enough for charts, and takes the serving thread some 15 ms.
inline constexpr std::size_t most_shape_bodies = 10'000;
// Fewer have no profile worth the name.
inline constexpr std::size_t fewest_shape_bodies = 100;
inline constexpr std::size_t shape_shells = 16;

struct Shape {
  std::uint64_t scene = 0, step = 0;
  double time = 0;
  std::size_t bodies = 0;  // that it is of
  double radii[3] = {};    // that hold 10, 50 and 90 % of the mass, about the density centre
  struct At {
    double radius = 0, density = 0, error = 0;
  };
  std::vector<At> profile;  // of shells that hold somebody
};

// Points that were taken for a region are left out: with them it would be no fair sample. Masses
// of a sample stand for those of all. Nothing of fewer bodies than `fewest_shape_bodies`.
Shape shape_of(const Points& points);

}  // namespace apsis::viewer

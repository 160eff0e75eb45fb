// SPDX-License-Identifier: MIT
// A camera that moves while a movie goes on: it turns about what it looks at, and comes closer.
#pragma once

#include <apsis/render/camera.hpp>

#include <optional>
#include <span>
#include <vector>

namespace apsis {

struct CameraMoves {
  double azimuth = 0;                   // degrees about the upright (z) axis at the start
  double elevation = 90;                // degrees above the x-y plane; 90: from above
  double orbit = 0;                     // degrees of azimuth that the whole movie turns
  double zoom_start = 1, zoom_end = 1;  // 2: half the width of what would show all bodies
  double field_of_view = 0;             // degrees across; 0: no perspective
  std::optional<double> width{};        // seen across at zoom 1; default: so that all bodies fit
  std::optional<Vec3> centre{};         // default: the middle of the bodies
};

class CameraPath {
 public:
  // Chosen so that 99 % of the light of all `frames` is seen from everywhere on the path.
  CameraPath(const CameraMoves& moves, std::span<const Bodies> frames, double aspect,
             std::span<const float> light = {}, std::span<const std::uint64_t> light_id = {});

  // progress: 0 at the start of the movie, 1 at its end. `offset` moves what is looked at.
  Camera at(double progress, Vec3 offset = {}) const;

 private:
  CameraMoves moves_;
  Camera base_;
};

// bad_data for angles, zooms and widths that make no picture.
void require_valid(const CameraMoves& moves);

}  // namespace apsis

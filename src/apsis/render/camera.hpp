// SPDX-License-Identifier: MIT
// Where a picture is taken from. Plain values, so that a path is an interpolation of cameras.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/vec3.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace apsis {

struct Camera {
  Vec3 centre;               // lands in the middle of the picture
  Vec3 forward{0, 0, -1};    // direction of sight
  Vec3 up{0, 1, 0};          // upwards in the picture, made perpendicular to `forward`
  double width = 2;          // length seen across the picture at the distance of `centre`
  double field_of_view = 0;  // degrees across; 0: orthographic, no perspective
};

// A camera made ready for one size of picture: from space to pixels.
class Projection {
 public:
  Projection(const Camera& camera, int width, int height);

  // Pixel coordinates (pixel centres lie at half-integers) and the magnification relative to
  // `centre`: 1 in orthographic views, 0 for what lies behind the eye.
  struct Point {
    double column, row, magnification;
  };
  Point operator()(Vec3 position) const;
  // By which spheres hide each other: how far they are behind the middle, by the length of the
  // tangents that the eye sees them with.
  double distance(Vec3 position, double radius) const;
  double pixels_per_length() const { return pixels_per_length_; }  // at the middle

 private:
  Vec3 centre_, right_, up_, forward_;
  double pixels_per_length_, half_width_, half_height_;
  double inverse_distance_;  // of the eye from `centre`; 0 for orthographic views
};

struct Framing {
  double share = 0.99;   // of the light that lies inside, but for what is thrown far out
  double margin = 0.08;  // of the box, left free on each side
  Vec3 forward{0, 0, -1};
  Vec3 up{0, 1, 0};
  double field_of_view = 0;
};

// Light of these bodies, by their ids where values come with ids (1 for others), else in their
// order. Empty: all alike.
std::vector<float> light_for(const Bodies& bodies, std::span<const float> light,
                             std::span<const std::uint64_t> id);

// One camera for all frames, for pictures of the given aspect (width/height). In the middle is the
// bulk of the bodies, the inner nine tenths of their light along each direction; around it as much
// as holds `share` of the light in every frame, bodies with a size in full, up to three times the
// reach of the bulk: a few that were thrown out do not make the others a dot. Of up to twenty
// bodies all are seen. `light` weighs bodies; empty: all alike.
Camera framed(std::span<const Bodies> frames, double aspect, const Framing& framing = {},
              std::span<const float> light = {}, std::span<const std::uint64_t> light_id = {});
Camera framed(const Bodies& bodies, double aspect, const Framing& framing = {},
              std::span<const float> light = {});

}  // namespace apsis

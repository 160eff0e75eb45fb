// SPDX-License-Identifier: MIT
// One picture of bodies: points of light that add up on black, and spheres where bodies have a size
// that can be seen. Same bits for any thread count.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/choices.hpp>
#include <apsis/render/camera.hpp>
#include <apsis/render/colour_map.hpp>
#include <apsis/render/image.hpp>
#include <apsis/render/tone.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace apsis {

enum class ColourBy { speed, mass, charge, density, id };
template <>
struct Choice<ColourBy> {
  static constexpr const char* what = "colouring";
  static constexpr std::pair<ColourBy, std::string_view> values[] = {{ColourBy::speed, "speed"},
                                                                     {ColourBy::mass, "mass"},
                                                                     {ColourBy::charge, "charge"},
                                                                     {ColourBy::density, "density"},
                                                                     {ColourBy::id, "id"}};
};

// Which bodies that have a radius are drawn as spheres of it: all, none, or those whose radius is a
// pixel or more.
enum class SphereChoice { automatic, on, off };
template <>
struct Choice<SphereChoice> {
  static constexpr const char* what = "choice of spheres";
  static constexpr std::pair<SphereChoice, std::string_view> values[] = {
      {SphereChoice::automatic, "auto"}, {SphereChoice::on, "on"}, {SphereChoice::off, "off"}};
};

// What was taken from the bodies to make a picture. Taken once and shared by the frames of a strip
// or movie, so that colours and brightness mean the same in all of them.
struct Look {
  double colour_low = 0, colour_high = 1;  // values at the ends of the colour map
  Exposure exposure;
};

struct FrameStyle {
  int width = 1600, height = 1000;
  ColourBy colour_by = ColourBy::speed;
  ColourMap colour_map = ColourMap::stars;
  Tone tone;
  double point_size = 0;  // radius of a body's spot in pixels; 0: smaller the more bodies
  double glow = 0.75;     // share of a body's light that fills the space to its neighbours
  SphereChoice spheres = SphereChoice::automatic;
  // Light of each body, 1 for an ordinary one; empty: all alike. For example faint halo bodies.
  std::vector<float> light;
  // Whose light that is, by id, for frames that differ in their bodies; empty: in their order.
  std::vector<std::uint64_t> light_id{};
  // Place of each body on the colour map, 0 to 1, instead of `colour_by`; empty: not used.
  std::vector<float> tint;
  std::optional<Look> look;  // default: found from this frame
};

// Linear light of the bodies that are points, before any exposure.
Light collect_light(const Bodies& bodies, const Camera& camera, const FrameStyle& style,
                    int threads);

// Colours and exposure that suit all these frames.
Look look_of(std::span<const Bodies> frames, const Camera& camera, const FrameStyle& style,
             int threads);

Image render(const Bodies& bodies, const Camera& camera, const FrameStyle& style, int threads = 0);
// The same with the look that it has: that of the style, or what was found for it.
struct Rendered {
  Image image;
  Look look;
};
Rendered rendered(const Bodies& bodies, const Camera& camera, const FrameStyle& style,
                  int threads = 0);

// Throws bad_data for sizes and values that make no picture, and for `light` or `tint` of another
// length than the bodies.
void require_valid(const FrameStyle& style, const Camera& camera, std::size_t bodies);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// The pictures of a run with the style that suits its bodies: the end state, and a row of frames
// that share camera, colours and exposure.
#pragma once

#include <apsis/render/frame.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// Where bodies come in a few kinds of mass (disk, bulge, halo), the heavy kinds stand for dark or
// diffuse matter and get less light, about as the inverse of their mass. Empty: all alike.
std::vector<float> light_by_kind(const Bodies& bodies);

// Light by kind, or alike where bodies have a size to be seen by; colour by charge where there are
// charges, else by speed.
FrameStyle suitable_style(const Bodies& bodies);

// final.png: the bodies alone in a frame made for them. Empty without bodies.
Image view_of(const Bodies& bodies, const FrameStyle& style, int threads = 0);

struct StripViews {
  int frame_width = 420, frame_height = 420;
  std::string time_unit;  // behind the time of each frame
};

// strip.png: the frames in a row with their times.
Image strip_of(std::span<const Bodies> frames, std::span<const double> times,
               const FrameStyle& style, const StripViews& views = {}, int threads = 0);

// At most `wanted` of `count` snapshots, evenly spaced, the first and the last among them.
std::vector<std::size_t> evenly_spaced(std::size_t count, std::size_t wanted);

}  // namespace apsis

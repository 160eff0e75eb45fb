// SPDX-License-Identifier: MIT
// The pictures of a run with the style that suits its bodies, and with words that say what they
// show: the end state, and a row of frames that share camera, colours and exposure.
#pragma once

#include <apsis/core/units.hpp>
#include <apsis/render/caption.hpp>
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

// What pictures say of the run that they show.
struct Labels {
  std::string title;
  Units units;
  bool plain = false;  // nothing at all
};

// In a still picture bodies outside of it are counted; in a movie their number would flicker.
enum class Outside { counted, not_counted };

// Scale, title, number of bodies, what brightness and colours mean; the time is left to others.
Caption caption_of(const Bodies& bodies, const Camera& camera, const FrameStyle& style,
                   const Look& look, const Labels& labels, Outside outside = Outside::counted);

// The unit of time as it stands behind a number; empty where it has no name.
std::string time_unit(const Units& units);

// final.png: the bodies alone in a frame made for them. Empty without bodies.
Image view_of(const Bodies& bodies, double time, const FrameStyle& style, const Labels& labels,
              int threads = 0);

struct StripViews {
  int frame_width = 420, frame_height = 420;
};

// strip.png: the frames in a row; above them what is shown, below each its time and below the last
// the scale of all.
Image strip_of(std::span<const Bodies> frames, std::span<const double> times,
               const FrameStyle& style, const Labels& labels, const StripViews& views = {},
               int threads = 0);

// At most `wanted` of `count` snapshots, evenly spaced, the first and the last among them.
std::vector<std::size_t> evenly_spaced(std::size_t count, std::size_t wanted);

}  // namespace apsis

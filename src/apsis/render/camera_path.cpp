// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/render/camera_path.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace apsis {
namespace {

struct Gaze {
  Vec3 forward, up;
};

// From the given side; `up` stays well defined when looking straight down.
Gaze gaze_from(double azimuth_degrees, double elevation_degrees) {
  const double a = azimuth_degrees * std::numbers::pi / 180;
  const double e = elevation_degrees * std::numbers::pi / 180;
  // azimuth 0 looks along +y, so that from above x points right and y up
  const Vec3 level{-std::sin(a), std::cos(a), 0};
  return {std::cos(e) * level - Vec3{0, 0, std::sin(e)},
          std::sin(e) * level + Vec3{0, 0, std::cos(e)}};
}

// Smooth at both ends: a camera does not jerk into motion.
double eased(double t) {
  const double u = std::clamp(t, 0.0, 1.0);
  return u * u * (3 - 2 * u);
}

}  // namespace

void require_valid(const CameraMoves& moves) {
  const auto demand = [](bool holds, const std::string& what, const char* remedy) {
    if (!holds) throw bad_data(what, remedy);
  };
  demand(
      std::isfinite(moves.azimuth) && std::isfinite(moves.orbit) && std::isfinite(moves.elevation),
      "an angle of the camera is not a number", "give degrees");
  demand(moves.elevation >= -90 && moves.elevation <= 90,
         fmt::format("elevation {} degrees is out of range", moves.elevation),
         "choose -90 (from below) to 90 (from above)");
  for (const double zoom : {moves.zoom_start, moves.zoom_end}) {
    demand(zoom >= 1e-3 && zoom <= 1e6, fmt::format("zoom {} is out of range", zoom),
           "choose a factor between 0.001 and 1000000; 1 shows all bodies");
  }
  demand(moves.field_of_view >= 0 && moves.field_of_view <= 170,
         fmt::format("field of view {} degrees is out of range", moves.field_of_view),
         "choose 0 (no perspective) up to 170");
  demand(!moves.width || (*moves.width > 0 && std::isfinite(*moves.width)),
         fmt::format("the camera sees a width of {}", moves.width.value_or(0)),
         "give a width above 0");
}

CameraPath::CameraPath(const CameraMoves& moves, std::span<const Bodies> frames, double aspect,
                       std::span<const float> light, std::span<const std::uint64_t> light_id)
    : moves_(moves) {
  require_valid(moves);
  const int places = moves.orbit == 0 ? 1 : 9;
  for (int k = 0; k < places; ++k) {
    const double share = places == 1 ? 0.0 : static_cast<double>(k) / (places - 1);
    const Gaze gaze = gaze_from(moves.azimuth + share * moves.orbit, moves.elevation);
    const Camera fitted =
        framed(frames, aspect,
               {.forward = gaze.forward, .up = gaze.up, .field_of_view = moves.field_of_view},
               light, light_id);
    if (k == 0) {
      base_ = fitted;
      continue;
    }
    // the middle stays where the first view put it, so the others need room for their own
    const double aside = norm(fitted.centre - base_.centre);
    base_.width = std::max(base_.width, fitted.width + 2 * aside);
  }
  if (moves.width) base_.width = *moves.width;
  if (moves.centre) base_.centre = *moves.centre;
}

Camera CameraPath::at(double progress, Vec3 offset) const {
  const double share = eased(progress);
  Camera camera = base_;
  const Gaze gaze = gaze_from(moves_.azimuth + progress * moves_.orbit, moves_.elevation);
  camera.forward = gaze.forward, camera.up = gaze.up;
  camera.centre += offset;
  // even in the logarithm: each second comes closer by the same factor
  camera.width /= moves_.zoom_start * std::pow(moves_.zoom_end / moves_.zoom_start, share);
  return camera;
}

}  // namespace apsis

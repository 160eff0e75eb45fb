// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/render/spheres.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace apsis {
namespace {

constexpr int band_rows = 16;
// A smaller disc covers more or less by where it lies between pixels: it is drawn with this radius,
// and keeps its area as opacity.
constexpr float smallest_radius = 1;

struct Band {
  int first, last;  // rows, [first, last)
};

bool is_drawn(const Sphere& s) {
  return std::isfinite(s.column) && std::isfinite(s.row) && std::isfinite(s.radius) &&
         std::isfinite(s.distance) && s.radius > 0 && s.opacity > 0;
}

// Light from the upper left in front, a little from everywhere, and limbs that grow dim, so that
// spheres of one colour stay apart.
float brightness(float right, float up, float outwards) {
  constexpr float light[] = {-0.48F, 0.55F, 0.683F};
  const float lit = std::max(0.0F, light[0] * right + light[1] * up + light[2] * outwards);
  return (0.07F + 0.93F * lit) * (0.55F + 0.45F * outwards);
}

class Painter {
 public:
  Painter(Surfaces& surfaces, Band band) : surfaces_(surfaces), band_(band) {}

  void paint(const Sphere& s) const {
    const float radius = std::max(s.radius, smallest_radius);
    const float reach = radius + 0.5F;
    const Light& light = surfaces_.light;
    const int first = from(s.row - reach, band_.first), last = until(s.row + reach, band_.last);
    const int left = from(s.column - reach, 0), right = until(s.column + reach, light.width);
    const float share = s.radius / radius;
    const float opacity = s.opacity * share * share;
    for (int row = first; row < last; ++row) {
      const float up = s.row - (static_cast<float>(row) + 0.5F);
      for (int column = left; column < right; ++column) {
        const float aside = static_cast<float>(column) + 0.5F - s.column;
        cover(s, {column, row}, aside / radius, up / radius, radius, opacity);
      }
    }
  }

 private:
  struct Pixel {
    int column, row;
  };

  // In float, where a sphere that fills the sky would not fit an int.
  static int from(float edge, int least) {
    return edge > static_cast<float>(least) ? static_cast<int>(std::min(edge, 1e6F)) : least;
  }
  static int until(float edge, int most) {
    return edge < static_cast<float>(most) ? static_cast<int>(std::max(edge, -1.0F)) + 1 : most;
  }

  void cover(const Sphere& s, Pixel at, float x, float y, float radius, float opacity) const {
    const float off = std::sqrt(x * x + y * y);
    const float covered = std::clamp(radius * (1 - off) + 0.5F, 0.0F, 1.0F) * opacity;
    if (!(covered > 0)) return;
    // the outermost half pixel is lit as the limb is
    const float inwards = off > 1 ? 1 / off : 1.0F;
    const float outwards = std::sqrt(std::max(0.0F, 1 - off * off));
    Colour& pixel = surfaces_.light.at(at.column, at.row);
    const Colour shown = brightness(x * inwards, y * inwards, outwards) * s.colour;
    pixel = (1 - covered) * pixel + covered * shown;
    if (covered > 0.5F) {
      surfaces_.distance[static_cast<std::size_t>(at.row) * surfaces_.light.width + at.column] =
          s.distance;
    }
  }

  Surfaces& surfaces_;
  Band band_;
};

}  // namespace

bool Surfaces::hides(double column, double row, double behind) const {
  if (empty() || !(column >= 0 && column < light.width && row >= 0 && row < light.height)) {
    return false;
  }
  const auto place = static_cast<std::size_t>(row) * light.width + static_cast<std::size_t>(column);
  return distance[place] < behind;
}

Surfaces drawn(std::vector<Sphere> spheres, int width, int height, int threads) {
  std::erase_if(spheres, [](const Sphere& s) { return !is_drawn(s); });
  if (spheres.empty() || width <= 0 || height <= 0) return {};
  std::stable_sort(spheres.begin(), spheres.end(),
                   [](const Sphere& a, const Sphere& b) { return a.distance > b.distance; });
  Surfaces surfaces;
  surfaces.light = Light(width, height);
  surfaces.distance.assign(surfaces.light.pixels.size(), std::numeric_limits<double>::infinity());
  const int bands = (height + band_rows - 1) / band_rows;
  parallel_pieces(static_cast<std::size_t>(bands), 1, thread_count(threads),
                  [&](std::size_t b, std::size_t, int) {
                    const auto band = static_cast<int>(b);
                    const Painter painter(
                        surfaces, {band * band_rows, std::min(height, (band + 1) * band_rows)});
                    for (const Sphere& sphere : spheres) painter.paint(sphere);
                  });
  return surfaces;
}

}  // namespace apsis

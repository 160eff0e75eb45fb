// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/render/splat.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace apsis {
namespace {

constexpr int band_rows = 16;
constexpr std::size_t chunk = 16384;
// Up to this radius weights are summed over the pixels; beyond, the integral πR²/4 is as good
// (relative difference below 1e-4, tests/render/splat_test.cpp).
constexpr float summed_radius = 5;
constexpr float smallest_radius = 1.5F;  // below, a spot between pixels would fade or vanish

struct Rows {
  int first, last;  // [first, last)
};

struct Spot {
  float column, row, radius;
  Colour colour;

  int left() const { return static_cast<int>(std::ceil(column - radius - 0.5F)); }
  int right() const { return static_cast<int>(std::floor(column + radius - 0.5F)) + 1; }
  int top() const { return static_cast<int>(std::ceil(row - radius - 0.5F)); }
  int bottom() const { return static_cast<int>(std::floor(row + radius - 0.5F)) + 1; }
};

inline float weight(float distance_squared, float inverse_radius_squared) {
  const float u = std::max(0.0F, 1 - distance_squared * inverse_radius_squared);
  return u * u * u;
}

float weight_sum(const Spot& spot) {
  if (spot.radius > summed_radius) return std::numbers::pi_v<float> / 4 * spot.radius * spot.radius;
  const float inverse = 1 / (spot.radius * spot.radius);
  float sum = 0;
  for (int row = spot.top(); row < spot.bottom(); ++row) {
    const float dy = static_cast<float>(row) + 0.5F - spot.row;
    for (int column = spot.left(); column < spot.right(); ++column) {
      const float dx = static_cast<float>(column) + 0.5F - spot.column;
      sum += weight(dx * dx + dy * dy, inverse);
    }
  }
  return sum;
}

void draw(Light& light, const Spot& spot, Rows band) {
  const int first = std::max(spot.top(), band.first), last = std::min(spot.bottom(), band.last);
  const int left = std::max(spot.left(), 0), right = std::min(spot.right(), light.width);
  if (first >= last || left >= right) return;
  const float inverse = 1 / (spot.radius * spot.radius);
  const Colour unit = (1 / weight_sum(spot)) * spot.colour;
  for (int row = first; row < last; ++row) {
    const float dy = static_cast<float>(row) + 0.5F - spot.row;
    Colour* pixels = &light.at(0, row);
    for (int column = left; column < right; ++column) {
      const float dx = static_cast<float>(column) + 0.5F - spot.column;
      pixels[column] += weight(dx * dx + dy * dy, inverse) * unit;
    }
  }
}

// Which bands a splat touches; nothing when it lies outside the picture or gives no light.
Rows bands_of(const Splat& splat, float point_radius, int bands, int width) {
  const float reach = std::max(point_radius, splat.glow_radius);
  const bool lit = splat.colour.r > 0 || splat.colour.g > 0 || splat.colour.b > 0;
  const bool finite =
      std::isfinite(splat.column) && std::isfinite(splat.row) && std::isfinite(reach);
  if (!lit || !finite) return {0, 0};
  if (splat.column + reach < 0 || splat.column - reach > static_cast<float>(width)) return {0, 0};
  const float rows = static_cast<float>(bands) * band_rows;
  const float top = std::clamp(splat.row - reach, 0.0F, rows);
  const float bottom = std::clamp(splat.row + reach, 0.0F, rows);
  if (splat.row + reach < 0 || splat.row - reach > rows) return {0, 0};
  return {static_cast<int>(top) / band_rows,
          std::min(bands, static_cast<int>(bottom) / band_rows + 1)};
}

// Indices of the splats of each band, in the order of bodies.
struct Bins {
  std::vector<std::size_t> begin;  // bands + 1
  std::vector<std::uint32_t> index;
};

Bins binned(std::span<const Splat> splats, float point_radius, int bands, int width, int threads) {
  const std::size_t chunks = (splats.size() + chunk - 1) / chunk;
  std::vector<std::size_t> place(chunks * bands);  // first counts, then where to write
  const auto for_each_touch = [&](std::size_t c, auto&& touch) {
    for (std::size_t i = c * chunk; i < std::min(splats.size(), (c + 1) * chunk); ++i) {
      const Rows range = bands_of(splats[i], point_radius, bands, width);
      for (int band = range.first; band < range.last; ++band) touch(i, c * bands + band);
    }
  };
  parallel_tasks(chunks, threads, [&](std::size_t c) {
    for_each_touch(c, [&](std::size_t, std::size_t cell) { ++place[cell]; });
  });
  Bins bins;
  std::size_t total = 0;
  for (int band = 0; band < bands; ++band) {
    bins.begin.push_back(total);
    for (std::size_t c = 0; c < chunks; ++c) {
      const std::size_t count = place[c * bands + band];
      place[c * bands + band] = total;
      total += count;
    }
  }
  bins.begin.push_back(total);
  bins.index.resize(total);
  parallel_tasks(chunks, threads, [&](std::size_t c) {
    for_each_touch(c, [&](std::size_t i, std::size_t cell) {
      bins.index[place[cell]++] = static_cast<std::uint32_t>(i);
    });
  });
  return bins;
}

}  // namespace

void add_splats(Light& light, std::span<const Splat> splats, const SplatShape& shape, int threads) {
  if (light.width <= 0 || light.height <= 0) return;
  const int team = thread_count(threads);
  const int bands = (light.height + band_rows - 1) / band_rows;
  const float point = std::max(smallest_radius, shape.point_radius);
  const Bins bins = binned(splats, point, bands, light.width, team);
  parallel_pieces(static_cast<std::size_t>(bands), 1, team, [&](std::size_t b, std::size_t, int) {
    const auto band = static_cast<int>(b);
    const Rows rows{band * band_rows, std::min(light.height, (band + 1) * band_rows)};
    for (std::size_t k = bins.begin[band]; k < bins.begin[band + 1]; ++k) {
      const Splat& s = splats[bins.index[k]];
      const bool glows = s.glow_radius > point && shape.glow_share > 0;
      const float point_share = glows ? 1 - shape.glow_share : 1.0F;
      draw(light, {s.column, s.row, point, point_share * s.colour}, rows);
      if (glows) draw(light, {s.column, s.row, s.glow_radius, shape.glow_share * s.colour}, rows);
    }
  });
}

}  // namespace apsis

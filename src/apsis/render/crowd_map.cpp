// SPDX-License-Identifier: MIT
#include <apsis/render/crowd_map.hpp>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

constexpr double unit = 4096;  // light 1 in the table's integers

// The pixel that holds a coordinate. Far away is as good as a million pixels away; so is NaN.
int pixel_of(double coordinate) {
  constexpr int far = 1000000;
  if (!(coordinate > -far)) return -far;
  return coordinate < far ? static_cast<int>(std::floor(coordinate)) : far;
}

}  // namespace

CrowdMap::CrowdMap(int width, int height, int margin)
    : width_(width + 2 * margin),
      height_(height + 2 * margin),
      margin_(margin),
      sums_(static_cast<std::size_t>(width_ + 1) * (height_ + 1)) {}

void CrowdMap::add(double column, double row, double light) {
  const double c = std::floor(column) + margin_, r = std::floor(row) + margin_;
  if (!(c >= 0 && c < width_ && r >= 0 && r < height_)) return;
  const auto index =
      static_cast<std::size_t>(r + 1) * (width_ + 1) + static_cast<std::size_t>(c + 1);
  sums_[index] += std::llround(light * unit);
}

void CrowdMap::sum_up() {
  const std::size_t stride = width_ + 1;
  for (int row = 1; row <= height_; ++row) {
    std::int64_t in_row = 0;
    for (int column = 1; column <= width_; ++column) {
      const std::size_t index = row * stride + column;
      in_row += sums_[index];
      sums_[index] = sums_[index - stride] + in_row;
    }
  }
}

std::int64_t CrowdMap::inside(int column, int row, int half) const {
  const std::size_t stride = width_ + 1;
  const int left = std::clamp(column - half, 0, width_),
            right = std::clamp(column + half + 1, 0, width_);
  const int top = std::clamp(row - half, 0, height_),
            bottom = std::clamp(row + half + 1, 0, height_);
  return sums_[bottom * stride + right] - sums_[bottom * stride + left] -
         sums_[top * stride + right] + sums_[top * stride + left];
}

double CrowdMap::radius(double column, double row, double light, double limit) const {
  const double wanted = light * unit;
  const int c = pixel_of(column) + margin_;
  const int r = pixel_of(row) + margin_;
  if (static_cast<double>(inside(c, r, 0)) >= wanted) return 0.5;
  int low = 0, high = std::max(1, static_cast<int>(limit));  // inside(low) < wanted
  if (static_cast<double>(inside(c, r, high)) < wanted) return limit;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (static_cast<double>(inside(c, r, middle)) < wanted ? low : high) = middle;
  }
  // between the two squares light is taken to grow with the area
  const auto below = static_cast<double>(inside(c, r, low));
  const auto above = static_cast<double>(inside(c, r, high));
  const double share = (wanted - below) / (above - below);
  const double small = (low + 0.5) * (low + 0.5), large = (high + 0.5) * (high + 0.5);
  return std::min(limit, std::sqrt(small + share * (large - small)));
}

double CrowdMap::density(double column, double row, double light, double limit) const {
  const double half = radius(column, row, light, limit);
  const int c = pixel_of(column) + margin_;
  const int r = pixel_of(row) + margin_;
  const int square = static_cast<int>(std::ceil(half - 0.5));
  const double side = 2 * square + 1;
  return static_cast<double>(inside(c, r, square)) / unit / (side * side);
}

}  // namespace apsis

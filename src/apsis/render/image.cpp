// SPDX-License-Identifier: MIT
#include <apsis/render/image.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace apsis {
namespace {

// Source cells [first, last) under one target cell, with the covered share of each.
struct Cover {
  int first = 0;
  std::vector<double> shares;
};

std::vector<Cover> covers(int from, int to) {
  std::vector<Cover> result(to);
  const double ratio = static_cast<double>(from) / to;
  for (int i = 0; i < to; ++i) {
    const double begin = i * ratio, end = std::min<double>((i + 1) * ratio, from);
    result[i].first = static_cast<int>(begin);
    for (int cell = result[i].first; cell < end && cell < from; ++cell) {
      const double share = std::min<double>(end, cell + 1) - std::max<double>(begin, cell);
      result[i].shares.push_back(share / (end - begin));
    }
  }
  return result;
}

}  // namespace

Colour Light::total() const {
  double r = 0, g = 0, b = 0;
  for (const Colour& c : pixels) r += c.r, g += c.g, b += c.b;
  return {static_cast<float>(r), static_cast<float>(g), static_cast<float>(b)};
}

Image scaled(const Image& image, int width, int height) {
  Image result(width, height);
  if (image.width <= 0 || image.height <= 0) return result;
  const auto columns = covers(image.width, width), rows = covers(image.height, height);
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      std::array<double, 3> sum{};
      for (std::size_t j = 0; j < rows[row].shares.size(); ++j) {
        for (std::size_t i = 0; i < columns[column].shares.size(); ++i) {
          const double share = rows[row].shares[j] * columns[column].shares[i];
          const auto* from = image.pixel(columns[column].first + static_cast<int>(i),
                                         rows[row].first + static_cast<int>(j));
          for (int c = 0; c < 3; ++c) sum[c] += share * from[c];
        }
      }
      for (int c = 0; c < 3; ++c) {
        result.pixel(column, row)[c] = static_cast<std::uint8_t>(std::lround(sum[c]));
      }
    }
  }
  return result;
}

}  // namespace apsis

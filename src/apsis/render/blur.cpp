// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/render/blur.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace apsis {
namespace {

// Average over 2·half+1 entries of a line; sums from scratch at each line, so lines are
// independent of each other and of the threads.
void box_average(const std::vector<Colour>& from, std::vector<Colour>& to, int half) {
  const int n = static_cast<int>(from.size());
  const float inverse = 1.0F / static_cast<float>(2 * half + 1);
  Colour sum;
  for (int i = 0; i < std::min(half, n); ++i) sum += from[i];
  for (int i = 0; i < n; ++i) {
    if (i + half < n) sum += from[i + half];
    to[i] = inverse * sum;
    if (i - half >= 0) sum += -1.0F * from[i - half];
    // a running float sum may end a hair below zero
    sum = {std::max(0.0F, sum.r), std::max(0.0F, sum.g), std::max(0.0F, sum.b)};
  }
}

void blur_line(std::vector<Colour>& line, std::vector<Colour>& scratch, int half) {
  box_average(line, scratch, half);
  box_average(scratch, line, half);
  box_average(line, scratch, half);
  std::swap(line, scratch);
}

}  // namespace

Light blurred(const Light& light, double deviation, int threads) {
  // three boxes of half-width h have variance (2h+1)²/4 - 1/4
  const int half =
      static_cast<int>(std::lround(0.5 * (std::sqrt(4 * deviation * deviation + 1) - 1)));
  Light result = light;
  if (half < 1) return result;
  const int team = thread_count(threads);
#pragma omp parallel num_threads(team)
  {
    std::vector<Colour> line, scratch;
#pragma omp for schedule(static)
    for (int row = 0; row < light.height; ++row) {
      Colour* begin = &result.at(0, row);
      line.assign(begin, begin + light.width);
      scratch.resize(line.size());
      blur_line(line, scratch, half);
      std::copy(line.begin(), line.end(), begin);
    }
    line.resize(light.height);
    scratch.resize(light.height);
#pragma omp for schedule(static)
    for (int column = 0; column < light.width; ++column) {
      for (int row = 0; row < light.height; ++row) line[row] = result.at(column, row);
      blur_line(line, scratch, half);
      for (int row = 0; row < light.height; ++row) result.at(column, row) = line[row];
    }
  }
  return result;
}

}  // namespace apsis

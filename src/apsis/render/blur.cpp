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

// work(number, line, scratch) for all lines, with memory for one of them.
template <class Work>
void for_each_line(int lines, int length, int threads, Work&& work) {
  constexpr std::size_t together = 16;  // share the memory
  parallel_pieces(static_cast<std::size_t>(lines), together, threads,
                  [&](std::size_t begin, std::size_t end, int) {
                    std::vector<Colour> line(length), scratch(length);
                    for (std::size_t i = begin; i < end; ++i) {
                      work(static_cast<int>(i), line, scratch);
                    }
                  });
}

}  // namespace

Light blurred(const Light& light, double deviation, int threads) {
  // three boxes of half-width h have variance (2h+1)²/4 - 1/4
  const int half =
      static_cast<int>(std::lround(0.5 * (std::sqrt(4 * deviation * deviation + 1) - 1)));
  Light result = light;
  if (half < 1) return result;
  const int team = thread_count(threads);
  for_each_line(light.height, light.width, team, [&](int row, auto& line, auto& scratch) {
    Colour* begin = &result.at(0, row);
    std::copy(begin, begin + light.width, line.begin());
    blur_line(line, scratch, half);
    std::copy(line.begin(), line.end(), begin);
  });
  for_each_line(light.width, light.height, team, [&](int column, auto& line, auto& scratch) {
    for (int row = 0; row < light.height; ++row) line[row] = result.at(column, row);
    blur_line(line, scratch, half);
    for (int row = 0; row < light.height; ++row) result.at(column, row) = line[row];
  });
  return result;
}

}  // namespace apsis

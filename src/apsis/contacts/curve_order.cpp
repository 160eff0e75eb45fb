// SPDX-License-Identifier: MIT
#include <apsis/contacts/curve_order.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/solvers/tree/morton_sort.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace apsis {
namespace {

// Bodies of one key that are left as they are.
constexpr std::size_t crowd = 64;

struct Corners {
  std::array<double, 3> low, high;
  Corners() {
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
  }
  void add(const std::array<double, 3>& place) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], place[k]), high[k] = std::max(high[k], place[k]);
    }
  }
  Corners& operator+=(const Corners& other) {
    add(other.low), add(other.high);
    return *this;
  }
};

template <class Real>
std::array<double, 3> end_of(const Paths<Real>& paths, std::size_t i) {
  return {static_cast<double>(paths.x[i]), static_cast<double>(paths.y[i]),
          static_cast<double>(paths.z[i])};
}

far::Cube cube_around(const EndBox& box) {
  double side = 0;
  for (std::size_t k = 0; k < 3; ++k) side = std::max(side, box.high[k] - box.low[k]);
  return {box.low[0], box.low[1], box.low[2], side};
}

// Enough halvings for a few bodies a cell where they are spread evenly.
int levels_for(std::size_t count, int most) {
  const double even = std::log2(static_cast<double>(std::max<std::size_t>(count, 2))) / 3;
  return std::min(most, static_cast<int>(even) + 3);
}

// Sorts the bodies of `numbers`, which are all in the box. Those that one key holds too many of get
// keys in a box of their own.
template <class Real>
void sort_along_curve(const Paths<Real>& paths, const EndBox& box, int threads,
                      std::span<std::uint32_t> numbers) {
  const far::Cube cube = cube_around(box);
  if (!(cube.side > 0) || !std::isfinite(cube.side)) return;
  const far::KeyLayout layout = far::key_layout(numbers.size());
  const int levels = levels_for(numbers.size(), layout.levels);
  const far::MortonKeys key(cube, levels);
  std::vector<std::uint64_t> words(numbers.size()), spare;
  parallel_for(numbers.size(), threads, [&](std::size_t k) {
    const auto [x, y, z] = end_of(paths, numbers[k]);
    words[k] = key(x, y, z) << layout.number_bits | k;
  });
  far::radix_sort(words, spare, layout.number_bits, 3 * levels, threads);
  const std::uint64_t mask = (std::uint64_t{1} << layout.number_bits) - 1;
  std::vector<std::uint32_t> sorted(numbers.size());
  parallel_for(numbers.size(), threads,
               [&](std::size_t k) { sorted[k] = numbers[words[k] & mask]; });
  std::ranges::copy(sorted, numbers.begin());
  for (std::size_t first = 0, last = 0; first < words.size(); first = last) {
    const std::uint64_t own = words[first] >> layout.number_bits;
    for (last = first; last < words.size() && words[last] >> layout.number_bits == own;) ++last;
    if (last - first <= crowd) continue;
    const auto crowded = numbers.subspan(first, last - first);
    Corners corners;
    for (const std::uint32_t i : crowded) corners.add(end_of(paths, i));
    const EndBox inner{corners.low, corners.high};
    if (cube_around(inner).side < cube.side) sort_along_curve(paths, inner, threads, crowded);
  }
}

}  // namespace

template <class Real>
EndBox box_of_ends(const Paths<Real>& paths, int threads) {
  const auto all = ordered_sum<Corners>(paths.count, threads, [&](std::size_t i) {
    Corners one;
    one.add(end_of(paths, i));
    return one;
  });
  return {all.low, all.high};
}

template <class Real>
std::vector<std::uint32_t> order_along_curve(const Paths<Real>& paths, const EndBox& box,
                                             int threads) {
  std::vector<std::uint32_t> numbers(paths.count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  if (paths.count > 1) sort_along_curve(paths, box, threads, std::span(numbers));
  return numbers;
}

template EndBox box_of_ends(const Paths<float>&, int);
template EndBox box_of_ends(const Paths<double>&, int);
template std::vector<std::uint32_t> order_along_curve(const Paths<float>&, const EndBox&, int);
template std::vector<std::uint32_t> order_along_curve(const Paths<double>&, const EndBox&, int);

}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/solvers/tree/frame.hpp>
#include <apsis/solvers/tree/octree.hpp>
#include <apsis/solvers/tree/sampling.hpp>

#include <cmath>
#include <type_traits>

namespace apsis::far {
namespace {

// The power of two that brings `most` to [1/2, 1].
double power_of_two_scale(double most) {
  if (!(most > 0)) return 1;
  return std::ldexp(1.0, -std::clamp(std::ilogb(most) + 1, -1000, 1000));
}

}  // namespace

template <class Real>
Bounds bounds_of(const Both<Real>& all, int threads) {
  using View = BodiesView<Host<Real>>;
  constexpr std::size_t block = 4096;
  const std::size_t n = all.count();
  std::vector<Bounds> parts((n + block - 1) / block);
  parallel_blocks(parts.size(), threads, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(n, (b + 1) * block); ++i) {
      parts[b].add(all.at(&View::x, i), all.at(&View::y, i), all.at(&View::z, i), all.strength(i));
    }
  });
  Bounds bounds;
  for (const Bounds& part : parts) bounds += part;
  return bounds;
}

std::vector<std::size_t> numbers_for_middle(std::size_t n) {
  std::vector<std::size_t> numbers(std::min<std::size_t>(n, 1023));
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = k * n / numbers.size();
  return numbers;
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Frame frame_of(const Bounds& bounds, const std::array<double, 3>& middle) {
  Frame frame;
  frame.units.x = middle[0], frame.units.y = middle[1], frame.units.z = middle[2];
  double reach = 0;
  Cube& cube = frame.cube;
  for (std::size_t a = 0; a < 3; ++a) {
    reach = std::max({reach, bounds.high[a] - middle[a], middle[a] - bounds.low[a]});
    cube.side = std::max(cube.side, bounds.high[a] - bounds.low[a]);
  }
  cube.x = bounds.low[0], cube.y = bounds.low[1], cube.z = bounds.low[2];
  frame.units.scale = power_of_two_scale(reach) * static_cast<double>(largest_coordinate);
  frame.units.strength_scale =
      power_of_two_scale(std::max(-bounds.least_strength, bounds.most_strength));
  frame.mixed_signs = bounds.least_strength < 0 && bounds.most_strength > 0;
  return frame;
}

template <class Real>
Frame frame_of(const Both<Real>& all, int threads) {
  using View = BodiesView<Host<Real>>;
  std::array<double, 3> middle{};
  if constexpr (std::is_same_v<Real, double>) {
    const auto numbers = numbers_for_middle(all.count());
    std::vector<double> values(numbers.size());
    std::size_t axis = 0;
    for (auto column : {&View::x, &View::y, &View::z}) {
      for (std::size_t k = 0; k < numbers.size(); ++k) values[k] = all.at(column, numbers[k]);
      middle[axis++] = median_of(values);
    }
  }
  return frame_of(bounds_of(all, threads), middle);
}

template Bounds bounds_of(const Both<float>&, int);
template Bounds bounds_of(const Both<double>&, int);
template Frame frame_of(const Both<float>&, int);
template Frame frame_of(const Both<double>&, int);

}  // namespace apsis::far

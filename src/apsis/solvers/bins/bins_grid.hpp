// SPDX-License-Identifier: MIT
// The grid of the solver `bins`: a box cut into as many bins along each side. Bodies outside count
// with the bins at the border, so that every body is in one; bins are numbered x first.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/settings.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

namespace apsis {

// As many as make bodies in near bins and bins afar about the same number: B³ = √(27 N).
int bins_for(std::size_t bodies);
// Filled in where it was left open.
BinsSettings with_number(BinsSettings settings, std::size_t bodies);

std::size_t bodies_outside(const Bodies& bodies, const std::array<double, 6>& box);
std::string outside_notice(std::size_t count);

template <class Real>
struct BinsGrid {
  int bins = 1;
  std::array<Real, 3> low{}, a_unit{};  // bins a unit of length; 0 where the box has no width

  BinsGrid() = default;
  BinsGrid(int bins_a_side, const std::array<Real, 3>& from, const std::array<Real, 3>& to)
      : bins(bins_a_side), low(from) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Real width = to[k] - from[k];
      a_unit[k] = width > 0 ? static_cast<Real>(bins) / width : Real(0);
    }
  }

  std::size_t count() const { return static_cast<std::size_t>(bins) * bins * bins; }
  int along(int axis, Real x) const {
    const auto k = static_cast<std::size_t>(axis);
    // bounded before it is a whole number, which need not hold it
    const Real place = std::floor((x - low[k]) * a_unit[k]);
    return static_cast<int>(std::fmin(std::fmax(place, Real(0)), static_cast<Real>(bins - 1)));
  }
  std::size_t number(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * bins + y) * bins + x;
  }
  std::size_t bin_of(Real x, Real y, Real z) const {
    return number(along(0, x), along(1, y), along(2, z));
  }
};

// The bins that touch one, itself among them, as up to 9 rows [begin, end) in rising order.
struct NearRows {
  struct Row {
    std::size_t begin = 0, end = 0;
  };
  std::array<Row, 9> rows{};
  std::size_t count = 0;

  template <class Real>
  NearRows(const BinsGrid<Real>& grid, std::size_t bin) {
    const auto bins = static_cast<std::size_t>(grid.bins);
    const int x = static_cast<int>(bin % bins), y = static_cast<int>(bin / bins % bins),
              z = static_cast<int>(bin / bins / bins), last = grid.bins - 1;
    for (int k = std::max(z - 1, 0); k <= std::min(z + 1, last); ++k) {
      for (int j = std::max(y - 1, 0); j <= std::min(y + 1, last); ++j) {
        rows[count++] = {grid.number(std::max(x - 1, 0), j, k),
                         grid.number(std::min(x + 1, last), j, k) + 1};
      }
    }
  }
};

}  // namespace apsis

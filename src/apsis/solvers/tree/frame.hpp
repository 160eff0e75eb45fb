// SPDX-License-Identifier: MIT
// Inside the far-field solvers: the cube and the units of one evaluation, from its bodies alone.
#pragma once

#include <apsis/solvers/solver.hpp>
#include <apsis/solvers/tree/morton_sort.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace apsis::far {

// Bodies in the solver's units: x' = (x - origin)·scale.
struct Units {
  double x = 0, y = 0, z = 0;
  double scale = 1, strength_scale = 1;
};

struct Frame {
  Units units;
  Cube cube;
  bool mixed_signs = false;
};

// Sources, then targets, as one list.
template <class Real>
struct Both {
  const BodiesView<Host<Real>>& sources;
  const BodiesView<Host<Real>>* targets = nullptr;

  std::size_t count() const { return sources.count + (targets == nullptr ? 0 : targets->count); }
  double at(const Real* BodiesView<Host<Real>>::*column, std::size_t i) const {
    return static_cast<double>(i < sources.count ? (sources.*column)[i]
                                                 : (targets->*column)[i - sources.count]);
  }
  double strength(std::size_t i) const {
    return i < sources.count ? static_cast<double>(sources.strength[i]) : 0;
  }
};

struct Bounds {
  std::array<double, 3> low, high;
  double least_strength = 0, most_strength = 0;

  Bounds() {
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
  }
  void add(double x, double y, double z, double strength) {
    const std::array<double, 3> at{x, y, z};
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], at[a]), high[a] = std::max(high[a], at[a]);
    }
    least_strength = std::min(least_strength, strength);
    most_strength = std::max(most_strength, strength);
  }
  Bounds& operator+=(const Bounds& other) {
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], other.low[a]), high[a] = std::max(high[a], other.high[a]);
    }
    least_strength = std::min(least_strength, other.least_strength);
    most_strength = std::max(most_strength, other.most_strength);
    return *this;
  }
};

template <class Real>
Bounds bounds_of(const Both<Real>& all, int threads);

// Numbers of the bodies whose median is the middle: evenly spaced among n.
std::vector<std::size_t> numbers_for_middle(std::size_t n);
double median_of(std::vector<double> values);

// Floats keep their digits best where they are: their middle is 0. Doubles about the middle of the
// bodies, so that one that is far away takes no digits from the others.
Frame frame_of(const Bounds& bounds, const std::array<double, 3>& middle);

template <class Real>
Frame frame_of(const Both<Real>& all, int threads);

}  // namespace apsis::far

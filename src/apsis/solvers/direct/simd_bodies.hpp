// SPDX-License-Identifier: MIT
// Inside direct/: copies of bodies in the type and layout that the explicit vectors compute with.
#pragma once

#include <apsis/core/parallel.hpp>
#include <apsis/solvers/direct/direct_simd.hpp>
#include <apsis/solvers/solver.hpp>

#include <algorithm>
#include <vector>

namespace apsis::direct {

template <class Pair>
class SimdCopies {
 public:
  // Coordinates in two parts where `split`. Up to `padded` bodies: the places of the last one
  // without its strength, so that they give nothing and meet nothing new.
  template <class State>
  void take(const BodiesView<Host<State>>& from, bool split, std::size_t padded, int threads) {
    take_column(from.x, from.count, split, padded, threads, x_, low_x_);
    take_column(from.y, from.count, split, padded, threads, y_, low_y_);
    take_column(from.z, from.count, split, padded, threads, z_, low_z_);
    strength_.resize(from.strength == nullptr ? 0 : padded);
    parallel_for(strength_.size(), threads, [&](std::size_t i) {
      strength_[i] = i < from.count ? static_cast<Pair>(from.strength[i]) : Pair(0);
    });
  }

  SimdBodies<Pair> view() const {
    const auto low = [](const std::vector<Pair>& v) { return v.empty() ? nullptr : v.data(); };
    return {x_.size(),        x_.data(),   y_.data(),   z_.data(),
            strength_.data(), low(low_x_), low(low_y_), low(low_z_)};
  }

 private:
  template <class State>
  static void take_column(const State* from, std::size_t count, bool split, std::size_t padded,
                          int threads, std::vector<Pair>& high, std::vector<Pair>& low) {
    high.resize(padded), low.resize(split ? padded : 0);
    parallel_for(padded, threads, [&](std::size_t i) {
      const State value = from[std::min(i, count - 1)];
      high[i] = static_cast<Pair>(value);
      if (split) low[i] = static_cast<Pair>(value - static_cast<State>(high[i]));
    });
  }

  std::vector<Pair> x_, y_, z_, low_x_, low_y_, low_z_, strength_;
};

}  // namespace apsis::direct

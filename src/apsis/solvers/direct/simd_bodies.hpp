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
    resize(padded, split, from.strength != nullptr);
    put(from, 0, padded, threads);
  }

  // Two sets one behind the other, each padded to a length of its own.
  template <class State>
  void take(const BodiesView<Host<State>>& a, const BodiesView<Host<State>>& b, bool split,
            std::size_t padded_a, std::size_t padded_b, int threads) {
    resize(padded_a + padded_b, split, true);
    put(a, 0, padded_a, threads);
    put(b, padded_a, padded_b, threads);
  }

  SimdBodies<Pair> view() const {
    const auto low = [](const std::vector<Pair>& v) { return v.empty() ? nullptr : v.data(); };
    return {x_.size(),        x_.data(),   y_.data(),   z_.data(),
            strength_.data(), low(low_x_), low(low_y_), low(low_z_)};
  }

 private:
  void resize(std::size_t n, bool split, bool strengths) {
    x_.resize(n), y_.resize(n), z_.resize(n), strength_.resize(strengths ? n : 0);
    for (auto* low : {&low_x_, &low_y_, &low_z_}) low->resize(split ? n : 0);
  }

  template <class State>
  void put(const BodiesView<Host<State>>& from, std::size_t at, std::size_t padded, int threads) {
    put_column(from.x, from.count, at, padded, threads, x_, low_x_);
    put_column(from.y, from.count, at, padded, threads, y_, low_y_);
    put_column(from.z, from.count, at, padded, threads, z_, low_z_);
    if (strength_.empty()) return;
    parallel_for(padded, threads, [&](std::size_t i) {
      strength_[at + i] = i < from.count ? static_cast<Pair>(from.strength[i]) : Pair(0);
    });
  }

  template <class State>
  static void put_column(const State* from, std::size_t count, std::size_t at, std::size_t padded,
                         int threads, std::vector<Pair>& high, std::vector<Pair>& low) {
    const bool split = !low.empty();
    parallel_for(padded, threads, [&](std::size_t i) {
      const State value = from[std::min(i, count - 1)];
      high[at + i] = static_cast<Pair>(value);
      if (split) low[at + i] = static_cast<Pair>(value - static_cast<State>(high[at + i]));
    });
  }

  std::vector<Pair> x_, y_, z_, low_x_, low_y_, low_z_, strength_;
};

}  // namespace apsis::direct

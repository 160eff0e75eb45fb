// SPDX-License-Identifier: MIT
// One vector per body: three components in one allocation, component after component
// (x0 .. xn-1 y0 .. yn-1 z0 .. zn-1), so that an array of N x 3 is a view of it.
#pragma once

#include <apsis/core/vec3.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace apsis {

class Vectors {
 public:
  using value_type = double;

  Vectors() = default;
  explicit Vectors(std::size_t n) : values_(3 * n) {}

  std::size_t size() const { return values_.size() / 3; }
  bool empty() const { return values_.empty(); }

  std::span<double> component(std::size_t k) { return {values_.data() + k * size(), size()}; }
  std::span<const double> component(std::size_t k) const {
    return {values_.data() + k * size(), size()};
  }
  std::span<double> x() { return component(0); }
  std::span<double> y() { return component(1); }
  std::span<double> z() { return component(2); }
  std::span<const double> x() const { return component(0); }
  std::span<const double> y() const { return component(1); }
  std::span<const double> z() const { return component(2); }
  // All components, one behind the other.
  std::span<double> values() { return values_; }
  std::span<const double> values() const { return values_; }

  Vec3 at(std::size_t i) const {
    const std::size_t n = size();
    return {values_[i], values_[n + i], values_[2 * n + i]};
  }
  void set(std::size_t i, Vec3 v) {
    const std::size_t n = size();
    values_[i] = v.x, values_[n + i] = v.y, values_[2 * n + i] = v.z;
  }

  // New ones are zero.
  void resize(std::size_t n) {
    const std::size_t had = size();
    const auto begin = values_.begin();
    const auto at = [](std::size_t k) { return static_cast<std::ptrdiff_t>(k); };
    if (n < had) {
      for (std::size_t k : {1, 2}) std::copy_n(begin + at(k * had), n, begin + at(k * n));
      values_.resize(3 * n);
    } else if (n > had) {
      std::vector<double> grown(3 * n);
      for (std::size_t k : {0, 1, 2}) {
        std::copy_n(begin + at(k * had), had, grown.begin() + at(k * n));
      }
      values_ = std::move(grown);
    }
  }
  void clear() { values_.clear(); }

  friend bool operator==(const Vectors&, const Vectors&) = default;

 private:
  std::vector<double> values_;
};

using Accelerations = Vectors;

}  // namespace apsis

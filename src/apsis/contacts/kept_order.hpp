// SPDX-License-Identifier: MIT
// How long an order of bodies along a curve serves for searches: it costs as much as one, and
// bodies go only a little way in a step. What is found does not depend on it, only how fast.
#pragma once

#include <cstddef>

namespace apsis {

class KeptOrder {
 public:
  // Whether to try with the order that there is.
  bool may_serve(std::size_t bodies) const {
    return bodies == bodies_ && searches_ < most_searches && unsteady_ == 0;
  }
  // Whether boxes made with it are still small enough. `spread`: the mean of log2 of their sizes.
  bool serves(double spread) {
    ++searches_;
    if (spread <= spread_ + most_growth) return true;
    // bodies that are elsewhere in every step are sorted in every step for a while
    if (searches_ == 1) unsteady_ = most_searches;
    return false;
  }
  // A new one was made, with boxes of that spread.
  void made(std::size_t bodies, double spread) {
    bodies_ = bodies, spread_ = spread, searches_ = 0;
    if (unsteady_ > 0) --unsteady_;
  }

 private:
  static constexpr int most_searches = 32;
  static constexpr double most_growth = 0.4;  // a third

  std::size_t bodies_ = 0;
  double spread_ = 0;
  int searches_ = most_searches;  // with this order
  int unsteady_ = 0;              // orders that are made without a try
};

}  // namespace apsis

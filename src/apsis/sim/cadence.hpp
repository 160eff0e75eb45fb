// SPDX-License-Identifier: MIT
// Every how many steps something is due. Counted in whole steps from step 0, never in clock or
// summed-up time, so that a resumed run does the same things at the same steps.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace apsis {

class Cadence {
 public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  // Due whenever the time passes a multiple of `every`, at step 0 and at `last`.
  // every = 0: at these two only.
  Cadence(double every, double step, std::uint64_t last)
      : interval_(every > 0 ? every / step : 0), last_(last) {}

  // The first due step after `step`.
  std::uint64_t next_after(std::uint64_t step) const {
    if (step >= last_) return never;
    if (interval_ == 0) return last_;
    if (interval_ <= 1) return step + 1;
    // the k-th multiple is due with the first step at or behind it; the slack absorbs the
    // rounding of every/step, so that 0.5/0.01 is 50 steps and not 51
    constexpr double slack = 1e-9;
    auto k = std::floor(static_cast<double>(step) / interval_ + slack);
    double due = 0;
    do {
      k += 1;
      due = std::ceil(k * interval_ * (1 - slack) - slack);
    } while (due <= static_cast<double>(step));
    if (due >= static_cast<double>(last_)) return last_;
    return static_cast<std::uint64_t>(due);
  }

  bool due(std::uint64_t step) const { return step == 0 || next_after(step - 1) == step; }

 private:
  double interval_;
  std::uint64_t last_;
};

// Steps from 0 to the one that reaches `until`.
inline std::uint64_t steps_until(double until, double step) {
  return static_cast<std::uint64_t>(std::ceil(until / step * (1 - 1e-12) - 1e-9));
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
// How many connections of people who have shown no token yet are taken in a second. Whoever shows
// one gives his place back, so that pages with a token are free. Arithmetic without clocks.
#pragma once

#include <apsis/viewer/limits.hpp>

#include <algorithm>
#include <chrono>

namespace apsis::viewer {

class StrangerRate {
 public:
  using Time = std::chrono::steady_clock::time_point;

  void came(Time now) {
    if (now > last_) {
      const double seconds = std::chrono::duration<double>(now - last_).count();
      left_ = std::min(strangers_at_once, left_ + seconds * strangers_per_second);
      last_ = now;
    }
    left_ -= 1;
  }
  void showed_token() { left_ = std::min(strangers_at_once, left_ + 1); }

  // How long the next one has to wait.
  std::chrono::duration<double> wait() const {
    return std::chrono::duration<double>(left_ >= 0 ? 0 : -left_ / strangers_per_second);
  }

 private:
  double left_ = strangers_at_once;
  Time last_{};
};

}  // namespace apsis::viewer

// SPDX-License-Identifier: MIT
// The leapfrog, and leapfrogs in a row that make higher orders.
#pragma once

#include <apsis/integrators/splitting.hpp>

#include <cmath>
#include <vector>

namespace apsis {

// Kick-drift-kick leapfrogs of the given fractions of the step, in a row (Yoshida 1990).
inline Stages composed_leapfrogs(const std::vector<double>& fractions) {
  using namespace stages;
  Stages all;
  for (const double w : fractions) {
    all.insert(all.end(), {accelerate, kick(w / 2), drift(w), accelerate, kick(w / 2)});
  }
  return all;
}

inline Integrator leapfrog() {
  return splitting("leapfrog", 2, "kick-drift-kick: symplectic and reversible; the default",
                   composed_leapfrogs({1}));
}

inline Integrator yoshida4() {
  const double w1 = 1 / (2 - std::cbrt(2.0));
  return splitting("yoshida4", 4, "three leapfrogs composed: symplectic",
                   composed_leapfrogs({w1, 1 - 2 * w1, w1}));
}

// Yoshida 1990, solution A of order 6.
inline Integrator yoshida6() {
  constexpr double w1 = -1.17767998417887, w2 = 0.235573213359357, w3 = 0.784513610477560;
  constexpr double w0 = 1 - 2 * (w1 + w2 + w3);
  return splitting("yoshida6", 6, "seven leapfrogs composed: symplectic",
                   composed_leapfrogs({w3, w2, w1, w0, w1, w2, w3}));
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
// The classical scheme of Runge and Kutta, on slots.
#pragma once

#include <apsis/integrators/integrator.hpp>

namespace apsis {

inline Integrator rk4() {
  const auto add_step = [](double time, double dt, std::vector<Operation>& operations) {
    // from the start by the slope in `slot`; the slope found there goes into the next slot
    const auto advance = [&](int slot, double length) {
      operations.push_back(Operation::combine(0, {{slot, length}}));
      operations.push_back(Operation::accelerate(time + length));
      operations.push_back(Operation::save(slot + 1));
    };
    operations.push_back(Operation::accelerate(time));
    operations.push_back(Operation::save(0));
    advance(0, dt / 2);
    advance(1, dt / 2);
    advance(2, dt);
    operations.push_back(
        Operation::combine(0, {{0, dt / 6}, {1, dt / 3}, {2, dt / 3}, {3, dt / 6}}));
  };
  return {.name = "rk4",
          .summary = "classical Runge-Kutta: not symplectic",
          .order = 4,
          .force_evaluations = 4,
          .add_step = add_step};
}

}  // namespace apsis

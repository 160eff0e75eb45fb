// SPDX-License-Identifier: MIT
// Hermite's scheme: predict, and correct by accelerations and jerks (Makino & Aarseth 1992).
#pragma once

#include <apsis/integrators/integrator.hpp>

namespace apsis {

inline Integrator hermite4() {
  const auto add_step = [](double time, double dt, std::vector<Operation>& operations) {
    operations.push_back(Operation::accelerate_with_jerk(time));
    operations.push_back(Operation::predict(dt));
    for (int pass = 0; pass < 2; ++pass) {
      operations.push_back(Operation::accelerate_with_jerk(time + dt));
      operations.push_back(Operation::correct(dt));
    }
    operations.push_back(Operation::accept());
  };
  return {.name = "hermite4",
          .summary = "Hermite with jerk, two corrector passes: close encounters",
          .order = 4,
          .force_evaluations = 2,
          .needs_jerk = true,
          .add_step = add_step};
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
// Steps that an engine takes as a whole, by whatever scheme its kernel has: no row of the table,
// as nobody can choose it by name.
#pragma once

#include <apsis/integrators/integrator.hpp>

namespace apsis {

// `scheme`: what is known of it, for people.
inline Integrator own_steps(const std::string& scheme) {
  return {.name = scheme,
          .summary = "the whole step by a kernel of the user's own",
          .order = 1,
          .force_evaluations = 1,
          .needs_jerk = false,
          .add_step = [](double /*time*/, double dt, std::vector<Operation>& operations) {
            operations.push_back(Operation::advance(dt));
          }};
}

}  // namespace apsis

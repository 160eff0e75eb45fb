// SPDX-License-Identifier: MIT
// Schemes of first order, one force evaluation each.
#pragma once

#include <apsis/integrators/splitting.hpp>

namespace apsis {

inline Integrator euler() {
  using namespace stages;
  return splitting("euler", 1, "forward Euler: x += v dt, v += a dt, both from the old state",
                   {accelerate, drift(1), kick(1)});
}

inline Integrator symplectic_euler() {
  using namespace stages;
  return splitting("symplectic-euler", 1, "semi-implicit Euler: v += a dt, then x += v dt",
                   {accelerate, kick(1), drift(1)});
}

// Two half kicks with the same accelerations: x += v dt + a dt²/2, v += a dt.
inline Integrator taylor2() {
  using namespace stages;
  return splitting("taylor2", 1, "x += v dt + a dt²/2, v += a dt",
                   {accelerate, kick(0.5), drift(1), kick(0.5)});
}

}  // namespace apsis

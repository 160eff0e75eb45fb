// SPDX-License-Identifier: MIT
// Equilibrium under the forces that a run really uses: softening weakens the pull, and a sample of
// a few thousand bodies has its own binding energy, so a sphere drawn from the exact distribution
// expands by several per cent before it rests.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/pair_law.hpp>

namespace apsis {

// Scales the velocities so that 2K + Σ m x·a = 0 for these bodies under this law. With many bodies
// only what softening takes away is corrected, measured at some of them: there the sample's own
// noise is small, and all pairs would take long.
void bring_into_equilibrium(Bodies& bodies, const PairLaw& law);

}  // namespace apsis

// SPDX-License-Identifier: MIT
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/pair_law.hpp>

#include <vector>

namespace apsis {

// Of each body by the others, on the native CPU: in double by all pairs, or by expansions where all
// pairs of many bodies would take long.
std::vector<double> pair_potentials_of(const Bodies& bodies, const PairLaw& law, int threads = 0);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// The law of pairs with its radial part: what pair.cl says, newton's law, times the factors of the
// radial law at that distance. Programs for another one read its radial_NAME.cl where this file
// includes radial_newton.cl.
#pragma once
#include "pair.cl"
#include "radial_newton.cl"

#ifndef HAS_POTENTIAL_FALLOFF // a pair.cl that was edited before there was one
inline real potential_falloff(real inverse) { return inverse; }
#endif

// What radial laws are asked about: above 0.
inline real distance_of(real inverse) { return inverse > 0 ? 1 / inverse : (real)1; }

inline real pair_force(real inverse) { return falloff(inverse) * radial_force(distance_of(inverse)); }
inline real pair_potential(real inverse) {
  return potential_falloff(inverse) * radial_potential(distance_of(inverse));
}

// SPDX-License-Identifier: MIT
// The law of pairs with its radial part: what the radial law makes of pair.cl, newton's law, at that
// inverse distance. Programs for another one read its radial_NAME.cl where this file includes
// radial_newton.cl.
#pragma once
#include "pair.cl"
#include "radial_newton.cl"

#ifndef HAS_POTENTIAL_FALLOFF // a pair.cl that was edited before there was one
inline real potential_falloff(real inverse) { return inverse; }
#endif

inline real pair_force(real inverse) { return radial_force(falloff(inverse), inverse); }
inline real pair_potential(real inverse) { return radial_potential(potential_falloff(inverse), inverse); }

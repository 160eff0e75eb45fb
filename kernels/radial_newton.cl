// SPDX-License-Identifier: MIT
// Potential 1/r, force 1/r²: pair.cl as it is. On the host: core/radial/newton.hpp.
#pragma once
#include "numbers.cl"

inline real radial_force(real r) { return 1; }
inline real radial_potential(real r) { return 1; }
inline real radial_steepness(real r) { return 3; }

// SPDX-License-Identifier: MIT
// Potential 1/r, force 1/r²: pair.cl as it is. On the host: core/radial/newton.hpp. No factor of 1: where
// small numbers are flushed to zero it is a product, which cost the fastest kernel 6 % on an H200.
#pragma once
#include "numbers.cl"

inline real radial_force(real newtons, real inverse) { return newtons; }
inline real radial_potential(real newtons, real inverse) { return newtons; }
inline real radial_steepness(real inverse) { return 3; }

// SPDX-License-Identifier: MIT
// The pair law with Plummer softening: a pair at zero distance gives no force by itself.
#include "numbers.cl"

inline real inverse_distance(real r2) { return inverse_root(r2); }
// What a pair adds is strength · falloff · direction.
inline real falloff(real inverse) { return inverse * (inverse * inverse); }
inline real4 direction(real4 offset, real inverse) { return offset; }

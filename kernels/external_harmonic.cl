// SPDX-License-Identifier: MIT
// A spring to the origin along each axis. On the host: core/external/harmonic.hpp.
#include "numbers.cl"

inline state4 external_acceleration(state8 k, state4 place) {
  return (state4)(-k.s0 * place.x, -k.s1 * place.y, -k.s2 * place.z, 0);
}
inline state4 external_jerk(state8 k, state4 place, state4 velocity) {
  return external_acceleration(k, velocity);
}

#include "add_external.cl"

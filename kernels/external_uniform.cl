// SPDX-License-Identifier: MIT
// The same pull everywhere. On the host: core/external/uniform.hpp.
#include "numbers.cl"

inline state4 external_acceleration(state8 c, state4 place) {
  return (state4)(c.s0, c.s1, c.s2, 0);
}
inline state4 external_jerk(state8 c, state4 place, state4 velocity) {
  return (state4)(c.s3, c.s4, c.s5, 0);
}

#include "add_external.cl"

// SPDX-License-Identifier: MIT
// The halo of a flat rotation curve: s0 = v², s1 = core², s2 = 1/q². On the host:
// core/external/logarithmic.hpp.
#include "numbers.cl"

inline state squared_distance(state8 c, state4 p) {
  return p.x * p.x + p.y * p.y + c.s2 * (p.z * p.z) + c.s1;
}

inline state4 external_acceleration(state8 c, state4 p) {
  const state weight = -c.s0 / squared_distance(c, p);
  return (state4)(weight * p.x, weight * p.y, weight * (c.s2 * p.z), 0);
}
inline state4 external_jerk(state8 c, state4 p, state4 v) {
  const state inverse = 1 / squared_distance(c, p);
  const state weight = -c.s0 * inverse;
  const state along = 2 * (p.x * v.x + p.y * v.y + c.s2 * p.z * v.z) * inverse;
  return (state4)(weight * (v.x - along * p.x), weight * (v.y - along * p.y),
                  weight * (c.s2 * (v.z - along * p.z)), 0);
}

#include "add_external.cl"

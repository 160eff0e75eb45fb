// SPDX-License-Identifier: MIT
// A Plummer sphere, or point, held at the origin: s0 = G M, s1 = a². On the host:
// core/external/plummer.hpp.
#include "numbers.cl"

// A body in the very middle of a point feels nothing.
inline state inverse_distance(state8 c, state4 p) {
  const state square = p.x * p.x + p.y * p.y + p.z * p.z + c.s1;
  return square > 0 ? 1 / sqrt(square) : (state)0;
}

inline state4 external_acceleration(state8 c, state4 p) {
  const state root = inverse_distance(c, p);
  const state weight = -c.s0 * (root * root * root);
  return (state4)(weight * p.x, weight * p.y, weight * p.z, 0);
}
inline state4 external_jerk(state8 c, state4 p, state4 v) {
  const state root = inverse_distance(c, p);
  const state weight = -c.s0 * (root * root * root);
  const state along = 3 * (p.x * v.x + p.y * v.y + p.z * v.z) * root * root;
  return (state4)(weight * (v.x - along * p.x), weight * (v.y - along * p.y),
                  weight * (v.z - along * p.z), 0);
}

#include "add_external.cl"

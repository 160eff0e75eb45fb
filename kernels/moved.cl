// SPDX-License-Identifier: MIT
// x + rate·h; w, which holds a strength or a mass, stays.
#include "numbers.cl"

inline state4 moved(state4 x, state4 rate, state h) {
  return (state4)(x.x + rate.x * h, x.y + rate.y * h, x.z + rate.z * h, x.w);
}

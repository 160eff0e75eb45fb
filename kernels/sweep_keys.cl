// SPDX-License-Identifier: MIT
// The order in which a search for contacts takes bodies: along a Morton curve through their places,
// each coordinate as the area sine of its distance from the middle, so that bodies far away leave
// cells to the others.
#include "numbers.cl"

#define KEY_LEVELS 10

// Every so many bodies one, to find their middle and their size by.
kernel void sweep_sample(global const state4* restrict place, int count, int samples, global state4* restrict out) {
  const int k = get_global_id(0);
  if (k < samples) out[k] = place[(long)k * count / samples];
}

inline uint cell_of(state along, state scale) {
  const float u = (float)(along * scale);
  // asinh(u)/asinh(2^20), which is 14.6
  const float part = copysign(log(fabs(u) + sqrt(u * u + 1)), u) * (1 / 14.6f);
  const float cells = (float)(1 << KEY_LEVELS);
  return (uint)clamp((part + 1) * (cells / 2), 0.0f, cells - 1);
}

// Two zero bits between any two bits of ten.
inline uint spread(uint v) {
  v = (v | v << 16) & 0x030000ffu;
  v = (v | v << 8) & 0x0300f00fu;
  v = (v | v << 4) & 0x030c30c3u;
  return (v | v << 2) & 0x09249249u;
}

// Key above, number below.
kernel void sweep_items(global const state4* restrict place, int count, state x, state y, state z, state scale,
                        int number_bits, global ulong* restrict items) {
  const int i = get_global_id(0);
  if (i >= count) return;
  const state4 p = place[i];
  const uint key = spread(cell_of(p.x - x, scale)) << 2 | spread(cell_of(p.y - y, scale)) << 1 |
                   spread(cell_of(p.z - z, scale));
  items[i] = (ulong)key << number_bits | (ulong)i;
}

// SPDX-License-Identifier: MIT
// Which nodes have bodies [first, end) of the input among theirs, for devices that share the bodies:
// others need no lists. A leaf that has tells all above it.
#include "numbers.cl"

kernel void mark_wanted(int nodes, global const uint* restrict child,
                        global const uint2* restrict range, global const int* restrict order,
                        global const int* restrict parent, int first, int end,
                        volatile global int* restrict wanted) {
  const int s = get_global_id(0);
  if (s >= nodes || child[s] != 0) return;
  const uint2 bodies = range[s];
  bool found = false;
  for (uint i = bodies.x; i < bodies.y && !found; ++i) found = order[i] >= first && order[i] < end;
  if (!found) return;
  for (int node = s; node >= 0; node = parent[node]) {
    if (atomic_or(wanted + node, 1) != 0) return; // those above know it already
  }
}

// SPDX-License-Identifier: MIT
// The far field at bodies: the local expansions of their leaf and of its parent (L2P), and cells that
// act on the bodies themselves (M2P). A work-group a leaf; where it has few bodies, several work-items share the cells
// of one and are added up in a fixed order.
#include "fmm_cells.cl"

#define FAR_GROUP 64

// d from the centre of a cell to a body.
inline real4 field_of_local(real4 d, global const real* L, real length) {
#if NORMALISED
  const real inverse = 1 / length;
  d *= inverse;
  return l2p(d.x, d.y, d.z, L) * (real4)(inverse, inverse, inverse, 1);
#else
  return l2p(d.x, d.y, d.z, L);
#endif
}

kernel __attribute__((reqd_work_group_size(FAR_GROUP, 1, 1)))
void fmm_far(global const uint2* restrict range, global const uint* restrict child,
             global const int* restrict parent, global const body* restrict places, global const real4* restrict centre,
             global const real4* restrict low, global const real4* restrict moments,
             global const real* restrict locals, global const int* restrict pool,
             global const int* restrict list_start, global const int4* restrict list_counts,
             real softening, global const state4* restrict box, global real4* restrict far) {
  local real4 sums[FAR_GROUP];
  const int t = get_local_id(0), s = get_group_id(0);
  const uint2 own = child[s] == 0 ? range[s] : (uint2)(0);
  const int4 counts = list_counts[s];
  const int above = parent[s];
  const int start = list_start[s] + counts.x + counts.y + counts.z;
  const real eps2 = softening2(softening, box);
  for (uint first = own.x; first < own.y; first += FAR_GROUP) {
    const int targets = min(FAR_GROUP, (int)(own.y - first)), splits = FAR_GROUP / targets;
    const int split = t / targets, column = t % targets;
    const body target = places[first + (uint)column];
    sums[t] = split < splits ? field_of_cells(target, pool + start, counts.w, split, splits, centre,
                                              low, moments, eps2)
                             : (real4)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < targets) {
      const real4 d = offset(centre[s], low[s], high_of(target), low_of(target));
      real4 total = field_of_local(d, locals + (size_t)s * LOCAL_ROOM, low[s].w);
      if (above >= 0) {
        const real4 e = offset(centre[above], low[above], high_of(target), low_of(target));
        total += field_of_local(e, locals + (size_t)above * LOCAL_ROOM, low[above].w);
      }
      for (int k = 0; k < splits; ++k) total += sums[k * targets + t];
      far[first + (uint)t] = total;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

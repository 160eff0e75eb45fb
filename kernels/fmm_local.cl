// SPDX-License-Identifier: MIT
// Local expansions: what the sources in a node's list add (M2L, and P2L for single bodies), and then
// what its parent's expansion adds, level by level.
#include "fmm_expansion.cl"
#include "fmm_nodes.cl"

#define M2L_LANES 32
#ifndef M2L_TARGETS
#define M2L_TARGETS 2 // neighbours share a work-group, as they share sources
#endif

// An entry is a node, or the complement of a body's number, which has no moments of its own.
inline void load_source(int entry, int no_moments, global const body* places,
                        global const real4* centre, global const real4* low, int* row, real4* at,
                        real4* at_low) {
  const bool single = entry < 0;
  *row = single ? no_moments : entry;
  *at = single ? high_of(places[~entry]) : centre[entry];
  *at_low = single ? low_of(places[~entry]) : low[entry];
}

kernel __attribute__((reqd_work_group_size(M2L_LANES * M2L_TARGETS, 1, 1)))
void fmm_m2l(int nodes, global const body* restrict places, global const real4* restrict centre,
             global const real4* restrict low, global const real4* restrict moments,
             global const int* restrict pool, global const int* restrict list_start,
             global const int4* restrict list_counts, real softening,
             global const state4* restrict box, global real* restrict locals) {
  local real sums[M2L_TARGETS * M2L_LANES * (M2L_LANES + 1)];
  const int lane = get_local_id(0) % M2L_LANES, which = get_local_id(0) / M2L_LANES;
  local real* own_sums = sums + which * M2L_LANES * (M2L_LANES + 1);
  const int s = (int)get_group_id(0) * M2L_TARGETS + which, node = min(s, nodes - 1);
  const int count = s < nodes ? list_counts[node].x : 0, start = list_start[node];
  const real4 at = centre[node], at_low = low[node];
  const real eps2 = softening2(softening, box);
  real L[LOCAL_ROOM];
#pragma unroll
  for (int k = 0; k < LOCAL_ROOM; ++k) L[k] = 0;
  for (int i = lane; i < count; i += M2L_LANES) {
    int row;
    real4 from, from_low;
    load_source(pool[start + i], nodes, places, centre, low, &row, &from, &from_low);
    const real4 d = offset(from, from_low, at, at_low);
    m2l(L, d.x, d.y, d.z, from.w, moments + (size_t)row * (MOMENT_ROOM / 4), eps2, from_low.w,
        at_low.w);
  }
  // 32 coefficients at a time, each added up by one work-item
#pragma unroll
  for (int first = 0; first < LOCAL_ROOM; first += M2L_LANES) {
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < M2L_LANES; ++k) {
      own_sums[k * (M2L_LANES + 1) + lane] =
          first + k < LOCAL_ROOM ? L[min(first + k, LOCAL_ROOM - 1)] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (s < nodes && first + lane < LOCAL_ROOM) {
      real sum = 0;
      for (int k = 0; k < M2L_LANES; ++k) sum += own_sums[lane * (M2L_LANES + 1) + k];
      locals[(size_t)s * LOCAL_ROOM + first + lane] = sum;
    }
  }
}

// Of nodes with children only: leaves take what is above them from fmm_far.cl.
kernel void fmm_l2l(int first_node, int end_node, global const uint* restrict child,
                    global const int* restrict parent,
                    global const real4* restrict centre, global const real4* restrict low,
                    global real* locals) {
  const int s = first_node + (int)get_global_id(0);
  if (s >= end_node || child[s] == 0) return;
  const int above = parent[s];
  const real4 d = offset(centre[above], low[above], centre[s], low[s]);
  real L[LOCAL_ROOM];
  global real* own = locals + (size_t)s * LOCAL_ROOM;
#if NORMALISED
  const real inverse = 1 / low[above].w;
#pragma unroll
  for (int k = 0; k < LOCAL_ROOM; ++k) L[k] = 0;
  l2l(L, d.x * inverse, d.y * inverse, d.z * inverse, locals + (size_t)above * LOCAL_ROOM);
  rescale_local(L, low[s].w * inverse);
#pragma unroll
  for (int k = 0; k < LOCAL_ROOM; ++k) own[k] += L[k];
#else
#pragma unroll
  for (int k = 0; k < LOCAL_ROOM; ++k) L[k] = own[k];
  l2l(L, d.x, d.y, d.z, locals + (size_t)above * LOCAL_ROOM);
#pragma unroll
  for (int k = 0; k < LOCAL_ROOM; ++k) own[k] = L[k];
#endif
}

// SPDX-License-Identifier: MIT
// All pairs, each once. A team of 32 work-items holds 32·ROWS bodies i in registers, while tiles of
// 32 bodies j and their sums rotate past it in local memory: in step s work-item L meets slot L+s,
// so no two meet. TEAMS teams share a tile row; they take its tiles in turn.
//
// The bodies form blocks on a circle. In hop h block b meets block b+h: a bijection, so the sums of
// both sides go to places that nobody else writes, and are added in a fixed order (gather.cl).
#include "pair_softened.cl"
#include "team.cl"

#ifndef ROWS
#define ROWS 8
#endif
#ifndef TEAMS
#define TEAMS 1
#endif
#ifndef PIECES
#define PIECES 1 // a unit meets 1/PIECES of block j
#endif
#ifndef WEIGHTS
#define WEIGHTS 0 // 0: any strengths; 1: products of them, none near zero; 2: all the same
#endif
#ifndef UNROLL
#define UNROLL 8
#endif

#define LANES 32
#define TILE (LANES * TEAMS)
#define BLOCK (TILE * ROWS)
#define MEETS (BLOCK / PIECES)

// Sums are stored as three planes of `padded` values.
inline void store_sum(global real* plane, int padded, int i, real x, real y, real z) {
  plane[i] = x;
  plane[i + padded] = y;
  plane[i + 2 * padded] = z;
}

kernel __attribute__((reqd_work_group_size(TILE, 1, 1)))
void direct_symmetric(global const state4* restrict bodies, int padded, int first_hop, real eps2,
                      global real* restrict own_sums, global real* restrict met_sums) {
  // twice 32 slots, so that L+s needs no wrapping; the halves are added at the end
  local body tile[2 * TILE];
  local real4 met[2 * TILE];
  const int lane = get_local_id(0) % LANES, team = get_local_id(0) / LANES;
  const int blocks = padded / BLOCK, block = get_group_id(0);
  const int slot = get_group_id(1), piece = get_group_id(2), hop = first_hop + slot;
  const int other = (block + hop) % blocks;
  // opposite blocks of an even circle would meet twice
  const bool meets = 2 * hop != blocks || block < other;

  body own[ROWS];
  real ax[ROWS], ay[ROWS], az[ROWS];
  const int first = block * BLOCK + team * LANES * ROWS + lane;
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    own[r] = body_of(bodies[first + r * LANES]);
    ax[r] = ay[r] = az[r] = 0;
  }
  global real* met_plane = met_sums + (size_t)slot * 3 * padded;
  for (int start = other * BLOCK + piece * MEETS, end = start + MEETS; start < end; start += TILE) {
    const int mine = team * 2 * LANES + lane;
    const body loaded = body_of(bodies[start + team * LANES + lane]);
    tile[mine] = tile[mine + LANES] = loaded;
    met[mine] = met[mine + LANES] = (real4)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (meets) {
      for (int turn = 0; turn < TEAMS; ++turn) {
        const int base = (team + turn) % TEAMS * 2 * LANES + lane;
#pragma unroll UNROLL
        for (int s = 0; s < LANES; ++s) {
          const body q = tile[base + s];
          real4 sum = met[base + s];
#pragma unroll
          for (int r = 0; r < ROWS; ++r) {
            const real4 d = offset_between(own[r], q);
            const real r2 = fma(d.x, d.x, fma(d.y, d.y, fma(d.z, d.z, eps2)));
            const real inverse = inverse_distance(r2);
            const real4 e = direction(d, inverse);
            const real w = falloff(inverse);
            const real to_own = WEIGHTS == 2 ? w : WEIGHTS == 1 ? w * (strength_of(own[r]) * strength_of(q)) : w * strength_of(q);
            const real to_met = WEIGHTS == 0 ? w * strength_of(own[r]) : to_own;
            ax[r] = fma(to_own, e.x, ax[r]);
            sum.x = fma(to_met, e.x, sum.x);
            ay[r] = fma(to_own, e.y, ay[r]);
            sum.y = fma(to_met, e.y, sum.y);
            az[r] = fma(to_own, e.z, az[r]);
            sum.z = fma(to_met, e.z, sum.z);
          }
          met[base + s] = sum;
          team_sync();
        }
        if (TEAMS > 1) barrier(CLK_LOCAL_MEM_FENCE);
      }
    }
    const real4 sum = met[mine] + met[mine + LANES];
    const real keep = hop == 0 ? 0 : -1; // within a block every pair is met from both sides
    store_sum(met_plane, padded, start + team * LANES + lane, keep * sum.x, keep * sum.y, keep * sum.z);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  global real* own_plane = own_sums + (size_t)(slot * PIECES + piece) * 3 * padded;
#pragma unroll
  for (int r = 0; r < ROWS; ++r) store_sum(own_plane, padded, first + r * LANES, ax[r], ay[r], az[r]);
}

// Adds all sums of one launch to the field, in a fixed order.
kernel void gather_sums(global const real* restrict sums, int count, int padded, int begin,
                        global accum4* restrict field) {
  const int i = get_global_id(0);
  accum4 total = begin ? (accum4)(0) : field[i];
  for (int k = 0; k < count; ++k) {
    global const real* plane = sums + (size_t)k * 3 * padded + i;
    total += (accum4)((accum)plane[0], (accum)plane[padded], (accum)plane[2 * padded], 0);
  }
  field[i] = total;
}

// SPDX-License-Identifier: MIT
// All pairs, each once. A team of 32 work-items holds 32·ROWS bodies in registers, while tiles of 32
// other bodies and their sums rotate past them: in step s work-item L meets slot L+s, so no two meet.
// TEAMS teams share their tiles and take them in turn; PACK such crews fill a work-group.
//
// Bodies form blocks on a circle. In hop h block b meets block b+h: a bijection, so the sums of both
// sides go to places that nobody else writes, and gather_sums adds them hop by hop: a fixed order,
// whatever the number of hops in a launch.
#include "radial.cl"
#include "team.cl"

#ifndef ROWS
#define ROWS 4
#endif
#ifndef TEAMS
#define TEAMS 1
#endif
#ifndef PACK
#define PACK 1
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef EQUAL
#define EQUAL 0 // 1: all strengths are the same, and left to gather_sums
#endif

#define TILE (LANES * TEAMS)
#define BLOCK (TILE * ROWS)
#define VALUES (POTENTIAL ? 4 : 3)

// Sums lie in planes: x of all bodies, then y, z (and potential).
inline void store_sum(global real* plane, int bodies, int i, real4 sum) {
  plane[i] = sum.x;
  plane[i + bodies] = sum.y;
  plane[i + 2 * bodies] = sum.z;
  if (POTENTIAL) plane[i + 3 * bodies] = sum.w;
}

kernel __attribute__((reqd_work_group_size(TILE * PACK, 1, 1)))
void direct_symmetric(global const state4* restrict bodies, int blocks, int first_hop, real eps2,
                      global real* restrict sums) {
  // twice 32 slots a tile, so that L+s needs no wrapping; the halves are added at the end
  local body tiles[2 * TILE * PACK];
  local real4 met_sums[2 * TILE * PACK];
  // written so that one crew a group costs no arithmetic
  const int crew = PACK > 1 ? get_local_id(0) / TILE : 0;
  const int member = PACK > 1 ? get_local_id(0) % TILE : get_local_id(0);
  const int lane = member % LANES, team = member / LANES, next = (lane + 1) % LANES;
  local body* tile = tiles + crew * 2 * TILE;
  local real4* met = met_sums + crew * 2 * TILE;
  // crews beyond the last block repeat it, as barriers need them, and store nothing
  const int place = get_group_id(0) * PACK + crew;
  const int block = PACK > 1 ? min(place, blocks - 1) : place;
  const int slot = get_group_id(1), hop = first_hop + slot, other = (block + hop) % blocks;
  const int count = blocks * BLOCK;
  // opposite blocks of an even circle would meet twice
  const bool meets = 2 * hop != blocks || block < other;

  body own[ROWS];
  real ax[ROWS], ay[ROWS], az[ROWS], aw[ROWS]; // vectors here cost an H200 a tenth
  const int first = block * BLOCK + team * LANES * ROWS + lane;
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    own[r] = body_of(bodies[first + r * LANES]);
    ax[r] = ay[r] = az[r] = aw[r] = 0;
  }
  global real* own_plane = sums + (size_t)slot * 2 * VALUES * count;
  global real* met_plane = own_plane + (size_t)VALUES * count;
  for (int start = other * BLOCK; start < (other + 1) * BLOCK; start += TILE) {
    const int mine = team * 2 * LANES + lane;
    tile[mine] = tile[mine + LANES] = body_of(bodies[start + member]);
    met[mine] = met[mine + LANES] = (real4)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    // crews of one group may differ here, and must meet at barriers all the same
    if (PACK > 1 || meets) {
      for (int turn = 0; turn < TEAMS; ++turn) {
        const int chunk = (team + turn) % TEAMS, base = chunk * 2 * LANES + lane;
        real4 carried = begun_sum(&met[base]);
#pragma unroll UNROLL
        for (int s = 0; s < LANES; ++s) {
          const body q = tile[base + s];
          real4 back = slot_sum(&met[base + s], carried);
#pragma unroll
          for (int r = 0; r < ROWS; ++r) {
            const real4 d = offset_between(own[r], q);
            const real inverse = inverse_distance(square_distance(d, eps2));
            const real4 e = direction(d, inverse);
            const real weight = pair_force(inverse);
            const real to_own = EQUAL ? weight : weight * strength_of(q);
            const real to_met = EQUAL ? weight : weight * strength_of(own[r]);
            ax[r] = fma(to_own, e.x, ax[r]);
            back.x = fma(to_met, e.x, back.x);
            ay[r] = fma(to_own, e.y, ay[r]);
            back.y = fma(to_met, e.y, back.y);
            az[r] = fma(to_own, e.z, az[r]);
            back.z = fma(to_met, e.z, back.z);
            if (POTENTIAL) {
              const bool itself = first + r * LANES == start + chunk * LANES + (lane + s) % LANES;
              const real counted = itself ? (real)0 : pair_potential(inverse);
              aw[r] = fma(EQUAL ? (real)1 : strength_of(q), counted, aw[r]);
              back.w = fma(EQUAL ? (real)1 : strength_of(own[r]), counted, back.w);
            }
          }
          carried = handed_on(&met[base + s], back, next, VALUES);
        }
        end_sum(&met[base], carried);
        if (TEAMS > 1) barrier(CLK_LOCAL_MEM_FENCE);
      }
    }
    // the other side feels the opposite force; within a block every pair is met from both sides
    const real keep = meets && hop > 0 ? 1 : 0;
    const real4 both = met[mine] + (SHUFFLE ? (real4)(0) : met[mine + LANES]);
    if (place == block) {
      store_sum(met_plane, count, start + member,
                both * (real4)(-keep, -keep, -keep, keep));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (place != block) return;
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const real4 sum = (real4)(ax[r], ay[r], az[r], aw[r]);
    store_sum(own_plane, count, first + r * LANES, meets ? sum : (real4)(0));
  }
}

// Adds the sums of `hops` hops to the field, own side and other side of each hop in turn.
kernel void gather_sums(global const real* restrict sums, int hops, int count, int begin,
                        real strength, global accum4* restrict field, int first) {
  const int i = get_global_id(0);
  accum4 total = begin ? (accum4)(0) : field[first + i];
  for (int k = 0; k < 2 * hops; ++k) {
    global const real* plane = sums + (size_t)k * VALUES * count + i;
    const real w = POTENTIAL ? plane[3 * (size_t)count] : (real)0;
    const real4 sum = (real4)(plane[0], plane[count], plane[2 * (size_t)count], w);
    total += widened(EQUAL ? sum * strength : sum);
  }
  field[first + i] = total;
}

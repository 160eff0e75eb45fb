// SPDX-License-Identifier: MIT
// What both walks share (fmm_walk.cl, tree_walk.cl): when a node may act as a whole, votes of a team
// of 32 work-items, and how lists grow.
//
// A source is accepted where it is apart from the target, radius < angle·R, and the error to be
// expected, weighed by the source's share of the field at the target, is below a tolerance:
//   (h σ^a / R)^order < tolerance,  σ = Σ|s_A| / (R² |field|_B)
// with h its mean radius.
//
// Lists grow in the team's own scratch and then move to the pool, where room for exactly as much is
// taken by one atomic addition. Where a list lies may differ from run to run, what is in it may not.
#pragma once
#include "fmm_nodes.cl"
#include "team.cl"

#ifndef WALKERS
#define WALKERS 1 // teams a work-group; more than one only where teams run in lockstep
#endif
#define FEW 16          // bodies of a leaf whose own distances are looked at
#ifndef STACK
#define STACK 640       // 28 more for every level, and the first 35
#endif
#define SOURCE_POWER 0.75f // a·order
// counters
#define POOL_USED 0
#define LONGEST 1 // list that did not fit its scratch

// Scratch is written by one work-item and read by another.
#if WARPS
#define lists_sync() team_sync()
#else
#define lists_sync() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

// A bit for every work-item of the team with that outcome, one of `kinds`.
#if WARPS
inline uint ballot(int yes) {
  uint votes;
  asm volatile("{.reg .pred p;\n\tsetp.ne.s32 p, %1, 0;\n\t"
               "vote.sync.ballot.b32 %0, p, 0xffffffff;}" : "=r"(votes) : "r"(yes));
  return votes;
}
#define gather_votes(votes, kinds, outcome, lane)
#define votes_for(votes, outcome, kind) ballot((outcome) == (kind))
#else
#define gather_votes(votes, kinds, outcome, lane)                    \
  if ((lane) < (kinds)) (votes)[lane] = 0;                           \
  team_sync();                                                       \
  atomic_or(&(votes)[outcome], 1u << (lane));                        \
  team_sync()
#define votes_for(votes, outcome, kind) (votes)[kind]
#endif

// A place, and what float can't hold of it: in trees of fine levels whole clumps are smaller than that.
typedef struct {
  real4 at, low;
} point;
inline point point_at(int s, global const real4* centre, global const real4* low) {
  point p;
  p.at = centre[s];
  p.low = NORMALISED ? low[s] : (real4)(0);
  return p;
}
inline real distance2(point a, point b) {
  return length2(NORMALISED ? offset(a.at, a.low, b.at, b.low) : b.at - a.at);
}
inline real distance2_to_body(point a, body b) {
  return length2(NORMALISED ? offset(a.at, a.low, high_of(b), low_of(b)) : high_of(b) - a.at);
}

typedef struct {
  point centre;
  real4 size;
  uint2 bodies;
  real inverse_field; // 1/|field|
} target_node;

inline target_node target_at(int s, global const real4* centre, global const real4* low,
                             global const real4* size, global const uint2* range,
                             global const real* magnitude) {
  target_node b;
  b.centre = point_at(s, centre, low);
  b.size = size[s];
  b.bodies = range[s];
  b.inverse_field = 1 / magnitude[s];
  return b;
}

typedef struct {
  real angle2, limit, least2, eps2; // limit: tolerance^(2/order)
  real source_power;
  int many; // bodies of a leaf from which on its expansion is cheaper than they are
  int deep; // leaves may be much sparser than what is near them
} walk_rules;

// σ^power, squared distance given.
inline real share(real weight, real d2, target_node b, real power) {
  return native_exp2(power * native_log2(weight * native_recip(d2) * b.inverse_field));
}
inline bool apart(real radius, real error_radius, real d2, walk_rules rules) {
  return radius * radius < rules.angle2 * d2 && error_radius * error_radius < rules.limit * d2 &&
         d2 + rules.eps2 > rules.least2;
}
// Whether the bodies of a leaf are so much further apart than those of another node that looking at
// each of them is cheaper than what a sphere around them lets through: a sphere around some bodies
// far out has a whole cluster in it. Where one body is far from all others, cells next to the cluster
// are so large that those on its edge are one such leaf.
#define SPARSE 4
#define FEW_SPARSE 256
inline bool is_sparse(real radius, real of_other, uint2 own, walk_rules rules) {
  return rules.deep && radius > SPARSE * of_other && own.y - own.x <= FEW_SPARSE;
}
// From a point to the nearest of some bodies, squared: exactly for few of them, otherwise by the
// sphere around all. 0 where the point may lie among them.
inline real nearest2(point from, real distance, real radius, real of_other, uint2 own,
                     walk_rules rules, global const body* places) {
  if (own.y - own.x > FEW && !is_sparse(radius, of_other, own, rules)) {
    const real gap = fmax(distance - radius, (real)0);
    return gap * gap;
  }
  real least = distance2_to_body(from, places[own.x]);
  for (uint i = own.x + 1; i < own.y; ++i) least = fmin(least, distance2_to_body(from, places[i]));
  return least;
}
// Whether a source may act on all bodies of a target by its expansion.
inline bool acts_on_bodies(point at, real4 size, real distance, target_node b, walk_rules rules,
                           global const body* places) {
  const real d2 = nearest2(at, distance, b.size.x, size.x, b.bodies, rules, places);
  return apart(size.x, size.y * share(size.w, d2, b, rules.source_power), d2, rules);
}

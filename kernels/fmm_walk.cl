// SPDX-License-Identifier: MIT
// Which nodes act on which. Targets level by level, a team of 32 work-items each: sources that the
// parent left undecided come in, and each ends in one list of the target, is split into its children,
// or is left to the target's children. Nodes before `root_end`, which are too few to keep a device
// busy level by level, begin at the root instead; those before `idle_end` leave all to their
// children, unless they are leaves.
//
// A source is accepted for a target's expansion as fmm_accept.cl says, with the radii of both:
//   (r_A + r_B) < angle·R,  ((h_A σ^a + h_B σ^b) / R)^order < tolerance
// h of the target being mixed with the largest radius.
#include "fmm_accept.cl"

#define MOST_POINTS 32  // bodies of a leaf that act on a local expansion one by one
#define TARGET_POWER 0.5f  // b·order
#define LARGEST_SHARE 0.75f // of the largest radius in that of a target
// What becomes of a source. The first four are lists, in the order of the pool.
#define EXPAND 0  // M2L: acts on the target's local expansion
#define PAIRS 1   // P2P: body by body
#define LATER 2   // undecided until the target's children ask
#define AT_BODIES 3 // M2P: acts on the target's bodies
#define LISTS 4
#define POINTS 4  // P2L: its bodies act on the local expansion
#define SPLIT 5
#define NOTHING 6
#define KINDS 7

inline int outcome_of(point at, real4 size, uint2 bodies, target_node b, walk_rules rules,
                      real target_power, global const body* places) {
  const bool leaf = is_leaf(size), target_leaf = is_leaf(b.size);
  const real radius = mix(b.size.y, b.size.x, LARGEST_SHARE);
  const real r2 = distance2(at, b.centre);
  const real source = size.y * share(size.w, r2, b, rules.source_power);
  const real target = radius * share(size.w, r2, b, target_power);
  if (apart(size.x + b.size.x, source + target, r2, rules)) return EXPAND;
  const real distance = sqrt(r2);
  if (target_leaf && (leaf ? (int)link_of(size) > rules.many : size.x <= b.size.x)) {
    if (acts_on_bodies(at, size, distance, b, rules, places)) return AT_BODIES;
  }
  const bool few = leaf && (link_of(size) <= MOST_POINTS || is_sparse(size.x, b.size.x, bodies, rules));
  if (few && (target_leaf ? (int)link_of(b.size) > rules.many : size.x > b.size.x)) {
    const real d2 = nearest2(b.centre, distance, size.x, b.size.x, bodies, rules, places);
    if (apart(b.size.x, radius * share(size.w, d2, b, target_power), d2, rules)) return POINTS;
  }
  if (leaf && target_leaf) return PAIRS;
  return !leaf && (target_leaf || size.x > b.size.x) ? SPLIT : LATER;
}

kernel __attribute__((reqd_work_group_size(LANES * WALKERS, 1, 1)))
void fmm_walk(int first_node, int end_node, int idle_end, int root_end,
              global const real4* restrict centre, global const real4* restrict low,
              global const real4* restrict size, global const real* restrict magnitude,
              global const int* restrict parent, global const uint2* restrict range,
              global const body* restrict places, global const state4* restrict box,
              int all_wanted, global const int* restrict wanted, real softening, real angle, real limit, real least2, int order, int many, int deep,
              global int* scratch, int room,
              global int* pool, int pool_room, global int* restrict list_start,
              global int4* restrict list_counts, volatile global uint* restrict counters) {
  local uint stacks[WALKERS * STACK], votes_of[WALKERS * KINDS];
  local uint2 points_of[WALKERS * LANES];
  local int start_of[WALKERS];
  const int lane = get_local_id(0) % LANES, walker = get_local_id(0) / LANES;
  local uint* stack = stacks + walker * STACK;
  local uint* votes = votes_of + walker * KINDS;
  local uint2* points = points_of + walker * LANES;
  const int team = (int)get_group_id(0) * WALKERS + walker;
  const int teams = (int)get_num_groups(0) * WALKERS;
  global int* own_scratch = scratch + (size_t)team * LISTS * room;
  walk_rules rules;
  rules.angle2 = angle * angle;
  rules.limit = limit;
  rules.least2 = least2;
  rules.eps2 = softening2(softening, box);
  rules.source_power = SOURCE_POWER / order;
  rules.many = many;
  rules.deep = deep;
  const real target_power = TARGET_POWER / order;
  for (int s = first_node + team; s < end_node; s += teams) {
    const target_node b = target_at(s, centre, low, size, range, magnitude);
    const bool inherits = s >= root_end;
    const bool walks = all_wanted || wanted[s];
    bool root = walks && !inherits && (s >= idle_end || is_leaf(b.size));
    const int above = inherits ? parent[s] : 0;
    const int4 counts_above = inherits ? list_counts[above] : (int4)(0);
    const int given = walks ? counts_above.z : 0;
    const int given_start = inherits ? list_start[above] + counts_above.x + counts_above.y : 0;
    int stacked = 0, taken = 0, listed[LISTS];
#pragma unroll
    for (int k = 0; k < LISTS; ++k) listed[k] = 0;
    lists_sync(); // the last target's lists are in the pool
    while (stacked > 0 || taken < given || root) {
      int source = -1;
      if (root) {
        if (lane == 0) source = 0;
        root = false;
      } else if (stacked >= 4 || taken >= given) {
        // children of the last four that were split, eight work-items for each
        const int popped = min(stacked, 4), which = lane / 8;
        if (which < popped) {
          const uint word = stack[stacked - popped + which];
          if (lane % 8 < (int)(word >> CHILDREN)) source = (int)(word & FIRST_CHILD) + lane % 8;
        }
        stacked -= popped;
      } else {
        if (taken + lane < given) source = pool[given_start + taken + lane];
        taken += LANES;
      }
      int outcome = NOTHING;
      real4 source_size = (real4)(0);
      if (source >= 0) {
        source_size = size[source];
        const uint2 bodies = range[source];
        outcome = outcome_of(point_at(source, centre, low), source_size, bodies, b, rules, target_power,
                             places);
        if (outcome == POINTS) points[lane] = bodies;
      }
      gather_votes(votes, KINDS, outcome, lane);
      uint mask[LISTS], own_mask = 0;
#pragma unroll
      for (int k = 0; k < LISTS; ++k) {
        mask[k] = votes_for(votes, outcome, k);
        if (outcome == k) own_mask = mask[k];
      }
      const uint split = votes_for(votes, outcome, SPLIT);
      uint pointed = votes_for(votes, outcome, POINTS);
      const uint before = (1u << lane) - 1;
      if (outcome == SPLIT) stack[stacked + (int)popcount(split & before)] = link_of(source_size);
      stacked += (int)popcount(split);
#pragma unroll
      for (int k = 0; k < LISTS; ++k) {
        const int at = listed[k] + (int)popcount(own_mask & before);
        if (outcome == k && at < room) own_scratch[k * room + at] = source;
        listed[k] += (int)popcount(mask[k]);
      }
      team_sync(); // stack and points are whole
      for (; pointed != 0; pointed &= pointed - 1) {
        const uint2 bodies = points[popcount((pointed & (0u - pointed)) - 1)];
        for (uint i = bodies.x + (uint)lane; i < bodies.y; i += LANES) {
          const int at = listed[EXPAND] + (int)(i - bodies.x);
          if (at < room) own_scratch[EXPAND * room + at] = ~(int)i;
        }
        listed[EXPAND] += (int)(bodies.y - bodies.x);
      }
      team_sync(); // votes and points are read
    }
    lists_sync();
    int all = 0, longest = 0;
#pragma unroll
    for (int k = 0; k < LISTS; ++k) {
      all += listed[k];
      longest = max(longest, listed[k]);
    }
    if (lane == 0) {
      if (longest > room) atomic_max(&counters[LONGEST], (uint)longest);
      start_of[walker] = longest > room ? pool_room : (int)atomic_add(&counters[POOL_USED], (uint)all);
    }
    team_sync();
    // what does not fit is left out; the host sees it in the counters, makes room and walks again
    const int start = start_of[walker];
    const bool fits = longest <= room && start >= 0 && start <= pool_room - all;
    int to = start;
#pragma unroll
    for (int k = 0; k < LISTS; ++k) {
      if (fits) {
        for (int i = lane; i < listed[k]; i += LANES) pool[to + i] = own_scratch[k * room + i];
      }
      to += listed[k];
    }
    if (lane == 0) {
      list_start[s] = fits ? start : 0;
      list_counts[s] = fits ? (int4)(listed[0], listed[1], listed[2], listed[3]) : (int4)(0);
    }
  }
}

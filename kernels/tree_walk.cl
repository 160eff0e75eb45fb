// SPDX-License-Identifier: MIT
// Barnes and Hut: which nodes act on the bodies of a leaf. Every leaf begins at the root, a team of 32
// work-items each: a source acts as a whole, is split into its children, or, a leaf, acts body by
// body. Lists lie as those of fmm_walk.cl do; nodes that are no leaves have none.
#include "fmm_accept.cl"

// What becomes of a source; the first two are lists.
#define PAIRS 0     // P2P: body by body
#define AT_BODIES 1 // M2P: acts on the target's bodies
#define LISTS 2
#define SPLIT 2
#define NOTHING 3
#define KINDS 4

inline int outcome_of(point at, real4 size, target_node b, walk_rules rules,
                      global const body* places) {
  const bool leaf = is_leaf(size);
  const bool cheaper = !leaf || (int)link_of(size) > rules.many;
  const real distance = sqrt(distance2(at, b.centre));
  if (cheaper && acts_on_bodies(at, size, distance, b, rules, places)) return AT_BODIES;
  return leaf ? PAIRS : SPLIT;
}

kernel __attribute__((reqd_work_group_size(LANES * WALKERS, 1, 1)))
void tree_walk(int nodes, global const real4* restrict centre, global const real4* restrict low,
               global const real4* restrict size,
               global const real* restrict magnitude, global const uint2* restrict range,
               global const body* restrict places, global const state4* restrict box,
               int all_wanted, global const int* restrict wanted, real softening, real angle, real limit, real least2, int order, int many, int deep,
               global int* scratch, int room, global int* restrict pool, int pool_room,
               global int* restrict list_start, global int4* restrict list_counts,
               volatile global uint* restrict counters) {
  local uint stacks[WALKERS * STACK], votes_of[WALKERS * KINDS];
  local int start_of[WALKERS];
  const int lane = get_local_id(0) % LANES, walker = get_local_id(0) / LANES;
  local uint* stack = stacks + walker * STACK;
  local uint* votes = votes_of + walker * KINDS;
  const int team = (int)get_group_id(0) * WALKERS + walker;
  const int teams = (int)get_num_groups(0) * WALKERS;
  global int* own_scratch = scratch + (size_t)team * LISTS * room;
  const uint before = (1u << lane) - 1;
  walk_rules rules;
  rules.angle2 = angle * angle;
  rules.limit = limit;
  rules.least2 = least2;
  rules.eps2 = softening2(softening, box);
  rules.source_power = SOURCE_POWER / order;
  rules.many = many;
  rules.deep = deep;
  for (int s = team; s < nodes; s += teams) {
    const target_node b = target_at(s, centre, low, size, range, magnitude);
    const bool walks = is_leaf(b.size) && (all_wanted || wanted[s]);
    int stacked = 0, pairs = 0, cells = 0;
    bool root = walks;
    lists_sync(); // the last target's lists are in the pool
    while (stacked > 0 || root) {
      // children of the last four that were split, eight work-items for each
      const int popped = min(stacked, 4), which = lane / 8;
      int source = root && lane == 0 ? 0 : -1;
      root = false;
      if (which < popped) {
        const uint word = stack[stacked - popped + which];
        if (lane % 8 < (int)(word >> CHILDREN)) source = (int)(word & FIRST_CHILD) + lane % 8;
      }
      stacked -= popped;
      int outcome = NOTHING;
      real4 source_size = (real4)(0);
      if (source >= 0) {
        source_size = size[source];
        outcome = outcome_of(point_at(source, centre, low), source_size, b, rules, places);
      }
      gather_votes(votes, KINDS, outcome, lane);
      const uint split = votes_for(votes, outcome, SPLIT);
      const uint paired = votes_for(votes, outcome, PAIRS);
      const uint whole = votes_for(votes, outcome, AT_BODIES);
      if (outcome == SPLIT) stack[stacked + (int)popcount(split & before)] = link_of(source_size);
      const int at = outcome == PAIRS ? pairs + (int)popcount(paired & before)
                                      : cells + (int)popcount(whole & before);
      if (outcome < LISTS && at < room) own_scratch[outcome * room + at] = source;
      stacked += (int)popcount(split);
      pairs += (int)popcount(paired);
      cells += (int)popcount(whole);
      team_sync(); // the stack is whole, votes are read
    }
    lists_sync();
    const int all = pairs + cells, longest = max(pairs, cells);
    if (lane == 0) {
      if (longest > room) atomic_max(&counters[LONGEST], (uint)longest);
      start_of[walker] = longest > room ? pool_room : (int)atomic_add(&counters[POOL_USED], (uint)all);
    }
    team_sync();
    // what does not fit is left out; the host sees it in the counters, makes room and walks again
    const int start = start_of[walker];
    const bool fits = longest <= room && start >= 0 && start <= pool_room - all;
    if (fits) {
      for (int i = lane; i < pairs; i += LANES) pool[start + i] = own_scratch[i];
      for (int i = lane; i < cells; i += LANES) pool[start + pairs + i] = own_scratch[room + i];
    }
    if (lane == 0) {
      list_start[s] = fits ? start : 0;
      list_counts[s] = fits ? (int4)(0, pairs, 0, cells) : (int4)(0);
    }
  }
}

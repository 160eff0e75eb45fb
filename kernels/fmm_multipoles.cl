// SPDX-License-Identifier: MIT
// Centres, sizes and moments of all nodes: of leaves from their bodies, of the others from their
// children, level by level.
#include "fmm_expansion.cl"
#include "fmm_nodes.cl"

#define P2M_GROUP 64
#define CROWD 256 // bodies of a leaf that a work-item does not look at alone
#define M2M_GROUP 64
#define LANES_A_NODE 8
#define NO_MAGNITUDE 3e38f

// The mean that a node's size is made of: of the power of the distance that the first neglected
// moments have. A few bodies far out count there, in a root-mean-square they would not.
inline real to_power(real d2) { return native_powr(d2, 0.5f * ORDER); }
inline real from_power(real mean) { return native_powr(mean, 1.0f / ORDER); }

// The length that a cell's expansions are in: a power of two from its radius to twice that, or, for
// bodies in one place, what float can resolve there.
#define LEAST_LENGTH 9.1e-13f // 2^-40
inline real length_for(real radius, real4 at) {
  const real resolved = 6e-8f * fmax(fabs(at.x), fmax(fabs(at.y), fabs(at.z)));
  const uint bits = as_uint(fmax(radius, fmax(resolved, LEAST_LENGTH)));
  return NORMALISED ? as_float((bits & 0x7f800000u) + 0x00800000u) : 1;
}

// A centre that is `mean` away from a place; the strength goes with it.
inline void set_centre(int s, real4 place, real4 place_low, real4 mean, real strength,
                       global real4* centre, global real4* low) {
  real4 lost;
  mean.w = 0;
  place.w = 0;
  real4 at = exact_sum(place, mean, &lost);
  lost += place_low;
  at.w = strength;
  lost.w = 0;
  centre[s] = at;
  low[s] = lost;
}

inline void store_moments(const real* M, int s, global real4* moments) {
#pragma unroll
  for (int q = 0; q < MOMENT_ROOM / 4; ++q) {
    moments[(size_t)s * (MOMENT_ROOM / 4) + q] =
        (real4)(M[4 * q], M[4 * q + 1], M[4 * q + 2], M[4 * q + 3]);
  }
}

// Mean place relative to the first body, summed strength and |strength|.
inline real4 mean_place(global const body* places, uint2 own, real* strength, real* weight) {
  const body first = places[own.x];
  real4 weighted = (real4)(0), plain = (real4)(0);
  *strength = *weight = 0;
  for (uint i = own.x; i < own.y; ++i) {
    const real s = strength_of(places[i]);
    const real4 d = offset_between(first, places[i]);
    weighted += fabs(s) * d;
    plain += d;
    *strength += s;
    *weight += fabs(s);
  }
  return *weight > 0 ? weighted / *weight : plain / (real)(own.y - own.x);
}

#if NORMALISED
// The corners of the bodies of a leaf, and the square of the distance of the furthest from a place.
inline real furthest2(global const body* places, uint2 own, real4 at, real4 at_low,
                      global real4* bounds) {
  real4 lowest = high_of(places[own.x]), highest = lowest;
  real largest = 0;
  for (uint i = own.x; i < own.y; ++i) {
    lowest = fmin(lowest, high_of(places[i]));
    highest = fmax(highest, high_of(places[i]));
    largest = fmax(largest, length2(offset(high_of(places[i]), low_of(places[i]), at, at_low)));
  }
  bounds[0] = lowest;
  bounds[1] = highest;
  return largest;
}
// From a place to the furthest corner of a box, with some room for what floats lose.
inline real corner_distance(real4 lowest, real4 highest, real4 at) {
  const real4 room = 5e-7f * fmax(fabs(lowest), fabs(highest));
  const real4 d = fmax(at - lowest, highest - at) + room;
  return sqrt(length2(d));
}
#endif

// What a pass over the leaves leaves of each; see fmm_nodes.cl.
//   near    what stands for the leaf among near sources. Bodies that share one place are one source,
//           which is kept behind the bodies: a million of them must not be a million squared pairs.
//   bounds  [2s], [2s + 1]: where expansions are normalised, the corners of the node's bodies
typedef struct {
  global body* places;
  int bodies;
  global real4 *centre, *low, *size, *moments;
  global uint2* near;
  global real4* bounds;
} leaf_results;

inline void set_one_source(leaf_results out, int s, body place, real strength) {
  real4 high = high_of(place);
  high.w = strength;
  out.places[out.bodies + s] = joined(high, low_of(place));
  out.near[s] = (uint2)((uint)(out.bodies + s), (uint)(out.bodies + s + 1));
}

inline void expand_leaf(leaf_results out, int s, uint2 own) {
  global const body* places = out.places;
  const uint count = own.y - own.x;
  const body first = places[own.x];
  real M[MOMENT_ROOM];
#pragma unroll
  for (int j = 0; j < MOMENT_ROOM; ++j) M[j] = 0;
  real strength, weight;
  const real4 mean = mean_place(places, own, &strength, &weight);
  set_centre(s, high_of(first), low_of(first), mean, strength, out.centre, out.low);
  const real4 at = out.centre[s], at_low = out.low[s];
#if NORMALISED
  const real length_of =
      length_for(sqrt(furthest2(places, own, at, at_low, out.bounds + 2 * s)), at);
  out.low[s].w = length_of;
#else
  const real length_of = 1;
#endif
  const real inverse = 1 / length_of;
  real largest = 0, weighted = 0, plain = 0;
  for (uint i = own.x; i < own.y; ++i) {
    const real m = strength_of(places[i]);
    const real4 d = offset(high_of(places[i]), low_of(places[i]), at, at_low) * inverse;
    const real d2 = length2(d);
    largest = fmax(largest, d2);
    const real power = to_power(d2);
    weighted = fma(fabs(m), power, weighted);
    plain += power;
    p2m(M, d.x, d.y, d.z, m);
  }
  const real power = weight > 0 ? weighted / weight : plain / (real)count;
  out.size[s] = (real4)(sqrt(largest) * length_of, from_power(power) * length_of, as_float(count),
                        weight);
  store_moments(M, s, out.moments);
  out.near[s] = own;
  if (count > 1 && largest == 0) set_one_source(out, s, first, strength);
}

// Of bodies in one place, whose sums are known.
inline void expand_pile(leaf_results out, int s, uint2 own, real strength, real weight) {
  const body first = out.places[own.x];
  set_centre(s, high_of(first), low_of(first), (real4)(0), strength, out.centre, out.low);
#if NORMALISED
  out.low[s].w = length_for(0, out.centre[s]);
  out.bounds[2 * s] = out.bounds[2 * s + 1] = high_of(first);
#endif
  out.size[s] = (real4)(0, 0, as_float(own.y - own.x), weight);
  real M[MOMENT_ROOM];
#pragma unroll
  for (int j = 0; j < MOMENT_ROOM; ++j) M[j] = 0;
  store_moments(M, s, out.moments);
  set_one_source(out, s, first, strength);
}

// A work-item a leaf. Those with very many bodies, which are most often in one place, are looked at by
// the whole work-group.
kernel __attribute__((reqd_work_group_size(P2M_GROUP, 1, 1)))
void fmm_p2m(int nodes, int bodies, global const uint2* restrict range,
             global const uint* restrict child, global body* places, global real4* restrict centre,
             global real4* restrict low, global real4* restrict size,
             global real4* restrict moments, global uint2* restrict near,
             global real4* restrict bounds) {
  local float2 sums[P2M_GROUP];
  local int apart[P2M_GROUP], crowded[P2M_GROUP], any_crowded;
  const leaf_results out = {places, bodies, centre, low, size, moments, near, bounds};
  const int t = get_local_id(0), s = get_global_id(0), first_of_group = s - t;
  const uint2 own = s < nodes && child[s] == 0 ? range[s] : (uint2)(0);
  const bool crowd = own.y - own.x > CROWD;
  if (s == nodes) { // behind the last node a source without moments: a single body
    for (int q = 0; q < MOMENT_ROOM / 4; ++q) moments[(size_t)s * (MOMENT_ROOM / 4) + q] = (real4)(0);
  }
  if (own.y > own.x && !crowd) expand_leaf(out, s, own);
  if (t == 0) any_crowded = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  crowded[t] = crowd;
  if (crowd) any_crowded = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; any_crowded && k < P2M_GROUP; ++k) {
    if (!crowded[k]) continue;
    const int node = first_of_group + k;
    const uint2 theirs = range[node];
    const body place = places[theirs.x];
    float2 sum = (float2)(0);
    int elsewhere = 0;
    for (uint i = theirs.x + (uint)t; i < theirs.y; i += P2M_GROUP) {
      const real strength = strength_of(places[i]);
      sum += (float2)(strength, fabs(strength));
      const real4 d = offset_between(place, places[i]);
      elsewhere |= d.x != 0 || d.y != 0 || d.z != 0;
    }
    sums[t] = sum;
    apart[t] = elsewhere;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_of = P2M_GROUP / 2; half_of > 0; half_of /= 2) {
      if (t < half_of) {
        sums[t] += sums[t + half_of];
        apart[t] |= apart[t + half_of];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) {
      if (apart[0]) expand_leaf(out, node, theirs);
      else expand_pile(out, node, theirs, sums[0].x, sums[0].y);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

#if !NORMALISED
// Every third bit together again.
inline uint gathered(ulong x) {
  x &= 0x1249249249249249UL;
  x = (x ^ (x >> 2)) & 0x10c30c30c30c30c3UL;
  x = (x ^ (x >> 4)) & 0x100f00f00f00f00fUL;
  x = (x ^ (x >> 8)) & 0x1f0000ff0000ffUL;
  x = (x ^ (x >> 16)) & 0x1f00000000ffffUL;
  return (uint)((x ^ (x >> 32)) & 0x1fffffUL);
}
// Distance from a coordinate of the centre to the further wall of the cell, with some room for what
// keys lose in rounding.
inline real wall_distance(state corner, state side, state box_side, real place) {
  const state room = (state)5e-7 * (fabs(corner) + box_side);
  return (real)fmax((state)place - corner, corner + side - (state)place) + (real)room;
}
// No body is further from the centre than the furthest corner of its cell.
inline real corner_distance(ulong cell, int level, real4 at, global const state4* box) {
  const state unit = box[1].x, whole = box[0].w * unit, side = whole / (state)(1 << level);
  const state4 corner = box[0] * unit;
  const real x = wall_distance(corner.x + side * gathered(cell >> 2), side, whole, at.x);
  const real y = wall_distance(corner.y + side * gathered(cell >> 1), side, whole, at.y);
  const real z = wall_distance(corner.z + side * gathered(cell), side, whole, at.z);
  return sqrt(x * x + y * y + z * z);
}
#endif

// Eight work-items a node, one a child. `magnitude` is the smallest |field| expected in the node.
kernel __attribute__((reqd_work_group_size(M2M_GROUP, 1, 1)))
void fmm_m2m(int first_node, int end_node, int level, int depth, global const uint* restrict child,
             global const uint2* restrict range, global const ulong* restrict keys,
             global const state4* restrict box, global real4* restrict centre,
             global real4* restrict low, global real4* restrict size,
             global real4* restrict moments, global real* restrict magnitude,
             global real4* bounds) {
  local real4 offsets[M2M_GROUP], sizes[M2M_GROUP];
  local real slice[M2M_GROUP * (LANES_A_NODE + 1)];
  const int t = get_local_id(0), lane = t % LANES_A_NODE, head = t - lane;
  const int s = first_node + (int)get_global_id(0) / LANES_A_NODE;
  const uint word = s < end_node ? child[s] : 0;
  const int first = (int)(word & FIRST_CHILD), children = (int)(word >> CHILDREN);
  const bool used = lane < children;
  const int own = first + lane;
  // where the children are, from the first of them
  real4 base_place = (real4)(0), base_low = (real4)(0), from_base = (real4)(0);
  real4 own_size = (real4)(0);
  if (used) {
    base_place = centre[first];
    base_low = low[first];
    from_base = offset(base_place, base_low, centre[own], low[own]);
    from_base.w = centre[own].w;
    own_size = size[own];
  }
  offsets[t] = from_base;
  sizes[t] = own_size;
  barrier(CLK_LOCAL_MEM_FENCE);
  real4 weighted = (real4)(0), plain = (real4)(0);
  real strength = 0, weight = 0;
  for (int k = 0; k < children; ++k) {
    const real share = sizes[head + k].w;
    weighted += share * offsets[head + k];
    plain += offsets[head + k];
    strength += offsets[head + k].w;
    weight += share;
  }
  const real4 mean = weight > 0 ? weighted / weight : plain / (real)max(children, 1);
  const real4 d = mean - from_base;
  const real d2 = length2(d);
#if NORMALISED
  // the sphere around the children's, or the box around theirs
  real4 lowest = (real4)(0), highest = lowest;
  real furthest = 0;
  for (int k = 0; k < children; ++k) {
    const real4 corner = bounds[2 * (first + k)], other = bounds[2 * (first + k) + 1];
    lowest = k == 0 ? corner : fmin(lowest, corner);
    highest = k == 0 ? other : fmax(highest, other);
    furthest = fmax(furthest, sqrt(length2(mean - offsets[head + k])) + sizes[head + k].x);
  }
  const real4 at = base_place + mean;
  furthest = fmin(furthest, corner_distance(lowest, highest, at));
  const real length_of = length_for(furthest, at), inverse = 1 / length_of;
#else
  const real length_of = 1, inverse = 1;
#endif
  real M[MOMENT_ROOM], C[MOMENT_ROOM];
#pragma unroll
  for (int j = 0; j < MOMENT_ROOM; ++j) M[j] = 0;
  if (used) {
#pragma unroll
    for (int q = 0; q < MOMENT_ROOM / 4; ++q) {
      const real4 four = moments[(size_t)own * (MOMENT_ROOM / 4) + q];
      C[4 * q] = four.x;
      C[4 * q + 1] = four.y;
      C[4 * q + 2] = four.z;
      C[4 * q + 3] = four.w;
    }
#if NORMALISED
    rescale_moments(C, low[own].w * inverse);
#endif
    m2m(M, d.x * inverse, d.y * inverse, d.z * inverse, from_base.w, C);
  }
  // eight coefficients at a time, each added up over the children by one work-item
#pragma unroll
  for (int j = 0; j < MOMENT_ROOM; j += LANES_A_NODE) {
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < LANES_A_NODE; ++k) {
      slice[t * (LANES_A_NODE + 1) + k] = j + k < MOMENT_ROOM ? M[min(j + k, MOMENT_ROOM - 1)] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (children > 0 && j + lane < MOMENT_ROOM) {
      real sum = 0;
      for (int k = 0; k < LANES_A_NODE; ++k) sum += slice[(head + k) * (LANES_A_NODE + 1) + lane];
      ((global real*)moments)[(size_t)s * MOMENT_ROOM + j + lane] = sum;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const real spread = fma(own_size.y, own_size.y, d2) * (inverse * inverse);
  offsets[t] = (real4)(sqrt(d2) + own_size.x, to_power(spread), used ? magnitude[own] : NO_MAGNITUDE, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (children > 0 && lane == 0) {
    real largest = 0, powers = 0, plain_powers = 0, least = NO_MAGNITUDE;
    for (int k = 0; k < children; ++k) {
      const real4 part = offsets[head + k];
      largest = fmax(largest, part.x);
      powers = fma(sizes[head + k].w, part.y, powers);
      plain_powers += part.y;
      least = fmin(least, part.z);
    }
    set_centre(s, base_place, base_low, mean, strength, centre, low);
#if NORMALISED
    largest = furthest;
    low[s].w = length_of;
    bounds[2 * s] = lowest;
    bounds[2 * s + 1] = highest;
#else
    const ulong cell = keys[range[s].x] >> 3 * (depth - level);
    largest = fmin(largest, corner_distance(cell, level, centre[s], box));
#endif
    const real power = weight > 0 ? powers / weight : plain_powers / (real)children;
    size[s] = (real4)(largest, fmin(from_power(power) * length_of, largest), as_float(word), weight);
    magnitude[s] = least;
  }
}

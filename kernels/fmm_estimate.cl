// SPDX-License-Identifier: MIT
// How large the field is in every leaf, roughly: of CHUNKS equal parts of the sorted bodies, each as
// one softened source. The walk weighs its errors by it.
#include "fmm_nodes.cl"

#define CHUNKS 512
#define ESTIMATE_GROUP 64
// Of the sum of magnitudes; where forces cancel, errors do too. Charges cancel almost wholly.
#define SMALLEST_SHARE 0.05f
#define SMALLEST_SHARE_SIGNED 0.01f
#define SMALLEST_FIELD 1e-30f

// chunk[c]: place and strength; chunk[CHUNKS + c]: what float can't hold of the place; spread[c]: mean
// square distance from it, sum of |strengths|.
kernel __attribute__((reqd_work_group_size(ESTIMATE_GROUP, 1, 1)))
void fmm_chunks(int bodies, global const body* restrict places, global real4* restrict chunk,
                global float2* restrict spread) {
  local real4 moments[ESTIMATE_GROUP];
  local float2 weights[ESTIMATE_GROUP];
  const int t = get_local_id(0), c = get_group_id(0);
  const int first = (int)((long)bodies * c / CHUNKS), end = (int)((long)bodies * (c + 1) / CHUNKS);
  const body origin = places[min(first, bodies - 1)];
  real4 moment = (real4)(0);
  float2 weight = (float2)(0);
  for (int i = first + t; i < end; i += ESTIMATE_GROUP) {
    const real4 d = offset_between(origin, places[i]);
    const real s = strength_of(places[i]);
    moment += (real4)(fabs(s) * d.x, fabs(s) * d.y, fabs(s) * d.z, s);
    weight += (float2)(fabs(s) * length2(d), fabs(s));
  }
  moments[t] = moment;
  weights[t] = weight;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_of = ESTIMATE_GROUP / 2; half_of > 0; half_of /= 2) {
    if (t < half_of) {
      moments[t] += moments[t + half_of];
      weights[t] += weights[t + half_of];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) {
    const real all = weights[0].y;
    real4 mean = all > 0 ? moments[0] / all : (real4)(0);
    mean.w = 0;
    const real mean2 = all > 0 ? weights[0].x / all : 0;
    real4 lost;
    real4 at = exact_sum(high_of(origin), mean, &lost);
    at.w = moments[0].w;
    chunk[c] = at;
    chunk[CHUNKS + c] = lost + low_of(origin);
    spread[c] = (float2)(fmax(mean2 - length2(mean), (real)0), all);
  }
}

// The field of the nearest neighbours, which is all that charges of both signs leave: a tenth (in a
// lattice little is left of it) of s/d² at the mean distance d of bodies that fill a ball with that
// mean radius.
inline real neighbours_field(real4 size, real eps2) {
  const real bodies = (real)link_of(size);
  if (bodies < 2 || size.y == 0) return 0;
  const real d2 = 4.3f * size.y * size.y * native_powr(bodies, -2.0f / 3.0f) + eps2;
  return 0.1f * size.w / bodies / d2;
}

kernel __attribute__((reqd_work_group_size(ESTIMATE_GROUP, 1, 1)))
void fmm_estimate(int nodes, global const uint* restrict child, global const real4* restrict centre,
                  global const real4* restrict low, global const real4* restrict size,
                  global const real4* restrict chunk,
                  global const float2* restrict spread, real softening,
                  global const state4* restrict box, int both_signs,
                  global real* restrict magnitude) {
  local real4 tile[ESTIMATE_GROUP], tile_low[NORMALISED ? ESTIMATE_GROUP : 1];
  local float2 tile_spread[ESTIMATE_GROUP];
  const int t = get_local_id(0), s = get_global_id(0);
  const bool leaf = s < nodes && child[min(s, nodes - 1)] == 0;
  const real4 at = leaf ? centre[s] : (real4)(0);
  const real4 at_low = leaf && NORMALISED ? low[s] : (real4)(0);
  const real eps2 = softening2(softening, box);
  real4 field = (real4)(0);
  real magnitudes = 0, weights = 0;
  for (int c = 0; c < CHUNKS; c += ESTIMATE_GROUP) {
    tile[t] = chunk[c + t];
    if (NORMALISED) tile_low[t] = chunk[CHUNKS + c + t];
    tile_spread[t] = spread[c + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < ESTIMATE_GROUP; ++j) {
      const real4 d =
          NORMALISED ? offset(at, at_low, tile[j], tile_low[NORMALISED ? j : 0]) : tile[j] - at;
      const real inverse = inverse_root(length2(d) + tile_spread[j].x + (eps2 + 1e-20f));
      const real square = inverse * inverse, weight = tile[j].w * square * inverse;
      magnitudes = fma(tile_spread[j].y, square, magnitudes);
      weights += tile_spread[j].y;
      field += weight * d;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (leaf) {
    const real least = both_signs ? fmax(SMALLEST_SHARE_SIGNED * magnitudes,
                                         neighbours_field(size[s], eps2))
                                  : SMALLEST_SHARE * magnitudes;
    // on the far side of a large leaf it is weaker than in its middle
    const real reach = sqrt(weights / fmax(magnitudes, SMALLEST_FIELD));
    const real fall = reach / (reach + size[s].x);
    const real expected = fmax(sqrt(length2(field)), least) * (fall * fall);
    magnitude[s] = expected > SMALLEST_FIELD ? expected : SMALLEST_FIELD; // also where that is 0/0
  }
}

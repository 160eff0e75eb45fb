// SPDX-License-Identifier: MIT
// The two fields of the solver `bins` at one body: of far bins, each as one body, and of the bodies
// in near bins pair by pair. Near bins are left out of the far sum, not subtracted from it;
// bins_subtract.cl shows what that would cost.
#pragma once
#include "bins_grid.cl"
#include "pair_sum.cl"

#ifndef DIPOLE
#define DIPOLE 1 // 0: all strengths have one sign
#endif

// Like with_pair; the dipole d adds d/ρ³ − 3 (d·r) r/ρ⁵ and the potential −(d·r)/ρ³. A bin that does
// not act must not meet an inverse distance that overflows.
inline real4 with_centre(real4 sum, body target, state4 centre, real4 dipole, real eps2,
                         bool acts) {
  const real4 d = offset_between(target, body_of(centre));
  const real found = inverse_distance(square_distance(d, eps2));
  const real inverse = acts ? found : (real)0, strength = (real)centre.w;
  const real4 e = direction(d, inverse);
  const real weight = strength * falloff(inverse);
  sum.x = fma(weight, e.x, sum.x);
  sum.y = fma(weight, e.y, sum.y);
  sum.z = fma(weight, e.z, sum.z);
  if (POTENTIAL) sum.w = fma(strength, inverse, sum.w);
  if (DIPOLE) {
    const real square = inverse * inverse, cube = inverse * square;
    const real along = fma(dipole.x, d.x, fma(dipole.y, d.y, dipole.z * d.z)) * cube;
    const real radial = -3 * along * square;
    sum.x += fma(radial, d.x, dipole.x * cube);
    sum.y += fma(radial, d.y, dipole.y * cube);
    sum.z += fma(radial, d.z, dipole.z * cube);
    if (POTENTIAL) sum.w -= along;
  }
  return sum;
}

inline bool touch(int a, int b) { return abs_diff(a, b) <= 1; }

inline accum4 far_field(body target, int4 own, int bins, global const state4* restrict centres,
                        global const state4* restrict dipoles, real eps2) {
  long_sum total = no_sum();
  for (int z = 0; z < bins; ++z) {
    for (int y = 0; y < bins; ++y) {
      const bool near_row = touch(z, own.z) && touch(y, own.y);
      const int row = (z * bins + y) * bins;
      real4 sum = (real4)(0);
      for (int x = 0; x < bins; ++x) {
        const state4 centre = centres[row + x];
        const state4 dipole = DIPOLE ? dipoles[row + x] : (state4)(0);
        const bool acts = !(near_row && touch(x, own.x)) && (centre.w != 0 || dipole.w > 0);
        sum = with_centre(sum, target, centre,
                          (real4)((real)dipole.x, (real)dipole.y, (real)dipole.z, 0), eps2, acts);
      }
      total = with_chunk(total, sum, z * bins + y);
    }
  }
  return value_of(total);
}

// itself: the target's number, where sources are counted alike, or one that no source has.
inline accum4 near_field(body target, int itself, int4 own, int bins,
                         global const int* restrict starts, global const state4* restrict sources,
                         global const int* restrict numbers, real eps2) {
  const int4 last = (int4)(bins - 1);
  const int4 low = max(own - 1, (int4)(0)), high = min(own + 1, last);
  long_sum total = no_sum();
  int chunks = 0;
  for (int z = low.z; z <= high.z; ++z) {
    for (int y = low.y; y <= high.y; ++y) {
      const int row = (z * bins + y) * bins, end = starts[row + high.x + 1];
      for (int start = starts[row + low.x]; start < end; start += CHUNK) {
        real4 sum = (real4)(0);
        for (int j = start; j < min(start + CHUNK, end); ++j) {
          sum = with_pair(sum, target, body_of(sources[j]), eps2,
                          POTENTIAL && numbers[j] == itself);
        }
        total = with_chunk(total, sum, chunks++);
      }
    }
  }
  return value_of(total);
}

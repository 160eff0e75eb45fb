// SPDX-License-Identifier: MIT
// What a bin is seen as from afar, a work-group each: the sum of its strengths at the centre of
// |strength|, which is always defined (for masses the centre of mass), and the dipole about it,
// which is zero where all strengths have one sign.
#include "numbers.cl"

#ifndef GROUP
#define GROUP 64
#endif

// The tree leaves the group's sum in the first entry.
inline void add_up(local accum4* sums, int t) {
  for (int half_of = GROUP / 2; half_of > 0; half_of /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < half_of) sums[t] = sums[t] + sums[t + half_of];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// ends: where the bodies of each bin and chunk end. Out: where each bin starts, and one more;
// centres with the strength in w; dipoles with the sum of |strength| in w.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void find_centres(int bin_count, int chunks, global const int* restrict ends,
                  global const state4* restrict sorted, global int* restrict starts,
                  global state4* restrict centres, global state4* restrict dipoles) {
  local accum4 moments[GROUP], absolutes[GROUP];
  const int b = get_group_id(0), t = get_local_id(0);
  const int begin = b == 0 ? 0 : ends[b * chunks - 1], end = ends[(b + 1) * chunks - 1];
  // from the first body on, so that a lone body's centre is exactly its place
  const state4 origin = begin < end ? sorted[begin] : (state4)(0);
  accum4 moment = (accum4)(0), absolute = (accum4)(0);
  for (int i = begin + t; i < end; i += GROUP) {
    const state4 body_here = sorted[i], d = body_here - origin;
    const state s = body_here.w;
    moment += (accum4)(s * d.x, s * d.y, s * d.z, s);
    absolute += (accum4)(fabs(s) * d.x, fabs(s) * d.y, fabs(s) * d.z, fabs(s));
  }
  moments[t] = moment;
  absolutes[t] = absolute;
  add_up(moments, t);
  add_up(absolutes, t);
  if (t != 0) return;
  moment = moments[0];
  absolute = absolutes[0];
  const accum whole = moment.w, size = absolute.w;
  const accum4 centre = size > 0 ? absolute / size : (accum4)(0);
  // with one sign it is zero, whatever rounding leaves of it
  const accum4 dipole = fabs(whole) == size ? (accum4)(0) : moment - whole * centre;
  starts[b] = begin;
  if (b == bin_count - 1) starts[bin_count] = end;
  centres[b] = (state4)(origin.x + centre.x, origin.y + centre.y, origin.z + centre.z, whole);
  dipoles[b] = (state4)(dipole.x, dipole.y, dipole.z, size);
}

// SPDX-License-Identifier: MIT
// A whole step in one kernel, to start from: one work-item moves one body. Positions are float4 with
// the mass in w. Old positions are read by everybody and written by nobody; new ones go to an array
// of their own, and the program swaps both after every step.
//   apsis lab your-own --kernel step_float4.cl
// Things to try: taylor2 (see below), tiles in local memory (step_tiled.cl), native_rsqrt.

kernel void whole_step(global const float4* pos_old, global float4* pos_new, global float4* vel,
                       const int n, const float dt, const float eps) {
  const int i = get_global_id(0);
  if (i >= n) return; // there are as many work-items as whole groups need: some have no body

  const float4 here = pos_old[i];
  float3 a = (float3)(0, 0, 0);
  for (int j = 0; j < n; ++j) {
    const float4 there = pos_old[j];
    const float3 d = there.xyz - here.xyz; // towards the other: bodies attract
    // eps is added to r², so that the pull of a body on itself (d = 0) is 0 and not 0/0
    const float inverse = rsqrt(dot(d, d) + eps);
    a += there.w * inverse * inverse * inverse * d; // m d / r³
  }

  // symplectic-euler: the velocity first, and the position goes on with the new one. taylor2 would be
  //   pos_new[i] = (float4)(here.xyz + dt * v + 0.5f * dt * dt * a, here.w)   with the old v
  const float3 v = vel[i].xyz + dt * a;
  vel[i] = (float4)(v, 0);
  pos_new[i] = (float4)(here.xyz + dt * v, here.w); // w takes the mass along to the next step
}

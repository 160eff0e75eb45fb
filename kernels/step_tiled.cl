// SPDX-License-Identifier: MIT
// A whole step with tiles, to start from: the work-items of a group load one body each into local
// memory, wait for each other, and all use what is there. The tile is an argument, for which the
// program gives one float4 a work-item. Positions are moved by taylor2.
//   apsis lab your-own --kernel step_tiled.cl --group 64
// Things to try: leave one of the barriers out and see what is said; several bodies a work-item.

kernel void whole_step(global const float4* pos_old, global float4* pos_new, global float4* vel,
                       const int n, const float dt, const float eps, local float4* tile) {
  const int i = get_global_id(0), t = get_local_id(0), size = get_local_size(0);
  // work-items without a body stay: all of a group have to reach every barrier
  const float4 here = i < n ? pos_old[i] : (float4)(0);
  float3 a = (float3)(0, 0, 0);
  for (int start = 0; start < n; start += size) {
    // behind the last body the tile has no mass
    tile[t] = start + t < n ? pos_old[start + t] : (float4)(0);
    barrier(CLK_LOCAL_MEM_FENCE); // nobody reads before all have loaded
    for (int k = 0; k < size; ++k) {
      const float3 d = tile[k].xyz - here.xyz;
      const float inverse = rsqrt(dot(d, d) + eps);
      a += tile[k].w * inverse * inverse * inverse * d;
    }
    barrier(CLK_LOCAL_MEM_FENCE); // nobody loads the next tile before all have used this one
  }
  if (i >= n) return;

  // taylor2: x += v dt + a dt²/2 with the old velocity, then v += a dt
  const float3 v = vel[i].xyz;
  pos_new[i] = (float4)(here.xyz + dt * v + 0.5f * dt * dt * a, here.w);
  vel[i] = (float4)(v + dt * a, 0);
}

// SPDX-License-Identifier: MIT
// A whole step in one kernel, to start from, with positions as x, y, z one after the other and no
// room in between: 12 bytes a body instead of 16. Masses have an array of their own; without that
// argument all bodies have mass 1.
//   apsis lab your-own --kernel step_packed.cl
// Things to try: vload3, float4 instead (step_float4.cl): which is faster, and why?

kernel void whole_step(global const float* pos_old, global float* pos_new, global float* vel,
                       global const float* mass, const int n, const float dt, const float eps) {
  const int i = get_global_id(0);
  if (i >= n) return;

  const float x = pos_old[3 * i], y = pos_old[3 * i + 1], z = pos_old[3 * i + 2];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; ++j) {
    const float dx = pos_old[3 * j] - x;
    const float dy = pos_old[3 * j + 1] - y;
    const float dz = pos_old[3 * j + 2] - z;
    const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + eps);
    const float pull = mass[j] * inverse * inverse * inverse;
    ax += pull * dx;
    ay += pull * dy;
    az += pull * dz;
  }

  vel[3 * i] += dt * ax;
  vel[3 * i + 1] += dt * ay;
  vel[3 * i + 2] += dt * az;
  pos_new[3 * i] = x + dt * vel[3 * i];
  pos_new[3 * i + 1] = y + dt * vel[3 * i + 1];
  pos_new[3 * i + 2] = z + dt * vel[3 * i + 2];
}

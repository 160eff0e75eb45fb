// SPDX-License-Identifier: MIT
// Written by fmm_opencl_expansion.cpp, which says what it means.
#pragma once
#include "numbers.cl"

#define ORDER 3
#define MOMENTS 6
#define MOMENT_ROOM 8
#define LOCAL_ROOM 20
#define FIRST_LOCAL 1

// Adds a source of strength m; (x, y, z) from it to the centre.
inline void p2m(real* M, real x, real y, real z, real m) {
  const real w0 = 1;
  const real w1 = x;
  const real w2 = y;
  const real w3 = z;
  const real w4 = w1 * x * 5.000000000e-01f;
  const real w5 = w2 * x;
  const real w6 = w3 * x;
  const real w7 = w2 * y * 5.000000000e-01f;
  const real w8 = w3 * y;
  const real w9 = w3 * z * 5.000000000e-01f;
  M[0] = fma(m, w4, M[0]);
  M[1] = fma(m, w5, M[1]);
  M[2] = fma(m, w6, M[2]);
  M[3] = fma(m, w7, M[3]);
  M[4] = fma(m, w8, M[4]);
  M[5] = fma(m, w9, M[5]);
}

// Adds a child with moments m and C; (x, y, z) from its centre to the new one.
inline void m2m(real* M, real x, real y, real z, real m, const real* C) {
  const real w0 = 1;
  const real w1 = x;
  const real w2 = y;
  const real w3 = z;
  const real w4 = w1 * x * 5.000000000e-01f;
  const real w5 = w2 * x;
  const real w6 = w3 * x;
  const real w7 = w2 * y * 5.000000000e-01f;
  const real w8 = w3 * y;
  const real w9 = w3 * z * 5.000000000e-01f;
  M[0] = fma(m, w4, M[0]);
  M[0] = fma(C[0], w0, M[0]);
  M[1] = fma(m, w5, M[1]);
  M[1] = fma(C[1], w0, M[1]);
  M[2] = fma(m, w6, M[2]);
  M[2] = fma(C[2], w0, M[2]);
  M[3] = fma(m, w7, M[3]);
  M[3] = fma(C[3], w0, M[3]);
  M[4] = fma(m, w8, M[4]);
  M[4] = fma(C[4], w0, M[4]);
  M[5] = fma(m, w9, M[5]);
  M[5] = fma(C[5], w0, M[5]);
}

// Adds to a local expansion; (x, y, z) from the source's centre to the target's.
inline void m2l(real* L, real x, real y, real z, real m, global const real4* restrict M,
                real eps2, real from_length, real to_length) {
  const real u = inverse_root(fma(x, x, fma(y, y, fma(z, z, eps2))));
  const real u2 = u * u, t0_0 = u;
  const real t1_0 = -1.0f * u2 * t0_0;
  const real t2_0 = -3.0f * u2 * t1_0;
  const real t3_0 = -5.0f * u2 * t2_0;
  const real t2_1 = x * t3_0;
  const real t2_2 = y * t3_0;
  const real t2_3 = z * t3_0;
  const real t1_1 = x * t2_0;
  const real t1_2 = y * t2_0;
  const real t1_3 = z * t2_0;
  const real t0_1 = x * t1_0;
  const real t0_2 = y * t1_0;
  const real t0_3 = z * t1_0;
  const real t1_4 = fma(x, t2_1, t2_0);
  const real t1_5 = x * t2_2;
  const real t1_6 = x * t2_3;
  const real t1_7 = fma(y, t2_2, t2_0);
  const real t1_8 = y * t2_3;
  const real t1_9 = fma(z, t2_3, t2_0);
  const real t0_4 = fma(x, t1_1, t1_0);
  const real t0_5 = x * t1_2;
  const real t0_6 = x * t1_3;
  const real t0_7 = fma(y, t1_2, t1_0);
  const real t0_8 = y * t1_3;
  const real t0_9 = fma(z, t1_3, t1_0);
  const real t0_10 = fma(x, t1_4, 2.0f * t1_1);
  const real t0_11 = y * t1_4;
  const real t0_12 = z * t1_4;
  const real t0_13 = x * t1_7;
  const real t0_14 = x * t1_8;
  const real t0_15 = x * t1_9;
  const real t0_16 = fma(y, t1_7, 2.0f * t1_2);
  const real t0_17 = z * t1_7;
  const real t0_18 = y * t1_9;
  const real t0_19 = fma(z, t1_9, 2.0f * t1_3);
  const real4 q0 = M[0];
  const real4 q1 = M[1];
  L[1] = fma(m, t0_1, L[1]);
  L[1] = fma(q0.x, t0_10, L[1]);
  L[1] = fma(q0.y, t0_11, L[1]);
  L[1] = fma(q0.z, t0_12, L[1]);
  L[1] = fma(q0.w, t0_13, L[1]);
  L[1] = fma(q1.x, t0_14, L[1]);
  L[1] = fma(q1.y, t0_15, L[1]);
  L[2] = fma(m, t0_2, L[2]);
  L[2] = fma(q0.x, t0_11, L[2]);
  L[2] = fma(q0.y, t0_13, L[2]);
  L[2] = fma(q0.z, t0_14, L[2]);
  L[2] = fma(q0.w, t0_16, L[2]);
  L[2] = fma(q1.x, t0_17, L[2]);
  L[2] = fma(q1.y, t0_18, L[2]);
  L[3] = fma(m, t0_3, L[3]);
  L[3] = fma(q0.x, t0_12, L[3]);
  L[3] = fma(q0.y, t0_14, L[3]);
  L[3] = fma(q0.z, t0_15, L[3]);
  L[3] = fma(q0.w, t0_17, L[3]);
  L[3] = fma(q1.x, t0_18, L[3]);
  L[3] = fma(q1.y, t0_19, L[3]);
  L[4] = fma(m, t0_4, L[4]);
  L[5] = fma(m, t0_5, L[5]);
  L[6] = fma(m, t0_6, L[6]);
  L[7] = fma(m, t0_7, L[7]);
  L[8] = fma(m, t0_8, L[8]);
  L[9] = fma(m, t0_9, L[9]);
  L[10] = fma(m, t0_10, L[10]);
  L[11] = fma(m, t0_11, L[11]);
  L[12] = fma(m, t0_12, L[12]);
  L[13] = fma(m, t0_13, L[13]);
  L[14] = fma(m, t0_14, L[14]);
  L[15] = fma(m, t0_15, L[15]);
  L[16] = fma(m, t0_16, L[16]);
  L[17] = fma(m, t0_17, L[17]);
  L[18] = fma(m, t0_18, L[18]);
  L[19] = fma(m, t0_19, L[19]);
}

// Field and potential of a cell at a body.
inline real4 m2p(real x, real y, real z, real m, global const real4* restrict M,
                 real eps2, real from_length) {
  const real u = inverse_root(fma(x, x, fma(y, y, fma(z, z, eps2))));
  const real u2 = u * u, t0_0 = u;
  const real t1_0 = -1.0f * u2 * t0_0;
  const real t2_0 = -3.0f * u2 * t1_0;
  const real t3_0 = -5.0f * u2 * t2_0;
  const real t2_1 = x * t3_0;
  const real t2_2 = y * t3_0;
  const real t2_3 = z * t3_0;
  const real t1_1 = x * t2_0;
  const real t1_2 = y * t2_0;
  const real t1_3 = z * t2_0;
  const real t0_1 = x * t1_0;
  const real t0_2 = y * t1_0;
  const real t0_3 = z * t1_0;
  const real t1_4 = fma(x, t2_1, t2_0);
  const real t1_5 = x * t2_2;
  const real t1_6 = x * t2_3;
  const real t1_7 = fma(y, t2_2, t2_0);
  const real t1_8 = y * t2_3;
  const real t1_9 = fma(z, t2_3, t2_0);
  const real t0_4 = fma(x, t1_1, t1_0);
  const real t0_5 = x * t1_2;
  const real t0_6 = x * t1_3;
  const real t0_7 = fma(y, t1_2, t1_0);
  const real t0_8 = y * t1_3;
  const real t0_9 = fma(z, t1_3, t1_0);
  const real t0_10 = fma(x, t1_4, 2.0f * t1_1);
  const real t0_11 = y * t1_4;
  const real t0_12 = z * t1_4;
  const real t0_13 = x * t1_7;
  const real t0_14 = x * t1_8;
  const real t0_15 = x * t1_9;
  const real t0_16 = fma(y, t1_7, 2.0f * t1_2);
  const real t0_17 = z * t1_7;
  const real t0_18 = y * t1_9;
  const real t0_19 = fma(z, t1_9, 2.0f * t1_3);
  const real4 q0 = M[0];
  const real4 q1 = M[1];
  real4 sum = (real4)(0);
  sum.x = fma(m, t0_1, sum.x);
  sum.x = fma(q0.x, t0_10, sum.x);
  sum.x = fma(q0.y, t0_11, sum.x);
  sum.x = fma(q0.z, t0_12, sum.x);
  sum.x = fma(q0.w, t0_13, sum.x);
  sum.x = fma(q1.x, t0_14, sum.x);
  sum.x = fma(q1.y, t0_15, sum.x);
  sum.y = fma(m, t0_2, sum.y);
  sum.y = fma(q0.x, t0_11, sum.y);
  sum.y = fma(q0.y, t0_13, sum.y);
  sum.y = fma(q0.z, t0_14, sum.y);
  sum.y = fma(q0.w, t0_16, sum.y);
  sum.y = fma(q1.x, t0_17, sum.y);
  sum.y = fma(q1.y, t0_18, sum.y);
  sum.z = fma(m, t0_3, sum.z);
  sum.z = fma(q0.x, t0_12, sum.z);
  sum.z = fma(q0.y, t0_14, sum.z);
  sum.z = fma(q0.z, t0_15, sum.z);
  sum.z = fma(q0.w, t0_17, sum.z);
  sum.z = fma(q1.x, t0_18, sum.z);
  sum.z = fma(q1.y, t0_19, sum.z);
  return sum;
}

// Adds the parent's expansion L; (x, y, z) from its centre to the child's.
inline void l2l(real* O, real x, real y, real z, global const real* restrict L) {
  const real w0 = 1;
  const real w1 = x;
  const real w2 = y;
  const real w3 = z;
  const real w4 = w1 * x * 5.000000000e-01f;
  const real w5 = w2 * x;
  const real w6 = w3 * x;
  const real w7 = w2 * y * 5.000000000e-01f;
  const real w8 = w3 * y;
  const real w9 = w3 * z * 5.000000000e-01f;
  O[1] = fma(L[1], w0, O[1]);
  O[1] = fma(L[4], w1, O[1]);
  O[1] = fma(L[5], w2, O[1]);
  O[1] = fma(L[6], w3, O[1]);
  O[1] = fma(L[10], w4, O[1]);
  O[1] = fma(L[11], w5, O[1]);
  O[1] = fma(L[12], w6, O[1]);
  O[1] = fma(L[13], w7, O[1]);
  O[1] = fma(L[14], w8, O[1]);
  O[1] = fma(L[15], w9, O[1]);
  O[2] = fma(L[2], w0, O[2]);
  O[2] = fma(L[5], w1, O[2]);
  O[2] = fma(L[7], w2, O[2]);
  O[2] = fma(L[8], w3, O[2]);
  O[2] = fma(L[11], w4, O[2]);
  O[2] = fma(L[13], w5, O[2]);
  O[2] = fma(L[14], w6, O[2]);
  O[2] = fma(L[16], w7, O[2]);
  O[2] = fma(L[17], w8, O[2]);
  O[2] = fma(L[18], w9, O[2]);
  O[3] = fma(L[3], w0, O[3]);
  O[3] = fma(L[6], w1, O[3]);
  O[3] = fma(L[8], w2, O[3]);
  O[3] = fma(L[9], w3, O[3]);
  O[3] = fma(L[12], w4, O[3]);
  O[3] = fma(L[14], w5, O[3]);
  O[3] = fma(L[15], w6, O[3]);
  O[3] = fma(L[17], w7, O[3]);
  O[3] = fma(L[18], w8, O[3]);
  O[3] = fma(L[19], w9, O[3]);
  O[4] = fma(L[4], w0, O[4]);
  O[4] = fma(L[10], w1, O[4]);
  O[4] = fma(L[11], w2, O[4]);
  O[4] = fma(L[12], w3, O[4]);
  O[5] = fma(L[5], w0, O[5]);
  O[5] = fma(L[11], w1, O[5]);
  O[5] = fma(L[13], w2, O[5]);
  O[5] = fma(L[14], w3, O[5]);
  O[6] = fma(L[6], w0, O[6]);
  O[6] = fma(L[12], w1, O[6]);
  O[6] = fma(L[14], w2, O[6]);
  O[6] = fma(L[15], w3, O[6]);
  O[7] = fma(L[7], w0, O[7]);
  O[7] = fma(L[13], w1, O[7]);
  O[7] = fma(L[16], w2, O[7]);
  O[7] = fma(L[17], w3, O[7]);
  O[8] = fma(L[8], w0, O[8]);
  O[8] = fma(L[14], w1, O[8]);
  O[8] = fma(L[17], w2, O[8]);
  O[8] = fma(L[18], w3, O[8]);
  O[9] = fma(L[9], w0, O[9]);
  O[9] = fma(L[15], w1, O[9]);
  O[9] = fma(L[18], w2, O[9]);
  O[9] = fma(L[19], w3, O[9]);
  O[10] = fma(L[10], w0, O[10]);
  O[11] = fma(L[11], w0, O[11]);
  O[12] = fma(L[12], w0, O[12]);
  O[13] = fma(L[13], w0, O[13]);
  O[14] = fma(L[14], w0, O[14]);
  O[15] = fma(L[15], w0, O[15]);
  O[16] = fma(L[16], w0, O[16]);
  O[17] = fma(L[17], w0, O[17]);
  O[18] = fma(L[18], w0, O[18]);
  O[19] = fma(L[19], w0, O[19]);
}

// Field and potential at a body; (x, y, z) from the cell's centre to it.
inline real4 l2p(real x, real y, real z, global const real* restrict L) {
  const real w0 = 1;
  const real w1 = x;
  const real w2 = y;
  const real w3 = z;
  const real w4 = w1 * x * 5.000000000e-01f;
  const real w5 = w2 * x;
  const real w6 = w3 * x;
  const real w7 = w2 * y * 5.000000000e-01f;
  const real w8 = w3 * y;
  const real w9 = w3 * z * 5.000000000e-01f;
  real4 sum = (real4)(0);
  sum.x = fma(L[1], w0, sum.x);
  sum.y = fma(L[2], w0, sum.y);
  sum.z = fma(L[3], w0, sum.z);
  sum.x = fma(L[4], w1, sum.x);
  sum.y = fma(L[5], w1, sum.y);
  sum.z = fma(L[6], w1, sum.z);
  sum.x = fma(L[5], w2, sum.x);
  sum.y = fma(L[7], w2, sum.y);
  sum.z = fma(L[8], w2, sum.z);
  sum.x = fma(L[6], w3, sum.x);
  sum.y = fma(L[8], w3, sum.y);
  sum.z = fma(L[9], w3, sum.z);
  sum.x = fma(L[10], w4, sum.x);
  sum.y = fma(L[11], w4, sum.y);
  sum.z = fma(L[12], w4, sum.z);
  sum.x = fma(L[11], w5, sum.x);
  sum.y = fma(L[13], w5, sum.y);
  sum.z = fma(L[14], w5, sum.z);
  sum.x = fma(L[12], w6, sum.x);
  sum.y = fma(L[14], w6, sum.y);
  sum.z = fma(L[15], w6, sum.z);
  sum.x = fma(L[13], w7, sum.x);
  sum.y = fma(L[16], w7, sum.y);
  sum.z = fma(L[17], w7, sum.z);
  sum.x = fma(L[14], w8, sum.x);
  sum.y = fma(L[17], w8, sum.y);
  sum.z = fma(L[18], w8, sum.z);
  sum.x = fma(L[15], w9, sum.x);
  sum.y = fma(L[18], w9, sum.y);
  sum.z = fma(L[19], w9, sum.z);
  return sum;
}

// Every coefficient times the ratio to the power of its degree.
inline void rescale_moments(real* M, real ratio) {
  real power = ratio;
  power *= ratio;
  M[0] *= power;
  M[1] *= power;
  M[2] *= power;
  M[3] *= power;
  M[4] *= power;
  M[5] *= power;
}

// Every coefficient times the ratio to the power of its degree.
inline void rescale_local(real* L, real ratio) {
  real power = ratio;
  L[1] *= power;
  L[2] *= power;
  L[3] *= power;
  power *= ratio;
  L[4] *= power;
  L[5] *= power;
  L[6] *= power;
  L[7] *= power;
  L[8] *= power;
  L[9] *= power;
  power *= ratio;
  L[10] *= power;
  L[11] *= power;
  L[12] *= power;
  L[13] *= power;
  L[14] *= power;
  L[15] *= power;
  L[16] *= power;
  L[17] *= power;
  L[18] *= power;
  L[19] *= power;
}

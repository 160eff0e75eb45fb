// SPDX-License-Identifier: MIT
// Types, roots and exponentials that follow from the precision; the only file with #if on it.
//   state  what bodies are stored in       real  what pairs are computed in
//   accum  what sums across tiles are in
// Products and sums are contracted only where a kernel says fma: the same bits from every build.

#pragma once
#ifndef PRECISION
#define PRECISION 32 // 32: f32, 48: mixed, 64: f64
#endif
#ifndef FAST_ROOT
#define FAST_ROOT 1 // 0: correctly rounded operations, the same bits on every device
#endif
#ifndef WARPS
#define WARPS 0 // 1: NVIDIA's warps and assembly
#endif
#if PRECISION != 32
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

#if PRECISION == 64
typedef double real;
typedef double4 real4;
#else
typedef float real;
typedef float4 real4;
#endif
#if PRECISION == 32
typedef float state;
typedef float4 state4;
typedef float8 state8;
#else
typedef double state;
typedef double4 state4;
typedef double8 state8;
#endif
typedef state accum;
typedef state4 accum4;

inline accum4 widened(real4 v) {
  return (accum4)((accum)v.x, (accum)v.y, (accum)v.z, (accum)v.w);
}

// A body as the pair loops hold it. In mixed precision a coordinate is two floats, high and low,
// so that differences of near bodies keep float's full accuracy.
#if PRECISION == 48
typedef struct {
  real4 high, low;
} body;
inline body body_of(state4 b) {
  body out;
  out.high = (real4)((real)b.x, (real)b.y, (real)b.z, (real)b.w);
  out.low = (real4)((real)(b.x - (state)out.high.x), (real)(b.y - (state)out.high.y),
                    (real)(b.z - (state)out.high.z), 0);
  return out;
}
inline real strength_of(body b) { return b.high.w; }
inline real4 offset_between(body from, body to) {
  return (to.high - from.high) + (to.low - from.low);
}
inline real4 high_of(body b) { return b.high; }
inline real4 low_of(body b) { return b.low; }
inline body joined(real4 high, real4 low) {
  body out;
  out.high = high;
  out.low = low;
  return out;
}
#else
typedef real4 body;
inline body body_of(state4 b) { return b; }
inline real strength_of(body b) { return b.w; }
inline real4 offset_between(body from, body to) { return to - from; }
inline real4 high_of(body b) { return b; }
inline real4 low_of(body b) { return (real4)(0); }
inline body joined(real4 high, real4 low) { return high; }
#endif

// 1/√x for x > 0. Infinity gives 0, so that padding far away adds nothing.
#if !FAST_ROOT
inline real inverse_root(real x) { return (real)1 / sqrt(x); }
#elif PRECISION == 64
// The float root as a seed (22 bits) and one step of third order: full double accuracy for x in
// float's range, which the host makes sure of.
inline real inverse_root(real x) {
  const real seed = (real)native_rsqrt((float)x);
  const real e = fma(-x * seed, seed, 1.0);
  return fma(seed * e, fma(e, 0.375, 0.5), seed);
}
#elif WARPS
// Without .ftz the driver's compiler adds three instructions for numbers below 1e-38.
inline real inverse_root(real x) {
  real root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}
#else
inline real inverse_root(real x) { return native_rsqrt(x); }
#endif

// exp(-u) for u from 0 to MOST_EXPONENT.
#if PRECISION == 64
// In products and sums alone, which are the same on every device; core/radial/exponential.hpp has the
// same ones. With u = n ln 2 - f, |f| <= ln 2 / 2, it is 2^-n exp(f), and exp(f) a series.
#define MOST_EXPONENT 700.0
#define TERM(factorial) series = f * series + 1 / (real)factorial
inline real exp_of_minus(real u) {
  const int n = (int)(u * 0x1.71547652b82fep+0 + 0.5);
  const real f = (real)n * 0x1.62e42fefa39efp-1 - u;
  real series = 1 / (real)6227020800;
  TERM(479001600);
  TERM(39916800);
  TERM(3628800);
  TERM(362880);
  TERM(40320);
  TERM(5040);
  TERM(720);
  TERM(120);
  TERM(24);
  TERM(6);
  TERM(2);
  TERM(1);
  TERM(1);
  return series * as_double((long)(1023 - n) << 52);
}
#else
#define MOST_EXPONENT 86.0f
inline real exp_of_minus(real u) { return exp(-u); }
#endif

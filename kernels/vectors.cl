// SPDX-License-Identifier: MIT
// Explicit vectors of WIDTH bodies, for devices whose compilers do not make them (CPUs).
#pragma once
#include "numbers.cl"

#ifndef WIDTH
#define WIDTH 8
#endif
#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)
#define load_states JOINED(vload, WIDTH)
#define store_states JOINED(vstore, WIDTH)
#if PRECISION == 32
typedef JOINED(float, WIDTH) states;
#else
typedef JOINED(double, WIDTH) states;
#endif
#if PRECISION == 64
typedef JOINED(double, WIDTH) reals;
typedef JOINED(long, WIDTH) masks;
#else
typedef JOINED(float, WIDTH) reals;
typedef JOINED(int, WIDTH) masks;
#endif
#if PRECISION == 48
#define to_reals JOINED(convert_float, WIDTH)
#define to_states JOINED(convert_double, WIDTH)
#else
#define to_reals(v) (v)
#define to_states(v) (v)
#endif
#if WIDTH == 4
#define lane_numbers ((masks)(0, 1, 2, 3))
#elif WIDTH == 8
#define lane_numbers ((masks)(0, 1, 2, 3, 4, 5, 6, 7))
#else
#define lane_numbers ((masks)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#endif

// The hardware's approximate root: 1.8 times as fast as rsqrt() with the steps that make it good.
#if FAST_ROOT && PRECISION != 64 && WIDTH == 16 && defined(__AVX512F__)
#define APPROXIMATE 1
inline reals approximate_roots(reals x) {
  return __builtin_ia32_rsqrt14ps512_mask(x, (reals)(0), (ushort)-1);
}
#elif FAST_ROOT && PRECISION != 64 && WIDTH == 8 && defined(__AVX__)
#define APPROXIMATE 1
inline reals approximate_roots(reals x) { return __builtin_ia32_rsqrtps256(x); }
#elif FAST_ROOT && PRECISION == 64 && WIDTH == 8 && defined(__AVX512F__)
#define APPROXIMATE 1
// 14 bits, 42 by a step of third order.
inline reals approximate_roots(reals x) {
  const reals y = __builtin_ia32_rsqrt14pd512_mask(x, (reals)(0), (uchar)-1);
  const reals e = fma(-x * y, y, (reals)(1));
  return fma(y * e, fma(e, (reals)(0.375), (reals)(0.5)), y);
}
#else
#define APPROXIMATE 0
inline reals approximate_roots(reals x) { return (reals)(1) / sqrt(x); }
#endif

inline reals inverse_roots(reals x) {
  const reals y = approximate_roots(x);
  return APPROXIMATE ? fma(y * (real)0.5, fma(-x * y, y, (reals)(1)), y) : y;
}

// strength · x^{-3/2}: the step that mends the root is taken on its cube, where it costs two
// operations less.
inline reals inverse_cubes(reals x, real strength) {
  const reals y = approximate_roots(x), square = y * y;
  if (!APPROXIMATE) return strength * (y * square);
  const reals e = fma(-x, square, (reals)(1));
  return (square * y) * fma((reals)((real)1.5 * strength), e, (reals)(strength));
}

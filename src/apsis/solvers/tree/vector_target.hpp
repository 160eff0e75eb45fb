// SPDX-License-Identifier: MIT
// What the far-field kernels are compiled for: Highway's targets, or the build's own instruction
// set where there is no Highway. Re-evaluated for every target, hence no #pragma once.
#ifdef APSIS_HAS_HIGHWAY
#include <hwy/highway.h>
#else
#if defined(__SSE2__)
#include <immintrin.h>
#endif
#endif

#undef APSIS_FAR_BEGIN
#undef APSIS_FAR_END
#undef APSIS_FAR_INLINE
#undef APSIS_FAR_MEMBER
#undef APSIS_FAR_LAMBDA
#undef APSIS_FAR_LANES
#undef APSIS_FAR_TARGET
#undef APSIS_FAR_SMALL_CODE

#ifdef APSIS_HAS_HIGHWAY
#define APSIS_FAR_TARGET HWY_NAMESPACE
#define APSIS_FAR_BEGIN   \
  HWY_BEFORE_NAMESPACE(); \
  namespace apsis::far::HWY_NAMESPACE {
#define APSIS_FAR_END \
  }                   \
  HWY_AFTER_NAMESPACE();
#define APSIS_FAR_INLINE static inline __attribute__((always_inline, unused)) HWY_ATTR
#define APSIS_FAR_LAMBDA HWY_ATTR __attribute__((always_inline))
#define APSIS_FAR_MEMBER inline __attribute__((always_inline)) HWY_ATTR
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define APSIS_FAR_LANES 16
#elif HWY_TARGET == HWY_AVX2
#define APSIS_FAR_LANES 8
#else
#define APSIS_FAR_LANES 4
#endif
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2
#define APSIS_FAR_SMALL_CODE true
#else
#define APSIS_FAR_SMALL_CODE false
#endif
#else
#define APSIS_FAR_TARGET plain
#define APSIS_FAR_BEGIN namespace apsis::far::plain {
#define APSIS_FAR_END }
#define APSIS_FAR_INLINE static inline __attribute__((always_inline, unused))
#define APSIS_FAR_LAMBDA __attribute__((always_inline))
#define APSIS_FAR_MEMBER inline __attribute__((always_inline))
#define APSIS_FAR_LANES 4
#define APSIS_FAR_SMALL_CODE false
#endif

// SPDX-License-Identifier: MIT
// Vectors of floats for the far-field kernels: the compiler's vector types, which every target
// has, and the few operations that are worth an instruction of their own. Included once per
// instruction set by Highway's foreach_target.h; without Highway once, for the build's own.
#if defined(APSIS_FAR_VECTOR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef APSIS_FAR_VECTOR_INL
#undef APSIS_FAR_VECTOR_INL
#else
#define APSIS_FAR_VECTOR_INL
#endif

#include <apsis/solvers/tree/vector_target.hpp>

APSIS_FAR_BEGIN

typedef float V __attribute__((vector_size(4 * APSIS_FAR_LANES)));
typedef std::int32_t VI __attribute__((vector_size(4 * APSIS_FAR_LANES)));
constexpr int lanes = APSIS_FAR_LANES;
using Mask = std::uint32_t;  // a bit per lane
constexpr Mask all_lanes = static_cast<Mask>((std::uint64_t{1} << lanes) - 1);

// f(0), f(1), ... f(N-1) with numbers that the compiler knows.
template <int... I, class F>
APSIS_FAR_INLINE void unroll_over(std::integer_sequence<int, I...>, const F& f) {
  (f(std::integral_constant<int, I>{}), ...);
}
template <int N, class F>
APSIS_FAR_INLINE void unroll(const F& f) {
  unroll_over(std::make_integer_sequence<int, N>{}, f);
}

APSIS_FAR_INLINE V splat(float value) { return value - V{}; }
APSIS_FAR_INLINE V load(const float* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
APSIS_FAR_INLINE void store(V v, float* to) { std::memcpy(to, &v, sizeof v); }
APSIS_FAR_INLINE V load_first(const float* from, int count) {  // zeros behind `count`
  if (count >= lanes) return load(from);
  V v{};
  std::memcpy(&v, from, sizeof(float) * static_cast<std::size_t>(count));
  return v;
}
APSIS_FAR_INLINE Mask first_lanes(std::size_t count) {
  return count >= lanes ? all_lanes : (Mask{1} << count) - 1;
}

APSIS_FAR_INLINE float sum_of(V v) {
  float parts[lanes];
  store(v, parts);
  for (int half = lanes / 2; half > 0; half /= 2) {
    for (int l = 0; l < half; ++l) parts[l] += parts[l + half];
  }
  return parts[0];
}
APSIS_FAR_INLINE float exact_sum_of(V v) {
  double sum = 0;
  for (int l = 0; l < lanes; ++l) sum += static_cast<double>(v[l]);
  return static_cast<float>(sum);
}
APSIS_FAR_INLINE float max_of(V v) {
  float parts[lanes];
  store(v, parts);
  float most = parts[0];
  for (int l = 1; l < lanes; ++l) most = parts[l] > most ? parts[l] : most;
  return most;
}

#if APSIS_FAR_LANES == 16
APSIS_FAR_INLINE V first_root(V x) { return (V)_mm512_rsqrt14_ps((__m512)x); }
APSIS_FAR_INLINE Mask less(V a, V b) {
  return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
}
APSIS_FAR_INLINE V kept(Mask mask, V v) {
  return (V)_mm512_maskz_mov_ps(static_cast<__mmask16>(mask), (__m512)v);
}
#elif APSIS_FAR_LANES == 8
APSIS_FAR_INLINE V first_root(V x) { return (V)_mm256_rsqrt_ps((__m256)x); }
APSIS_FAR_INLINE Mask less(V a, V b) {
  return static_cast<Mask>(_mm256_movemask_ps(_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LT_OQ)));
}
#elif defined(__SSE2__)
APSIS_FAR_INLINE V first_root(V x) { return (V)_mm_rsqrt_ps((__m128)x); }
APSIS_FAR_INLINE Mask less(V a, V b) {
  return static_cast<Mask>(_mm_movemask_ps(_mm_cmplt_ps((__m128)a, (__m128)b)));
}
#else
APSIS_FAR_INLINE V first_root(V x) {
  V root;
  for (int l = 0; l < lanes; ++l) root[l] = 1.0F / std::sqrt(x[l]);
  return root;
}
APSIS_FAR_INLINE Mask less(V a, V b) {
  Mask mask = 0;
  for (int l = 0; l < lanes; ++l) mask |= static_cast<Mask>(a[l] < b[l]) << l;
  return mask;
}
#endif
#if APSIS_FAR_LANES != 16
APSIS_FAR_INLINE V kept(Mask mask, V v) {
  VI bit, set;
  for (int l = 0; l < lanes; ++l) bit[l] = 1 << l;
  set = ((static_cast<std::int32_t>(mask) - VI{}) & bit) == bit;
  return (V)((VI)v & set);
}
#endif
// The first estimate has 14 bits on AVX-512, which serves pairs at 1e-3; 12 elsewhere do not.
constexpr bool rough_root_serves = APSIS_FAR_LANES == 16;

APSIS_FAR_INLINE V root_of(V x) {  // 1/√x
  const V y = first_root(x);
  return y * (1.5F - 0.5F * x * y * y);
}

// Appends the chosen lanes of `from` and returns behind the last.
APSIS_FAR_INLINE std::uint32_t* append(const std::uint32_t* from, Mask mask, std::uint32_t* to) {
#if APSIS_FAR_LANES == 16
  _mm512_storeu_si512(
      to, _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), _mm512_loadu_si512(from)));
  return to + __builtin_popcount(mask);
#else
  for (; mask != 0; mask &= mask - 1) *to++ = from[__builtin_ctz(mask)];
  return to;
#endif
}

// 8 columns of the rows at base + offset[lane].
APSIS_FAR_INLINE void load_columns(const float* base, const std::size_t* offset, V* column) {
#if APSIS_FAR_LANES == 16
  __m512 t[8], u[8];
  for (int i = 0; i < 8; ++i) {
    const int row = i < 4 ? i : i + 4;
    t[i] = _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(base + offset[row])),
                              _mm256_loadu_ps(base + offset[row + 4]), 1);
  }
  for (int i = 0; i < 8; i += 2) {
    u[i] = _mm512_unpacklo_ps(t[i], t[i + 1]), u[i + 1] = _mm512_unpackhi_ps(t[i], t[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    t[i] = _mm512_shuffle_ps(u[i], u[i + 2], 0x44);
    t[i + 1] = _mm512_shuffle_ps(u[i], u[i + 2], 0xee);
    t[i + 2] = _mm512_shuffle_ps(u[i + 1], u[i + 3], 0x44);
    t[i + 3] = _mm512_shuffle_ps(u[i + 1], u[i + 3], 0xee);
  }
  for (int i = 0; i < 4; ++i) {
    column[i] = (V)_mm512_shuffle_f32x4(t[i], t[i + 4], 0x88);
    column[i + 4] = (V)_mm512_shuffle_f32x4(t[i], t[i + 4], 0xdd);
  }
#elif APSIS_FAR_LANES == 8
  __m256 t[8], u[8];
  for (int i = 0; i < 8; ++i) t[i] = _mm256_loadu_ps(base + offset[i]);
  for (int i = 0; i < 8; i += 2) {
    u[i] = _mm256_unpacklo_ps(t[i], t[i + 1]), u[i + 1] = _mm256_unpackhi_ps(t[i], t[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    t[i] = _mm256_shuffle_ps(u[i], u[i + 2], 0x44);
    t[i + 1] = _mm256_shuffle_ps(u[i], u[i + 2], 0xee);
    t[i + 2] = _mm256_shuffle_ps(u[i + 1], u[i + 3], 0x44);
    t[i + 3] = _mm256_shuffle_ps(u[i + 1], u[i + 3], 0xee);
  }
  for (int i = 0; i < 4; ++i) {
    column[i] = (V)_mm256_permute2f128_ps(t[i], t[i + 4], 0x20);
    column[i + 4] = (V)_mm256_permute2f128_ps(t[i], t[i + 4], 0x31);
  }
#else
  for (int c = 0; c < 8; ++c) {
    V v{};
    for (int l = 0; l < lanes; ++l) v[l] = base[offset[l] + static_cast<std::size_t>(c)];
    column[c] = v;
  }
#endif
}

// sums[q] = sum over the lanes of v[q].
template <int N>
APSIS_FAR_INLINE void sum_lanes(const V* v, float* sums) {
  int q = 0;
#if APSIS_FAR_LANES == 16
  for (; q + 4 <= N; q += 4) {
    const __m512 a = (__m512)v[q], b = (__m512)v[q + 1], c = (__m512)v[q + 2], d = (__m512)v[q + 3];
    const __m512 ab = _mm512_unpacklo_ps(a, b) + _mm512_unpackhi_ps(a, b);
    const __m512 cd = _mm512_unpacklo_ps(c, d) + _mm512_unpackhi_ps(c, d);
    const __m512 all = _mm512_shuffle_ps(ab, cd, 0x44) + _mm512_shuffle_ps(ab, cd, 0xee);
    const __m256 half = _mm512_castps512_ps256(all) + _mm512_extractf32x8_ps(all, 1);
    _mm_storeu_ps(sums + q, _mm256_castps256_ps128(half) + _mm256_extractf128_ps(half, 1));
  }
#endif
  for (; q < N; ++q) sums[q] = sum_of(v[q]);
}

APSIS_FAR_END
#endif

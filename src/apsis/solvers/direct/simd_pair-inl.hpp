// SPDX-License-Identifier: MIT
// One pair of bodies in explicit vectors: what every loop over pairs does in the middle. Included
// once for every instruction set by files that include hwy/foreach_target.h, hence no pragma once.
#if defined(APSIS_SOLVERS_DIRECT_SIMD_PAIR) == defined(HWY_TARGET_TOGGLE)
#ifdef APSIS_SOLVERS_DIRECT_SIMD_PAIR
#undef APSIS_SOLVERS_DIRECT_SIMD_PAIR
#else
#define APSIS_SOLVERS_DIRECT_SIMD_PAIR
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace apsis::direct::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 1/√x in the first digits: 14 bits on AVX-512, 12 on AVX2 and SSE, 16 on NEON, all elsewhere.
template <class D, class V>
HWY_INLINE V first_root(D d, V x) {
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
#if HWY_TARGET == HWY_NEON
    const V y = hn::ApproximateReciprocalSqrt(x);  // 8 bits, doubled
    return hn::Mul(y, hn::NegMulAdd(hn::Mul(hn::Mul(hn::Set(d, 0.5f), x), y), y, hn::Set(d, 1.5f)));
#elif HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
    static_cast<void>(d);
    return hn::ApproximateReciprocalSqrt(x);
#else
    return hn::Div(hn::Set(d, 1.0f), hn::Sqrt(x));
#endif
  } else {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    static_cast<void>(d);
    return V{_mm512_rsqrt14_pd(x.raw)};
#else
    return hn::Div(hn::Set(d, 1.0), hn::Sqrt(x));
#endif
  }
}

// Whether double roots come out exact and need no mending.
constexpr bool exact_double_root = !(HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86);

template <class D>
constexpr bool needs_mending = sizeof(hn::TFromD<D>) == 4 || !exact_double_root;

// The root is mended on its cube: with e = 1 - x y², x^{-3/2} = y³ (1-e)^{-3/2} is a series in e,
// of which float takes one term and double four.
template <class D, class V>
HWY_INLINE V cube_series(D d, V e) {
  V series = hn::MulAdd(hn::Set(d, 315.0 / 128), e, hn::Set(d, 35.0 / 16));
  series = hn::MulAdd(series, e, hn::Set(d, 15.0 / 8));
  series = hn::MulAdd(series, e, hn::Set(d, 1.5));
  return hn::MulAdd(series, e, hn::Set(d, 1.0));
}

// s · x^{-3/2}; `s15` is 1.5 s.
template <class D, class V>
HWY_INLINE V weight_of(D d, V x, V s, V s15) {
  const V y = first_root(d, x), square = hn::Mul(y, y);
  if constexpr (!needs_mending<D>) return hn::Mul(s, hn::Mul(y, square));
  const V e = hn::NegMulAdd(x, square, hn::Set(d, 1));
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    return hn::Mul(hn::Mul(square, y), hn::MulAdd(s15, e, s));
  } else {
    return hn::Mul(hn::Mul(square, y), hn::Mul(cube_series(d, e), s));
  }
}

// Where a cube meets two strengths, both can carry a constant: 1 + 3/2 e = (5/3 - x y²) · 3/2 saves
// float an operation. Neither 5/3 nor 3/2 then: of the floats close by, these two give 1 for e = 0
// to 14 digits.
constexpr float cube_start = 0x1.aaaaa8p+0F;
template <class Pair>
constexpr Pair cube_factor = sizeof(Pair) == 4 ? static_cast<Pair>(0x1.800006p+0) : 1;

// x^{-3/2} / cube_factor from its first root y.
template <class D, class V>
HWY_INLINE V cube_of(D d, V x, V y) {
  const V square = hn::Mul(y, y), cube = hn::Mul(square, y);
  if constexpr (!needs_mending<D>) return cube;
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    return hn::Mul(cube, hn::NegMulAdd(x, square, hn::Set(d, cube_start)));
  } else {
    return hn::Mul(cube, cube_series(d, hn::NegMulAdd(x, square, hn::Set(d, 1))));
  }
}

// 1/√x to the pairs' accuracy, from its first digits.
template <class D, class V>
HWY_INLINE V mended_root(D d, V x, V y) {
  if constexpr (!needs_mending<D>) return y;
  const V e = hn::NegMulAdd(x, hn::Mul(y, y), hn::Set(d, 1));
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    return hn::MulAdd(hn::Mul(y, hn::Set(d, 0.5f)), e, y);
  } else {
    V series = hn::MulAdd(hn::Set(d, 35.0 / 128), e, hn::Set(d, 5.0 / 16));
    series = hn::MulAdd(series, e, hn::Set(d, 3.0 / 8));
    series = hn::MulAdd(series, e, hn::Set(d, 0.5));
    return hn::MulAdd(hn::Mul(y, e), series, y);
  }
}

// 1/√x, and 0 where bodies coincide: the root never meets a zero.
template <class D, class V>
HWY_INLINE V root_or_zero(D d, V x) {
  const auto together = hn::Eq(x, hn::Zero(d));
  const V safe = hn::IfThenElse(together, hn::Set(d, 1), x);
  return hn::IfThenZeroElse(together, mended_root(d, safe, first_root(d, safe)));
}

// x² + y² + z² + what is given
template <class V>
HWY_INLINE V square_of(V x, V y, V z, V and_more) {
  return hn::MulAdd(z, z, hn::MulAdd(y, y, hn::MulAdd(x, x, and_more)));
}

// Sums in the pairs' type go on in double.
template <class D, class V>
HWY_INLINE void add_to_double(D /*d*/, V sum, double* total) {
#if HWY_TARGET == HWY_SCALAR
  *total += static_cast<double>(hn::GetLane(sum));
#else
  const hn::Repartition<double, D> dd;
  const auto add = [&](auto values, double* to) {
    hn::StoreU(hn::Add(hn::LoadU(dd, to), values), dd, to);
  };
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    add(sum, total);
  } else {
    const hn::Half<D> half;
    add(hn::PromoteTo(dd, hn::LowerHalf(half, sum)), total);
    add(hn::PromoteTo(dd, hn::UpperHalf(half, sum)), total + hn::Lanes(dd));
  }
#endif
}

// The sums over the lanes of four vectors, at a third of the shuffles that four sums one by one
// take.
template <class D, class V>
HWY_INLINE void sum_lanes(D d, V a, V b, V c, V e, hn::TFromD<D>* sums) {
#if HWY_TARGET == HWY_SCALAR
  static_cast<void>(d);
  sums[0] = hn::GetLane(a), sums[1] = hn::GetLane(b);
  sums[2] = hn::GetLane(c), sums[3] = hn::GetLane(e);
#else
  using Pair = hn::TFromD<D>;
  const hn::Full128<Pair> block;
  const auto add_blocks = [&](V v, Pair* to) {
    HWY_ALIGN Pair stored[HWY_MAX_BYTES / sizeof(Pair)];
    hn::Store(v, d, stored);
    auto sum = hn::Load(block, stored);
    for (std::size_t k = hn::Lanes(block); k < hn::Lanes(d); k += hn::Lanes(block)) {
      sum = hn::Add(sum, hn::Load(block, stored + k));
    }
    hn::StoreU(sum, block, to);
  };
  // a and b in turn, each in half as many lanes; c and e likewise
  const V ab = hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  const V ce = hn::Add(hn::InterleaveLower(d, c, e), hn::InterleaveUpper(d, c, e));
  if constexpr (sizeof(Pair) == 8) {
    add_blocks(ab, sums), add_blocks(ce, sums + 2);
  } else {
    const hn::Repartition<double, D> pairs;
    const auto two = hn::BitCast(pairs, ab), others = hn::BitCast(pairs, ce);
    const V first = hn::BitCast(d, hn::InterleaveLower(pairs, two, others));
    const V second = hn::BitCast(d, hn::InterleaveUpper(pairs, two, others));
    add_blocks(hn::Add(first, second), sums);
  }
#endif
}

}  // namespace apsis::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

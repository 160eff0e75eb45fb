// SPDX-License-Identifier: MIT
#include <apsis/solvers/direct/direct_simd.hpp>

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "apsis/solvers/direct/direct_simd.cpp"
#include <hwy/foreach_target.h>
// behind foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace apsis::direct::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Sources whose pairs are added in the pairs' type before they go to double: short enough for
// float, whose running sums lose digits with their length, and long enough that the change costs 2
// %.
constexpr std::size_t block_size = 128;

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

// s · x^{-3/2} with the root mended on its cube: with e = 1 - x y², x^{-3/2} = y³ (1-e)^{-3/2} is a
// series in e, of which float takes one term and double four. `s15` is 1.5 s.
template <class D, class V>
HWY_INLINE V weight_of(D d, V x, V s, V s15) {
  const V y = first_root(d, x), square = hn::Mul(y, y);
  if constexpr (!needs_mending<D>) return hn::Mul(s, hn::Mul(y, square));
  const V e = hn::NegMulAdd(x, square, hn::Set(d, 1));
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    return hn::Mul(hn::Mul(square, y), hn::MulAdd(s15, e, s));
  } else {
    V series = hn::MulAdd(hn::Set(d, 315.0 / 128), e, hn::Set(d, 35.0 / 16));
    series = hn::MulAdd(series, e, hn::Set(d, 15.0 / 8));
    series = hn::MulAdd(series, e, hn::Set(d, 1.5));
    series = hn::MulAdd(series, e, hn::Set(d, 1.0));
    return hn::Mul(hn::Mul(square, y), hn::Mul(series, s));
  }
}

// 1/√x to the pairs' accuracy.
template <class D, class V>
HWY_INLINE V root_of(D d, V x) {
  const V y = first_root(d, x);
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

// T vectors of targets in registers against all sources.
template <class Pair, int T, bool split, bool softened, bool potential>
class Tile {
 public:
  using D = hn::ScalableTag<Pair>;
  using V = hn::Vec<D>;
  static constexpr std::size_t targets = std::size_t{T} * HWY_MAX_BYTES / sizeof(Pair);

  Tile(const SimdTargets<Pair>& from, std::size_t first, double softening)
      : first_(first),
        begin_(from.begin),
        count_(std::min(size(), from.end - first)),
        own_(first + from.own_offset) {
    softening2_ = static_cast<Pair>(softening * softening);
    load(from.x, x_), load(from.y, y_), load(from.z, z_);
    if constexpr (split) load(from.low_x, lx_), load(from.low_y, ly_), load(from.low_z, lz_);
  }

  static std::size_t size() { return T * hn::Lanes(D()); }

  void add(const SimdSources<Pair>& sources, const SimdSums& sums) {
    double tx[targets] = {}, ty[targets] = {}, tz[targets] = {}, tw[targets] = {};
    for (std::size_t begin = 0; begin < sources.count; begin += block_size) {
      const std::size_t end = std::min(sources.count, begin + block_size);
      const bool own = potential && begin < own_ + size() && own_ < end;
      own ? add_block<true>(sources, begin, end, tx, ty, tz, tw)
          : add_block<false>(sources, begin, end, tx, ty, tz, tw);
    }
    for (std::size_t k = 0; k < count_; ++k) {
      const std::size_t to = first_ - begin_ + k;
      sums.x[to] += tx[k], sums.y[to] += ty[k], sums.z[to] += tz[k];
      if constexpr (potential) sums.potential[to] += tw[k];
    }
  }

 private:
  void load(const Pair* from, V (&to)[T]) const {
    HWY_ALIGN Pair padded[targets];
    for (std::size_t k = 0; k < size(); ++k) padded[k] = from[first_ + std::min(k, count_ - 1)];
    for (int t = 0; t < T; ++t) {
      to[t] = hn::Load(D(), padded + static_cast<std::size_t>(t) * hn::Lanes(D()));
    }
  }

  static void add_to(const V (&sum)[T], double* total) {
    const D d;
    HWY_ALIGN Pair stored[targets];
    for (int t = 0; t < T; ++t) {
      hn::Store(sum[t], d, stored + static_cast<std::size_t>(t) * hn::Lanes(d));
    }
    for (std::size_t k = 0; k < size(); ++k) total[k] += static_cast<double>(stored[k]);
  }

  // `own`: some of the sources are the targets themselves.
  template <bool own>
  HWY_NOINLINE void add_block(const SimdSources<Pair>& s, std::size_t begin, std::size_t end,
                              double* tx, double* ty, double* tz, double* tw) const {
    const D d;
    const V eps2 = hn::Set(d, softening2_);
    V ax[T], ay[T], az[T], aw[T];
    for (int t = 0; t < T; ++t) ax[t] = ay[t] = az[t] = aw[t] = hn::Zero(d);
    Pair three_halves[block_size];
    for (std::size_t j = begin; j < end; ++j) {
      three_halves[j - begin] = static_cast<Pair>(1.5) * s.strength[j];
    }
    for (std::size_t j = begin; j < end; ++j) {
      const V sx = hn::Set(d, s.x[j]), sy = hn::Set(d, s.y[j]), sz = hn::Set(d, s.z[j]);
      const V strength = hn::Set(d, s.strength[j]), s15 = hn::Set(d, three_halves[j - begin]);
#pragma GCC unroll 8
      for (int t = 0; t < T; ++t) {
        V dx = hn::Sub(sx, x_[t]), dy = hn::Sub(sy, y_[t]), dz = hn::Sub(sz, z_[t]);
        if constexpr (split) {
          dx = hn::Add(dx, hn::Sub(hn::Set(d, s.low_x[j]), lx_[t]));
          dy = hn::Add(dy, hn::Sub(hn::Set(d, s.low_y[j]), ly_[t]));
          dz = hn::Add(dz, hn::Sub(hn::Set(d, s.low_z[j]), lz_[t]));
        }
        const V r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, eps2)));
        V inverse = eps2;
        if constexpr (potential || !softened) inverse = inverse_distance(d, r2);
        if constexpr (softened) {
          const V weight = weight_of(d, r2, strength, s15);
          ax[t] = hn::MulAdd(weight, dx, ax[t]);
          ay[t] = hn::MulAdd(weight, dy, ay[t]);
          az[t] = hn::MulAdd(weight, dz, az[t]);
        } else {
          // unit vectors: r⁻³ of a float pair overflows below r = 1e-13, r⁻² only below 1e-19
          const V weight = hn::Mul(strength, hn::Mul(inverse, inverse));
          ax[t] = hn::MulAdd(weight, hn::Mul(dx, inverse), ax[t]);
          ay[t] = hn::MulAdd(weight, hn::Mul(dy, inverse), ay[t]);
          az[t] = hn::MulAdd(weight, hn::Mul(dz, inverse), az[t]);
        }
        if constexpr (potential) {
          const V counted = own ? others_only(d, strength, j, t) : strength;
          aw[t] = hn::MulAdd(counted, inverse, aw[t]);
        }
      }
    }
    add_to(ax, tx), add_to(ay, ty), add_to(az, tz);
    if constexpr (potential) add_to(aw, tw);
  }

  static HWY_INLINE V inverse_distance(D d, V r2) {
    if constexpr (softened) return root_of(d, r2);
    // the root never meets a zero
    const auto together = hn::Eq(r2, hn::Zero(d));
    const V root = root_of(d, hn::IfThenElse(together, hn::Set(d, 1), r2));
    return hn::IfThenZeroElse(together, root);
  }

  // The source's strength, and 0 in the lane of the source itself.
  HWY_INLINE V others_only(D d, V strength, std::size_t j, int t) const {
    const std::size_t lane = j - own_ - static_cast<std::size_t>(t) * hn::Lanes(d);
    if (lane >= hn::Lanes(d)) return strength;  // also where it wrapped round
    const V numbers = hn::Iota(d, 0);
    return hn::IfThenZeroElse(hn::Eq(numbers, hn::Set(d, static_cast<Pair>(lane))), strength);
  }

  std::size_t first_, begin_, count_, own_;
  Pair softening2_;
  V x_[T], y_[T], z_[T], lx_[T], ly_[T], lz_[T];
};

template <class Pair, int T, bool split>
void add_tiles(const SimdSources<Pair>& sources, const SimdTargets<Pair>& targets, double softening,
               const SimdSums& sums) {
  const auto run = [&]<bool softened, bool potential>() {
    using Of = Tile<Pair, T, split, softened, potential>;
    for (std::size_t i = targets.begin; i < targets.end; i += Of::size()) {
      Of(targets, i, softening).add(sources, sums);
    }
  };
  if (sums.potential != nullptr) {
    softening > 0 ? run.template operator()<true, true>() : run.template operator()<false, true>();
  } else {
    softening > 0 ? run.template operator()<true, false>()
                  : run.template operator()<false, false>();
  }
}

// Blocks i and j of one set of bodies, each pair once: J bodies j are broadcast and keep their sums
// in registers, while vectors of bodies i stream past with theirs. Whole vectors: the arrays are
// padded with bodies of strength 0, far away.
template <int J>
void meet_blocks(const SimdSources<float>& bodies, const BlockPair& pair, double softening,
                 const SimdSums& own, const SimdSums& met) {
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const V eps2 = hn::Set(d, static_cast<float>(softening * softening));
  const V one = hn::Set(d, 1.0f), three_halves = hn::Set(d, 1.5f);
  HWY_ALIGN float px[most_block] = {}, py[most_block] = {}, pz[most_block] = {};
  for (std::size_t j = pair.met_begin; j < pair.met_end; j += J) {
    V x[J], y[J], z[J], m[J], sx[J], sy[J], sz[J];
    for (int t = 0; t < J; ++t) {
      const std::size_t k = j + static_cast<std::size_t>(t);
      x[t] = hn::Set(d, bodies.x[k]), y[t] = hn::Set(d, bodies.y[k]);
      z[t] = hn::Set(d, bodies.z[k]), m[t] = hn::Set(d, bodies.strength[k]);
      sx[t] = sy[t] = sz[t] = hn::Zero(d);
    }
    for (std::size_t i = pair.own_begin; i < pair.own_end; i += lanes) {
      const V xi = hn::LoadU(d, bodies.x + i), yi = hn::LoadU(d, bodies.y + i);
      const V zi = hn::LoadU(d, bodies.z + i), mi = hn::LoadU(d, bodies.strength + i);
      const std::size_t at = i - pair.own_begin;
      V ax = hn::Load(d, px + at), ay = hn::Load(d, py + at), az = hn::Load(d, pz + at);
#pragma GCC unroll 8
      for (int t = 0; t < J; ++t) {
        const V dx = hn::Sub(x[t], xi), dy = hn::Sub(y[t], yi), dz = hn::Sub(z[t], zi);
        const V r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, eps2)));
        const V root = first_root(d, r2), square = hn::Mul(root, root);
        const V e = hn::NegMulAdd(r2, square, one);
        const V w = hn::Mul(hn::Mul(square, root), hn::MulAdd(three_halves, e, one));
        const V to_own = hn::Mul(w, m[t]), to_met = hn::Mul(w, mi);
        ax = hn::MulAdd(to_own, dx, ax);
        ay = hn::MulAdd(to_own, dy, ay);
        az = hn::MulAdd(to_own, dz, az);
        sx[t] = hn::NegMulAdd(to_met, dx, sx[t]);
        sy[t] = hn::NegMulAdd(to_met, dy, sy[t]);
        sz[t] = hn::NegMulAdd(to_met, dz, sz[t]);
      }
      hn::Store(ax, d, px + at), hn::Store(ay, d, py + at), hn::Store(az, d, pz + at);
    }
    for (int t = 0; t < J; ++t) {
      const std::size_t to = j - pair.met_begin + static_cast<std::size_t>(t);
      met.x[to] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sx[t])));
      met.y[to] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sy[t])));
      met.z[to] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sz[t])));
    }
    // float sums stay short
    if ((j - pair.met_begin + J) % block_size == 0 || j + J >= pair.met_end) {
      for (std::size_t k = 0; k < pair.own_end - pair.own_begin; ++k) {
        own.x[k] += static_cast<double>(px[k]), px[k] = 0;
        own.y[k] += static_cast<double>(py[k]), py[k] = 0;
        own.z[k] += static_cast<double>(pz[k]), pz[k] = 0;
      }
    }
  }
}

void meet_f32(const SimdSources<float>& bodies, const BlockPair& pair, double softening,
              const SimdSums& own, const SimdSums& met) {
  meet_blocks<4>(bodies, pair, softening, own, met);
}

// Vectors of targets in registers: as many as hide the latency of the root and leave room for sums.
void add_f32(const SimdSources<float>& sources, const SimdTargets<float>& targets, double softening,
             const SimdSums& sums) {
  add_tiles<float, HWY_TARGET <= HWY_AVX3 ? 4 : 2, false>(sources, targets, softening, sums);
}
void add_mixed(const SimdSources<float>& sources, const SimdTargets<float>& targets,
               double softening, const SimdSums& sums) {
  add_tiles<float, HWY_TARGET <= HWY_AVX3 ? 2 : 1, true>(sources, targets, softening, sums);
}
void add_f64(const SimdSources<double>& sources, const SimdTargets<double>& targets,
             double softening, const SimdSums& sums) {
  add_tiles<double, HWY_TARGET <= HWY_AVX3 ? 4 : 2, false>(sources, targets, softening, sums);
}

}  // namespace apsis::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsis::direct {

HWY_EXPORT(add_f32);
HWY_EXPORT(add_mixed);
HWY_EXPORT(add_f64);
HWY_EXPORT(meet_f32);

void add_simd_f32(const SimdSources<float>& sources, const SimdTargets<float>& targets,
                  double softening, const SimdSums& sums) {
  HWY_DYNAMIC_DISPATCH(add_f32)(sources, targets, softening, sums);
}
void add_simd_mixed(const SimdSources<float>& sources, const SimdTargets<float>& targets,
                    double softening, const SimdSums& sums) {
  HWY_DYNAMIC_DISPATCH(add_mixed)(sources, targets, softening, sums);
}
void add_simd_f64(const SimdSources<double>& sources, const SimdTargets<double>& targets,
                  double softening, const SimdSums& sums) {
  HWY_DYNAMIC_DISPATCH(add_f64)(sources, targets, softening, sums);
}

void meet_simd_f32(const SimdSources<float>& bodies, const BlockPair& pair, double softening,
                   const SimdSums& own, const SimdSums& met) {
  HWY_DYNAMIC_DISPATCH(meet_f32)(bodies, pair, softening, own, met);
}

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    names.emplace_back(hwy::TargetName(target));
  }
  return names;
}

std::string simd_target() { return simd_targets().front(); }

void use_simd_target(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);  // the machine's own again
  if (name.empty()) return;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    if (hwy::TargetName(target) == name) hwy::SetSupportedTargetsForTest(target);
  }
}

}  // namespace apsis::direct
#endif

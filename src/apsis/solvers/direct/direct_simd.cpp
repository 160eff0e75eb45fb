// SPDX-License-Identifier: MIT
#include <apsis/solvers/direct/direct_simd.hpp>

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "apsis/solvers/direct/direct_simd.cpp"
#include <hwy/foreach_target.h>
// behind foreach_target.h
#include <apsis/solvers/direct/simd_pair-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace apsis::direct::HWY_NAMESPACE {

// Sources whose pairs are added in the pairs' type before they go to double: short enough for
// float, whose running sums lose digits with their length, and long enough that the change costs
// less than 1 %; in mixed precision, which promises more digits of few bodies too, a few per cent.
template <bool mixed>
constexpr std::size_t block_size = mixed ? 128 : 512;

// T vectors of targets in registers against all sources.
template <class Pair, int T, bool split, bool softened, bool potential>
class Tile {
 public:
  using D = hn::ScalableTag<Pair>;
  using V = hn::Vec<D>;
  static constexpr std::size_t most_targets = std::size_t{T} * HWY_MAX_BYTES / sizeof(Pair);

  Tile(const SimdBodies<Pair>& from, std::size_t first, std::size_t end, std::size_t own_offset,
       double softening)
      : first_(first),
        count_(std::min(size(), end - first)),
        own_(first + own_offset),
        softening2_(static_cast<Pair>(softening * softening)) {
    load(from.x, x_), load(from.y, y_), load(from.z, z_);
    if constexpr (split) load(from.low_x, lx_), load(from.low_y, ly_), load(from.low_z, lz_);
  }

  static std::size_t size() { return T * hn::Lanes(D()); }

  void add(const SimdBodies<Pair>& sources, const SimdSums& sums, std::size_t to) {
    double tx[most_targets] = {}, ty[most_targets] = {}, tz[most_targets] = {};
    double tw[most_targets] = {};
    for (std::size_t begin = 0; begin < sources.count; begin += block_size<split>) {
      const std::size_t end = std::min(sources.count, begin + block_size<split>);
      const bool own = potential && begin < own_ + size() && own_ < end;
      own ? add_block<true>(sources, begin, end, tx, ty, tz, tw)
          : add_block<false>(sources, begin, end, tx, ty, tz, tw);
    }
    for (std::size_t k = 0; k < count_; ++k) {
      sums.x[to + k] += tx[k], sums.y[to + k] += ty[k], sums.z[to + k] += tz[k];
      if constexpr (potential) sums.potential[to + k] += tw[k];
    }
  }

 private:
  // The last target fills up what lacks to whole vectors.
  void load(const Pair* from, V (&to)[T]) const {
    HWY_ALIGN Pair padded[most_targets];
    for (std::size_t k = 0; k < size(); ++k) padded[k] = from[first_ + std::min(k, count_ - 1)];
    for (int t = 0; t < T; ++t) {
      to[t] = hn::Load(D(), padded + static_cast<std::size_t>(t) * hn::Lanes(D()));
    }
  }

  static void add_to(const V (&sum)[T], double* total) {
    for (int t = 0; t < T; ++t) {
      add_to_double(D(), sum[t], total + static_cast<std::size_t>(t) * hn::Lanes(D()));
    }
  }

  // `own`: some of the sources are the targets themselves.
  template <bool own>
  HWY_NOINLINE void add_block(const SimdBodies<Pair>& s, std::size_t begin, std::size_t end,
                              double* tx, double* ty, double* tz, double* tw) const {
    const D d;
    const V eps2 = hn::Set(d, softening2_);
    V ax[T], ay[T], az[T], aw[T];
    for (int t = 0; t < T; ++t) ax[t] = ay[t] = az[t] = aw[t] = hn::Zero(d);
    Pair three_halves[block_size<split>];
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
        const V r2 = square_of(dx, dy, dz, eps2);
        V inverse = eps2;
        if constexpr (!softened) inverse = root_or_zero(d, r2);
        if constexpr (softened && potential) inverse = mended_root(d, r2, first_root(d, r2));
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

  // The source's strength, and 0 in the lane of the source itself.
  HWY_INLINE V others_only(D d, V strength, std::size_t j, int t) const {
    const std::size_t lane = j - own_ - static_cast<std::size_t>(t) * hn::Lanes(d);
    if (lane >= hn::Lanes(d)) return strength;  // also where it wrapped round
    const V numbers = hn::Iota(d, 0);
    return hn::IfThenZeroElse(hn::Eq(numbers, hn::Set(d, static_cast<Pair>(lane))), strength);
  }

  std::size_t first_, count_, own_;
  Pair softening2_;
  V x_[T], y_[T], z_[T], lx_[T], ly_[T], lz_[T];
};

template <class Pair, int T, bool split>
void add_tiles(const SimdBodies<Pair>& sources, const SimdBodies<Pair>& targets,
               const SimdRange& range, std::size_t own_offset, double softening,
               const SimdSums& sums) {
  const auto run = [&]<bool softened, bool potential>() {
    using Of = Tile<Pair, T, split, softened, potential>;
    for (std::size_t i = range.begin; i < range.end; i += Of::size()) {
      Of(targets, i, range.end, own_offset, softening).add(sources, sums, i - range.begin);
    }
  };
  if (sums.potential != nullptr) {
    softening > 0 ? run.template operator()<true, true>() : run.template operator()<false, true>();
  } else {
    softening > 0 ? run.template operator()<true, false>()
                  : run.template operator()<false, false>();
  }
}

// Vectors of targets in registers: as many as hide the latency of the root and leave room for sums.
constexpr bool many_registers = HWY_TARGET <= HWY_AVX3;
constexpr int float_vectors = many_registers ? 4 : 2;
constexpr int split_vectors = many_registers ? 2 : 1;
constexpr int double_vectors = many_registers ? 4 : 2;

void add_float(const SimdBodies<float>& sources, const SimdBodies<float>& targets,
               const SimdRange& range, std::size_t own_offset, double softening,
               const SimdSums& sums) {
  const bool split = sources.low_x != nullptr;
  const auto add =
      split ? add_tiles<float, split_vectors, true> : add_tiles<float, float_vectors, false>;
  add(sources, targets, range, own_offset, softening, sums);
}
void add_double(const SimdBodies<double>& sources, const SimdBodies<double>& targets,
                const SimdRange& range, std::size_t own_offset, double softening,
                const SimdSums& sums) {
  add_tiles<double, double_vectors, false>(sources, targets, range, own_offset, softening, sums);
}

}  // namespace apsis::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsis::direct {

HWY_EXPORT(add_float);
HWY_EXPORT(add_double);

template <>
void add_simd(const SimdBodies<float>& sources, const SimdBodies<float>& targets,
              const SimdRange& range, std::size_t own_offset, double softening,
              const SimdSums& sums) {
  HWY_DYNAMIC_DISPATCH(add_float)(sources, targets, range, own_offset, softening, sums);
}
template <>
void add_simd(const SimdBodies<double>& sources, const SimdBodies<double>& targets,
              const SimdRange& range, std::size_t own_offset, double softening,
              const SimdSums& sums) {
  HWY_DYNAMIC_DISPATCH(add_double)(sources, targets, range, own_offset, softening, sums);
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

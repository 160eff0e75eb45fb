// SPDX-License-Identifier: MIT
#include <apsis/solvers/direct/direct_simd.hpp>

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "apsis/solvers/direct/direct_simd_symmetric.cpp"
#include <hwy/foreach_target.h>
// behind foreach_target.h
#include <apsis/solvers/direct/simd_pair-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace apsis::direct::HWY_NAMESPACE {

// T vectors of own bodies stay in registers with their sums, while the bodies they meet come by,
// each broadcast and with a vector of partial sums for every quantity. Those lie in the first
// cache, so the bodies met go in chunks, which also keeps float sums short.
constexpr std::size_t chunk_size = 128;

template <class Pair, int T, bool split, bool softened, bool potential>
class Meeting {
 public:
  using D = hn::ScalableTag<Pair>;
  using V = hn::Vec<D>;

  Meeting(const SimdBodies<Pair>& bodies, double softening)
      : bodies_(bodies), softening2_(static_cast<Pair>(softening * softening)) {}

  void meet(const SimdRange& own, const SimdRange& met, const SimdSums& own_sums,
            const SimdSums& met_sums) {
    for (std::size_t j = met.begin; j < met.end; j += chunk_size) {
      const SimdRange chunk{j, std::min(met.end, j + chunk_size)};
      begin_chunk(chunk);
      for (std::size_t i = own.begin; i < own.end; i += T * hn::Lanes(D())) {
        meet_tile(i, chunk, own_sums, i - own.begin);
      }
      end_chunk(chunk, met_sums, j - met.begin);
    }
  }

 private:
  static constexpr std::size_t most_lanes = HWY_MAX_BYTES / sizeof(Pair);
  static constexpr std::size_t quantities = potential ? 4 : 3;
  static constexpr Pair factor = softened ? cube_factor<Pair> : 1;

  void begin_chunk(const SimdRange& chunk) {
    const std::size_t n = chunk.end - chunk.begin;
    std::fill_n(partial_, n * quantities * hn::Lanes(D()), Pair(0));
    for (std::size_t k = 0; k < n; ++k) weight_[k] = factor * bodies_.strength[chunk.begin + k];
  }

  void end_chunk(const SimdRange& chunk, const SimdSums& sums, std::size_t to) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t k = 0; k < chunk.end - chunk.begin; ++k, ++to) {
      const Pair* from = partial_ + k * quantities * lanes;
      Pair sum[4];
      sum_lanes(d, hn::Load(d, from), hn::Load(d, from + lanes), hn::Load(d, from + 2 * lanes),
                potential ? hn::Load(d, from + 3 * lanes) : hn::Zero(d), sum);
      sums.x[to] += static_cast<double>(sum[0]);
      sums.y[to] += static_cast<double>(sum[1]);
      sums.z[to] += static_cast<double>(sum[2]);
      if constexpr (potential) sums.potential[to] += static_cast<double>(sum[3]);
    }
  }

  HWY_NOINLINE void meet_tile(std::size_t i, const SimdRange& chunk, const SimdSums& sums,
                              std::size_t to) {
    const D d;
    const std::size_t lanes = hn::Lanes(d);
    const V eps2 = hn::Set(d, softening2_);
    V x[T], y[T], z[T], lx[T], ly[T], lz[T], m[T], weight[T], ax[T], ay[T], az[T], aw[T];
    for (int t = 0; t < T; ++t) {
      const std::size_t at = i + static_cast<std::size_t>(t) * lanes;
      x[t] = hn::LoadU(d, bodies_.x + at);
      y[t] = hn::LoadU(d, bodies_.y + at);
      z[t] = hn::LoadU(d, bodies_.z + at);
      if constexpr (split) {
        lx[t] = hn::LoadU(d, bodies_.low_x + at);
        ly[t] = hn::LoadU(d, bodies_.low_y + at);
        lz[t] = hn::LoadU(d, bodies_.low_z + at);
      }
      m[t] = hn::LoadU(d, bodies_.strength + at);
      weight[t] = hn::Mul(m[t], hn::Set(d, factor));
      ax[t] = ay[t] = az[t] = aw[t] = hn::Zero(d);
    }
    Pair* sum = partial_;
    for (std::size_t j = chunk.begin; j < chunk.end; ++j, sum += quantities * lanes) {
      const V sx = hn::Set(d, bodies_.x[j]), sy = hn::Set(d, bodies_.y[j]);
      const V sz = hn::Set(d, bodies_.z[j]), met_weight = hn::Set(d, weight_[j - chunk.begin]);
      V mx = hn::Load(d, sum), my = hn::Load(d, sum + lanes), mz = hn::Load(d, sum + 2 * lanes);
      V mw = eps2;
      if constexpr (potential) mw = hn::Load(d, sum + 3 * lanes);
#pragma GCC unroll 8
      for (int t = 0; t < T; ++t) {
        V dx = hn::Sub(sx, x[t]), dy = hn::Sub(sy, y[t]), dz = hn::Sub(sz, z[t]);
        if constexpr (split) {
          dx = hn::Add(dx, hn::Sub(hn::Set(d, bodies_.low_x[j]), lx[t]));
          dy = hn::Add(dy, hn::Sub(hn::Set(d, bodies_.low_y[j]), ly[t]));
          dz = hn::Add(dz, hn::Sub(hn::Set(d, bodies_.low_z[j]), lz[t]));
        }
        const V r2 = square_of(dx, dy, dz, eps2);
        V inverse = eps2, cube = eps2;
        if constexpr (softened) {
          const V root = first_root(d, r2);
          cube = cube_of(d, r2, root);
          if constexpr (potential) inverse = mended_root(d, r2, root);
        } else {
          // unit vectors: see direct_simd.cpp
          inverse = root_or_zero(d, r2), cube = hn::Mul(inverse, inverse);
          dx = hn::Mul(dx, inverse), dy = hn::Mul(dy, inverse), dz = hn::Mul(dz, inverse);
        }
        const V to_own = hn::Mul(cube, met_weight), to_met = hn::Mul(cube, weight[t]);
        ax[t] = hn::MulAdd(to_own, dx, ax[t]);
        ay[t] = hn::MulAdd(to_own, dy, ay[t]);
        az[t] = hn::MulAdd(to_own, dz, az[t]);
        mx = hn::NegMulAdd(to_met, dx, mx);
        my = hn::NegMulAdd(to_met, dy, my);
        mz = hn::NegMulAdd(to_met, dz, mz);
        if constexpr (potential) {
          aw[t] = hn::MulAdd(hn::Set(d, bodies_.strength[j]), inverse, aw[t]);
          mw = hn::MulAdd(m[t], inverse, mw);
        }
      }
      hn::Store(mx, d, sum), hn::Store(my, d, sum + lanes), hn::Store(mz, d, sum + 2 * lanes);
      if constexpr (potential) hn::Store(mw, d, sum + 3 * lanes);
    }
    for (int t = 0; t < T; ++t) {
      const std::size_t at = to + static_cast<std::size_t>(t) * lanes;
      add_to_double(d, ax[t], sums.x + at);
      add_to_double(d, ay[t], sums.y + at);
      add_to_double(d, az[t], sums.z + at);
      if constexpr (potential) add_to_double(d, aw[t], sums.potential + at);
    }
  }

  SimdBodies<Pair> bodies_;
  Pair softening2_;
  // of every body of the chunk, a vector for each quantity
  HWY_ALIGN Pair partial_[chunk_size * quantities * most_lanes];
  Pair weight_[chunk_size];
};

template <class Pair, int T, bool split>
void meet_ranges(const SimdBodies<Pair>& bodies, const SimdRange& own, const SimdRange& met,
                 double softening, const SimdSums& own_sums, const SimdSums& met_sums) {
  const auto run = [&]<bool softened, bool potential>() {
    Meeting<Pair, T, split, softened, potential>(bodies, softening)
        .meet(own, met, own_sums, met_sums);
  };
  if (own_sums.potential != nullptr) {
    softening > 0 ? run.template operator()<true, true>() : run.template operator()<false, true>();
  } else {
    softening > 0 ? run.template operator()<true, false>()
                  : run.template operator()<false, false>();
  }
}

// Two vectors where there are registers for them; 32 bodies are whole tiles of every instruction
// set.
constexpr int vectors = HWY_TARGET <= HWY_AVX3 ? 2 : 1;

void meet_float(const SimdBodies<float>& bodies, const SimdRange& own, const SimdRange& met,
                double softening, const SimdSums& own_sums, const SimdSums& met_sums) {
  const auto meet =
      bodies.low_x == nullptr ? meet_ranges<float, vectors, false> : meet_ranges<float, 1, true>;
  meet(bodies, own, met, softening, own_sums, met_sums);
}
void meet_double(const SimdBodies<double>& bodies, const SimdRange& own, const SimdRange& met,
                 double softening, const SimdSums& own_sums, const SimdSums& met_sums) {
  meet_ranges<double, vectors, false>(bodies, own, met, softening, own_sums, met_sums);
}

}  // namespace apsis::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsis::direct {

HWY_EXPORT(meet_float);
HWY_EXPORT(meet_double);

template <>
void meet_simd(const SimdBodies<float>& bodies, const SimdRange& own, const SimdRange& met,
               double softening, const SimdSums& own_sums, const SimdSums& met_sums) {
  HWY_DYNAMIC_DISPATCH(meet_float)(bodies, own, met, softening, own_sums, met_sums);
}
template <>
void meet_simd(const SimdBodies<double>& bodies, const SimdRange& own, const SimdRange& met,
               double softening, const SimdSums& own_sums, const SimdSums& met_sums) {
  HWY_DYNAMIC_DISPATCH(meet_double)(bodies, own, met, softening, own_sums, met_sums);
}

}  // namespace apsis::direct
#endif

// SPDX-License-Identifier: MIT
#include <apsis/measure/machine_peak_simd.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "apsis/measure/machine_peak_simd.cpp"
#include <hwy/foreach_target.h>
// behind foreach_target.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace apsis::peak::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A multiply-add takes 4 or 5 cycles and up to four of them start in each: as many chains as there
// are registers for, beside the two constants.
constexpr bool many_registers = HWY_TARGET <= HWY_AVX3 || !HWY_ARCH_X86;
constexpr std::size_t chains = many_registers ? 24 : 12;
constexpr std::size_t load_chains = 8;

// Whoever looks at the sums keeps the compiler from leaving them out.
template <class D, class V, std::size_t count>
HWY_INLINE void use(D d, const V (&values)[count]) {
  V sum = values[0];
  for (std::size_t k = 1; k < count; ++k) sum = hn::Add(sum, values[k]);
  volatile hn::TFromD<D> seen = hn::GetLane(hn::SumOfLanes(d, sum));
  static_cast<void>(seen);
}

template <class Real>
HWY_INLINE double advanced(std::size_t rounds) {
  const hn::ScalableTag<Real> d;
  const auto factor = hn::Set(d, static_cast<Real>(0.999999));
  const auto term = hn::Set(d, static_cast<Real>(1e-6));
  hn::Vec<decltype(d)> chain[chains];
  for (std::size_t k = 0; k < chains; ++k) chain[k] = hn::Set(d, static_cast<Real>(k));
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 24
    for (std::size_t k = 0; k < chains; ++k) chain[k] = hn::MulAdd(chain[k], factor, term);
  }
  use(d, chain);
  return 2.0 * chains * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
}

double advance_float(std::size_t rounds) { return advanced<float>(rounds); }
double advance_double(std::size_t rounds) { return advanced<double>(rounds); }

double read_floats(const float* from, std::size_t count, std::size_t rounds) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d), stride = load_chains * lanes;
  hn::Vec<decltype(d)> sum[load_chains];
  for (auto& part : sum) part = hn::Zero(d);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < count; i += stride) {
#pragma GCC unroll 8
      for (std::size_t k = 0; k < load_chains; ++k) {
        sum[k] = hn::Add(sum[k], hn::Load(d, from + i + k * lanes));
      }
    }
  }
  use(d, sum);
  return sizeof(float) * static_cast<double>(count) * static_cast<double>(rounds);
}

}  // namespace apsis::peak::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace apsis::peak {

HWY_EXPORT(advance_float);
HWY_EXPORT(advance_double);
HWY_EXPORT(read_floats);

double multiply_adds(bool in_double, std::size_t rounds) {
  return in_double ? HWY_DYNAMIC_DISPATCH(advance_double)(rounds)
                   : HWY_DYNAMIC_DISPATCH(advance_float)(rounds);
}
double loads(const float* from, std::size_t count, std::size_t rounds) {
  return HWY_DYNAMIC_DISPATCH(read_floats)(from, count, rounds);
}

}  // namespace apsis::peak
#endif

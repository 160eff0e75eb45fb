// SPDX-License-Identifier: MIT
// exp(-u) in plain products and sums: loops over it become vectors with every compiler, and in
// double it has the bits of exp_of_minus in kernels/numbers.cl where nothing is contracted.
#pragma once

#include <bit>
#include <cstdint>

namespace apsis::radial {

// The largest u that it is asked for: beyond, exp(-u) is not a normal number any more.
template <class Real>
inline constexpr Real most_exponent = sizeof(Real) == 4 ? 86 : 700;

template <class Real>
constexpr Real inverse_factorial(int k) {
  double product = 1;
  for (int i = 2; i <= k; ++i) product *= i;
  return static_cast<Real>(1 / product);
}

// Σ fⁱ⁻ᵏ/i! from i = k up to the degree, at which |f| <= ln 2 / 2 leaves nothing.
template <class Real, int k = 0>
[[gnu::always_inline]] inline Real exponential_series(Real f) {
  constexpr int degree = sizeof(Real) == 4 ? 7 : 13;
  constexpr Real term = inverse_factorial<Real>(k);
  if constexpr (k == degree) {
    return term;
  } else {
    return f * exponential_series<Real, k + 1>(f) + term;
  }
}

// 2⁻ⁿ for n below the number of exponents.
template <class Real>
[[gnu::always_inline]] inline Real power_of_half(std::int32_t n) {
  if constexpr (sizeof(Real) == 4) {
    return std::bit_cast<float>((127 - n) << 23);
  } else {
    return std::bit_cast<double>(static_cast<std::int64_t>(1023 - n) << 52);
  }
}

// For u from 0 to most_exponent. Its relative error is a few units in the last place and u more of
// them, as u itself is rounded.
template <class Real>
[[gnu::always_inline]] inline Real exp_of_minus(Real u) {
  constexpr Real log2e = static_cast<Real>(0x1.71547652b82fep+0);
  constexpr Real ln2 = static_cast<Real>(0x1.62e42fefa39efp-1);
  const auto n = static_cast<std::int32_t>(u * log2e + Real(0.5));
  return exponential_series(static_cast<Real>(n) * ln2 - u) * power_of_half<Real>(n);
}

}  // namespace apsis::radial

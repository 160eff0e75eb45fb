// SPDX-License-Identifier: MIT
// Inside the far-field solvers: what every file of kernels includes before its instruction sets,
// and the entries that those files give to far_kernels.cpp.
#pragma once

// x86 below AVX2 has one set of kernels, of the build's own instructions: four lanes each.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)

#include <apsis/solvers/tree/far_kernels.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

namespace apsis::far {

template <int order>
Kernels kernels_of_order(bool softened, bool dipoles);
template <>
Kernels kernels_of_order<3>(bool softened, bool dipoles);
template <>
Kernels kernels_of_order<4>(bool softened, bool dipoles);
template <>
Kernels kernels_of_order<5>(bool softened, bool dipoles);
template <>
Kernels kernels_of_order<6>(bool softened, bool dipoles);
template <>
Kernels kernels_of_order<7>(bool softened, bool dipoles);

}  // namespace apsis::far

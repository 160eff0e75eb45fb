// SPDX-License-Identifier: MIT
#include <apsis/solvers/tree/far_kernels_parts.hpp>

namespace apsis::far {

std::span<const int> orders() {
  static constexpr std::array offered{3, 4, 5, 6, 7};
  return offered;
}

Kernels kernels(int order, bool softened, bool has_dipoles) {
  switch (order) {
    case 3:
      return kernels_of_order<3>(softened, has_dipoles);
    case 4:
      return kernels_of_order<4>(softened, has_dipoles);
    case 5:
      return kernels_of_order<5>(softened, has_dipoles);
    case 6:
      return kernels_of_order<6>(softened, has_dipoles);
    default:
      return kernels_of_order<7>(softened, has_dipoles);
  }
}

}  // namespace apsis::far

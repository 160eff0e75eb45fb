// SPDX-License-Identifier: MIT
// The entry of one order's kernels: the best instruction set of the machine.
#ifndef APSIS_HAS_HIGHWAY
namespace apsis::far {
template <>
Kernels kernels_of_order<APSIS_FAR_ORDER>(bool softened, bool dipoles) {
  return plain::APSIS_FAR_TABLE(softened, dipoles);
}
}  // namespace apsis::far
#elif HWY_ONCE
namespace apsis::far {
HWY_EXPORT(APSIS_FAR_TABLE);
template <>
Kernels kernels_of_order<APSIS_FAR_ORDER>(bool softened, bool dipoles) {
  return HWY_DYNAMIC_DISPATCH(APSIS_FAR_TABLE)(softened, dipoles);
}
}  // namespace apsis::far
#endif

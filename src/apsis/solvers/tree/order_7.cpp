// SPDX-License-Identifier: MIT
// Far-field kernels of order 7, for every instruction set.
#include <apsis/solvers/tree/far_kernels_parts.hpp>

#define APSIS_FAR_ORDER 7
#define APSIS_FAR_TABLE table_7
#ifdef APSIS_HAS_HIGHWAY
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "apsis/solvers/tree/order_7.cpp"
#include <hwy/foreach_target.h>
#endif
// behind foreach_target.h
#include <apsis/solvers/tree/descend-inl.hpp>
#include <apsis/solvers/tree/far_dispatch-inl.hpp>

// SPDX-License-Identifier: MIT
// What this machine's CPU can do at most, by running it: multiply-adds out of registers, and bytes
// out of memory.
#pragma once

#include <apsis/core/choices.hpp>

namespace apsis {

// Floating-point operations a second of `threads` threads that do nothing but fused multiply-adds,
// two operations each, in float or double.
double peak_flops(bool in_double, int threads);

// Bytes a second read and written by a = b + s·c over arrays far larger than any cache.
double memory_bandwidth(int threads);

}  // namespace apsis

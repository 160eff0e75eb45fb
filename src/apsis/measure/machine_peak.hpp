// SPDX-License-Identifier: MIT
// What this machine's CPU can do at most, by running it: multiply-adds out of registers, bytes out
// of the first cache and out of memory. The best of many rounds, and yet lower bounds: whatever
// else ran on the machine made all of them slower.
#pragma once

#include <apsis/core/choices.hpp>

namespace apsis {

// Floating-point operations a second of `threads` threads that do nothing but fused multiply-adds,
// two operations each, in float or double.
double peak_flops(bool in_double, int threads);

// Bytes a second that `threads` threads read from 16 KiB each, which lie in the first cache.
double cache_bandwidth(int threads);

// Bytes a second read and written by a = b + s·c over arrays far larger than any cache.
double memory_bandwidth(int threads);

}  // namespace apsis

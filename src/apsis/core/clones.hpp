// SPDX-License-Identifier: MIT
// A function marked APSIS_CLONES is compiled once per level of the x86-64 instruction set, and the
// loader picks the best that the machine has. g++ only; elsewhere there is one copy.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define APSIS_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define APSIS_CLONES
#endif

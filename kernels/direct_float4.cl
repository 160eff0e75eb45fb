// SPDX-License-Identifier: MIT
// All pairs with a body read from global memory in one load of four numbers.
#define SOURCES global const state4* restrict sources
#define SOURCE(j) sources[j]
#include "one_body_an_item.cl"

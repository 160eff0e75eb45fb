// SPDX-License-Identifier: MIT
// All pairs, the first rung: bodies are read from global memory, one number at a time.
#define SOURCES global const state* restrict sources
#define SOURCE(j) \
  ((state4)(sources[4 * (j)], sources[4 * (j) + 1], sources[4 * (j) + 2], sources[4 * (j) + 3]))
#include "one_body_an_item.cl"

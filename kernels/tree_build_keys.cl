// SPDX-License-Identifier: MIT
// What is known of a tree before its nodes: levels that keys have in common, the word a body has
// about the nodes that begin with it, and the numbers that the host looks at.
#pragma once

#ifndef KEY_WORDS
#define KEY_WORDS 1 // of a key, each with WORD_LEVELS levels of three bits
#endif
#define WORD_LEVELS 21
#if KEY_WORDS == 1
#define DEEPEST WORD_LEVELS
#else
#define DEEPEST 61
#endif

// counters: nodes, flags, and by level the nodes and (of fine keys) the leaves
#define TOO_SHALLOW 1 // a leaf at the last level is too full
#define UNRESOLVED 2  // and not all of its bodies are in one place
#define MISTAKEN 3    // a level that was not chosen divides a cell
#define CROWDED 4     // the cube's last level leaves a leaf too full
#define LEVEL_COUNTS 8
#define LEAF_COUNTS 72

// The level of a body's leaf, how many cells begin with it, and how many before it in its tile.
#define BEGINS(leaf_level, begun, running) ((leaf_level) << 22 | (begun) << 16 | (running))
#define LEAF_LEVEL(word) ((int)((word) >> 22))
#define BEGUN(word) ((int)((word) >> 16 & 63))
#define BEGUN_BEFORE(word) ((word) & 0xffff)

inline int common_levels_of(ulong a, ulong b, int depth) {
  const ulong differing = a ^ b;
  return differing == 0 ? depth : depth - 1 - (63 - (int)clz(differing)) / 3;
}
// Levels that the keys of two bodies have in common.
inline int common_levels(global const ulong* keys, int count, int a, int b, int depth) {
#if KEY_WORDS == 1
  return common_levels_of(keys[a], keys[b], depth);
#else
  for (int w = 0; WORD_LEVELS * w < depth; ++w) {
    const int levels = min(WORD_LEVELS, depth - WORD_LEVELS * w);
    const int common =
        common_levels_of(keys[(size_t)w * count + a], keys[(size_t)w * count + b], levels);
    if (common < levels) return WORD_LEVELS * w + common;
  }
  return depth;
#endif
}

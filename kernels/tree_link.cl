// SPDX-License-Identifier: MIT
// Where a node's children are: their number in the upper four bits of a word, the first of them in
// the others; 0 for a leaf.
#pragma once

#define FIRST_CHILD 0x0fffffffu
#define CHILDREN 28

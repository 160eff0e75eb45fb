// SPDX-License-Identifier: MIT
// Inside lab/: whether a row of somebody's file may be ranked.
#pragma once

#include <apsis/lab/results.hpp>

#include <string>

namespace apsis::lab {

// Why not: the lesson's own complaint, an error above what the precision gives, a number that is
// none, below zero, beyond all machines or at odds with others of the row. Empty where it may.
std::string fault_of(const Row& row);

}  // namespace apsis::lab

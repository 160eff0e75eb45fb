// SPDX-License-Identifier: MIT
// An engine's state cut into parts of consecutive bodies, and joined again: what ranks write and
// read, on any number of them.
#pragma once

#include <apsis/engines/engine.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace apsis {

// How many of n bodies each of `parts` owners has: consecutive ones, as even as can be.
std::vector<std::size_t> even_parts(std::size_t n, std::size_t parts);

// Bodies [first, first + count) of a state. bad_data where an array does not belong to its bodies.
EngineState part_of_state(const EngineState& state, std::size_t first, std::size_t count);

// The whole again. bad_data where the parts are not of one state.
EngineState joined_state(std::span<const EngineState> parts);

}  // namespace apsis

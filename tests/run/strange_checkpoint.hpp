// SPDX-License-Identifier: MIT
// Checkpoints as a stranger could make them: of the right form, every hash right, and one to four
// things in them odd.
#pragma once

#include <apsis/io/checkpoint.hpp>

#include <support/choices.hpp>

#include <string>

namespace apsis::testing {

Checkpoint strange_checkpoint(const Checkpoint& good, Choices& choices);

// A spec with a line gone, doubled, moved, or with an odd value.
std::string strange_spec(const std::string& good, Choices& choices);

}  // namespace apsis::testing

// SPDX-License-Identifier: MIT
// Inside contacts/ and engines/: pairs as searches give them.
#pragma once

#include <apsis/contacts/paths.hpp>

#include <cstddef>

namespace apsis {

// Sorted, each once, of bodies with numbers below `bodies`.
BodyPairs sorted_pairs(BodyPairs pairs, std::size_t bodies, int threads);

}  // namespace apsis

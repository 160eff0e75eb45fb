// SPDX-License-Identifier: MIT
// Paths of bodies that were stored for the sake of a search, which keeps them.
#pragma once

#include <apsis/contacts/contact_step.hpp>
#include <apsis/contacts/finder.hpp>
#include <apsis/core/bodies.hpp>

#include <optional>

namespace apsis {

// Of straight paths of that duration, which end where `bodies` are. Without `before` their
// velocities led there; with it they went there from its places.
ContactSource contact_source_of(Bodies bodies, const Bodies* before, double duration,
                                const std::optional<Box>& walls, ContactSearch how, int threads);

}  // namespace apsis

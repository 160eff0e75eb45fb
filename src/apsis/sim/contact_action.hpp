// SPDX-License-Identifier: MIT
// Contacts, walls and the end of space as actions of the loop.
#pragma once

#include <apsis/core/contact_settings.hpp>
#include <apsis/core/external_fields.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/sim/simulation.hpp>

#include <optional>

namespace apsis {

// What decides the energies that contacts change.
struct Forces {
  PairLaw pairs;
  ExternalFields external;
  bool pairs_act = true;  // false: only their constant counts, for what pulls from outside
};

// Merges, bounces, softens and stops, and reflects at walls; nothing where none is asked for.
// `keeps_spin`: bodies have spins, which take up the angular momentum that mergers would lose.
std::optional<PathAction> contact_action(const ContactSettings& contacts,
                                         const SpaceSettings& space, const Forces& forces,
                                         bool keeps_spin);

// Takes bodies out that are too far away, every so many steps.
inline constexpr int steps_between_removals = 10;
// Not at the end of a run, which may be prolonged.
std::optional<Action> removal_action(const SpaceSettings& space, const Forces& forces, double step);

}  // namespace apsis

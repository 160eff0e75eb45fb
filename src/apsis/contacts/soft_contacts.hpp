// SPDX-License-Identifier: MIT
// Soft contacts: a spring and a damper between bodies that overlap, as one kick in the middle of
// their straight paths. The state at both ends of a step is whole, so that nothing is remembered
// from one step to the next.
#pragma once

#include <apsis/contacts/contact_step.hpp>

#include <optional>

namespace apsis {

// Two bodies alone touch for `duration` and part with `restitution` of the speed they met with,
// whatever their masses and speeds: the spring of a pair has the stiffness μ (ω² + λ²) and its
// damper 2 μ λ, with ω = π / duration, λ = -ln(restitution) / duration and the reduced mass μ.
struct SoftRule {
  double duration = 0;
  double restitution = 1;  // above 0
  std::optional<Box> walls;
};

// Contacts are those that begin in this step; `kinetic_lost` went into all springs and dampers, and
// may come back from the springs.
ContactChanges soft_contacts_of_step(const ContactSource& source, double step,
                                     const SoftRule& rule);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// What an engine is told: what the user chose, as it is, and what was found out or decided since.
#pragma once

#include <apsis/core/contact_settings.hpp>
#include <apsis/core/external_fields.hpp>
#include <apsis/core/settings.hpp>
#include <apsis/solvers/solver_choice.hpp>

namespace apsis {

struct EngineSettings {
  ForceSettings force;  // of pairs, in the user's lengths
  ExternalFields external;
  ContactSettings contacts;
  DeviceSettings device;
  SolverChoice choice;      // sizes of kernels, or what an earlier part of the run took; or open
  bool needs_jerk = false;  // which only some solvers give

  Precision precision() const { return precision_of(device); }

  friend bool operator==(const EngineSettings&, const EngineSettings&) = default;
};

template <SameBut<EngineSettings> Settings, class Visit>
void for_each_field(Settings& settings, const Visit& visit) {
  auto& [force, external, contacts, device, choice, needs_jerk] = settings;
  for_each_field(force, visit);
  for_each_field(external, visit);
  for_each_field(contacts, visit);
  for_each_field(device, visit);
  visit(FieldInfo{"choice", "the solver's", "what is not left to the solver"}, choice);
  visit(FieldInfo{"needs_jerk", "false", "whether the integrator needs jerks"}, needs_jerk);
}

}  // namespace apsis

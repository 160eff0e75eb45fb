// SPDX-License-Identifier: MIT
// What an engine is told: what the user chose, as it is, and what was found out or decided since.
#pragma once

#include <apsis/core/settings.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>

#include <string>

namespace apsis {

struct EngineSettings {
  ForceSettings force;  // in the user's lengths
  DeviceSettings device;
  DirectSizes sizes;        // of a device's kernels
  std::string settled;      // what an approximate solver settled for in an earlier part of the run
  bool needs_jerk = false;  // which only some solvers give

  Precision precision() const { return precision_of(device); }

  friend bool operator==(const EngineSettings&, const EngineSettings&) = default;
};

template <SameBut<EngineSettings> Settings, class Visit>
void for_each_field(Settings& settings, const Visit& visit) {
  auto& [force, device, sizes, settled, needs_jerk] = settings;
  for_each_field(force, visit);
  for_each_field(device, visit);
  for_each_field(sizes, visit);
  visit(FieldInfo{"settled", "", "what an approximate solver settled for"}, settled);
  visit(FieldInfo{"needs_jerk", "false", "whether the integrator needs jerks"}, needs_jerk);
}

}  // namespace apsis

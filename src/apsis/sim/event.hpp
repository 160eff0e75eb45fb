// SPDX-License-Identifier: MIT
// What actions did to bodies, as values: observers see them, and files list them.
#pragma once

#include <apsis/core/vec3.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

// What happened to one or two bodies.
struct BodyEvent {
  double time = 0;
  std::string kind;  // merge, bounce, soft, stop, left
  std::uint64_t a = 0;
  std::optional<std::uint64_t> b;
  double mass_a = 0, mass_b = 0;
  Vec3 place_a, place_b;
  double approach = 0;                         // speed along the line of centres; of one, its speed
  double energy_before = 0, energy_after = 0;  // of these bodies
  double energy_lost = 0;                      // by the whole system
  Vec3 angular_momentum_lost;
  friend bool operator==(const BodyEvent&, const BodyEvent&) = default;
};

struct Event {
  std::string action;  // its name
  std::uint64_t step = 0;
  double time = 0;
  std::string what;  // in the action's own words
  std::vector<BodyEvent> bodies;
  std::uint64_t wall_hits = 0;
  double energy_lost = 0;  // beside that of the bodies listed: into springs and dampers
  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace apsis

// SPDX-License-Identifier: MIT
// What contacts and the edge of space have done to a run so far: for its energy error, its
// checkpoints and its summary.
#pragma once

#include <apsis/core/vec3.hpp>
#include <apsis/sim/event.hpp>

#include <cstdint>
#include <string>

namespace apsis {

struct EventTotals {
  std::uint64_t merged = 0, bounced = 0, left = 0, wall_hits = 0;
  double energy_lost = 0, mass_left = 0;
  Vec3 angular_momentum_lost;

  bool any() const { return merged + bounced + left + wall_hits > 0; }
  void add(const Event& event);
  friend bool operator==(const EventTotals&, const EventTotals&) = default;
};

// For checkpoints; nlohmann::json::exception for what is no such text.
std::string to_text(const EventTotals& totals);
EventTotals event_totals_from_text(const std::string& text);

}  // namespace apsis

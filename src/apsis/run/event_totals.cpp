// SPDX-License-Identifier: MIT
#include <apsis/run/event_totals.hpp>

#include <nlohmann/json.hpp>

namespace apsis {

void EventTotals::add(const Event& event) {
  wall_hits += event.wall_hits, energy_lost += event.energy_lost;
  for (const BodyEvent& body : event.bodies) {
    energy_lost += body.energy_lost;
    angular_momentum_lost += body.angular_momentum_lost;
    if (body.kind == "merge") ++merged;
    if (body.kind == "bounce" || body.kind == "soft") ++bounced;
    if (body.kind == "left") ++left, mass_left += body.mass_a;
  }
}

std::string to_text(const EventTotals& t) {
  const Vec3& l = t.angular_momentum_lost;
  return nlohmann::ordered_json{{"merged", t.merged},
                                {"bounced", t.bounced},
                                {"left", t.left},
                                {"wall_hits", t.wall_hits},
                                {"energy_lost", t.energy_lost},
                                {"mass_left", t.mass_left},
                                {"angular_momentum_lost", {l.x, l.y, l.z}}}
      .dump();
}

EventTotals event_totals_from_text(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  EventTotals t;
  t.merged = json.at("merged"), t.bounced = json.at("bounced"), t.left = json.at("left");
  t.wall_hits = json.at("wall_hits");
  t.energy_lost = json.at("energy_lost"), t.mass_left = json.at("mass_left");
  const auto& l = json.at("angular_momentum_lost");
  t.angular_momentum_lost = {l.at(0), l.at(1), l.at(2)};
  return t;
}

}  // namespace apsis

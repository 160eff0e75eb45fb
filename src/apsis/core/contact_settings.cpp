// SPDX-License-Identifier: MIT
#include <apsis/core/contact_settings.hpp>
#include <apsis/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>

namespace apsis {
namespace {

// A key that only some answers to a contact have a use for.
void require_use(const char* key, const std::optional<double>& value, OnContact on,
                 std::initializer_list<OnContact> users) {
  if (!value || std::ranges::count(users, on) > 0) return;
  std::vector<std::string> names;
  for (const OnContact user : users) names.push_back(fmt::format("\"{}\"", name_of(user)));
  throw bad_data(fmt::format("contacts.{} = {} means nothing with contacts.on = \"{}\"", key,
                             *value, name_of(on)),
                 fmt::format("leave it out, or use contacts.on = {}", list_of(names)));
}

constexpr auto all_answers = {OnContact::merge, OnContact::bounce, OnContact::soft,
                              OnContact::stop};

}  // namespace

void give_radii(Bodies& bodies, const ContactSettings& settings) {
  if (!bodies.radius.empty()) return;
  if (settings.radius) bodies.radius.assign(bodies.size(), *settings.radius);
  if (!settings.density) return;
  bodies.radius.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double volume = bodies.mass[i] / *settings.density;
    bodies.radius[i] = std::cbrt(3 * volume / (4 * std::numbers::pi));
  }
}

void require_valid(const ContactSettings& contacts) {
  const OnContact on = on_contact(contacts);
  require_use("radius", contacts.radius, on, all_answers);
  require_use("density", contacts.density, on, all_answers);
  require_use("restitution", contacts.restitution, on, {OnContact::bounce, OnContact::soft});
  require_use("duration", contacts.duration, on, {OnContact::soft});
  if (contacts.radius && contacts.density) {
    throw bad_data("contacts.radius and contacts.density both say how large bodies are",
                   "leave one of them out");
  }
  if (on == OnContact::soft && !contacts.duration) {
    throw bad_data("contacts.on = \"soft\" without contacts.duration",
                   "give the time that two bodies touch, some 20 steps");
  }
  if (on == OnContact::soft && restitution_of(contacts) == 0) {
    throw bad_data(
        "contacts.restitution = 0 with contacts.on = \"soft\": no damper stops bodies "
        "within a contact",
        "give a restitution above 0, for example 0.05, or use contacts.on = bounce");
  }
}

void require_steps_in_contacts(const ContactSettings& contacts, double step) {
  if (on_contact(contacts) != OnContact::soft) return;
  if (*contacts.duration >= least_steps_of_contact * step) return;
  throw bad_data(fmt::format("contacts.duration = {} is {:.3g} steps of {}: too few for a spring",
                             *contacts.duration, *contacts.duration / step, step),
                 fmt::format("give time.step = {:.3g}, a 20th of it, or a longer duration",
                             *contacts.duration / 20));
}

void require_valid(const ContactSettings& contacts, const SpaceSettings& space,
                   const Bodies& bodies, const std::string& origin) {
  require_valid(contacts);
  if (on_contact(contacts) != OnContact::none && bodies.radius.empty() && !bodies.empty()) {
    throw bad_data(fmt::format("{}: contacts.on = \"{}\", but the bodies have no radius", origin,
                               name_of(on_contact(contacts))),
                   "give contacts.radius or contacts.density, or a column radius");
  }
  if (!space.walls) return;
  const Box& walls = *space.walls;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 place = bodies.position(i);
    const double r = bodies.radius_of(i);
    const std::array<double, 3> at{place.x, place.y, place.z};
    for (std::size_t k = 0; k < 3; ++k) {
      if (2 * r >= walls[2 * k + 1] - walls[2 * k]) {
        throw bad_data(
            fmt::format("{}: body {} (id {}) with radius {} has no room between "
                        "space.walls, {} to {} along {}",
                        origin, i, bodies.id[i], r, walls[2 * k], walls[2 * k + 1], "xyz"[k]),
            "give wider walls or smaller radii");
      }
      if (at[k] - r >= walls[2 * k] && at[k] + r <= walls[2 * k + 1]) continue;
      throw bad_data(fmt::format("{}: body {} (id {}) at {} = {} with radius {} is not within "
                                 "space.walls, {} to {} along {}",
                                 origin, i, bodies.id[i], "xyz"[k], at[k], r, walls[2 * k],
                                 walls[2 * k + 1], "xyz"[k]),
                     "give wider walls");
    }
  }
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
// What a user chooses about bodies that touch, and about the space that they may be in. Engines,
// ranks and runs have these structs as they are; a key is added here and nowhere else.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/choices.hpp>
#include <apsis/core/fields.hpp>
#include <apsis/core/settings.hpp>

#include <optional>
#include <string>

namespace apsis {

enum class OnContact { none, merge, bounce, soft, stop };
template <>
struct Choice<OnContact> {
  static constexpr const char* what = "answer to a contact";
  static constexpr std::pair<OnContact, std::string_view> values[] = {{OnContact::none, "none"},
                                                                      {OnContact::merge, "merge"},
                                                                      {OnContact::bounce, "bounce"},
                                                                      {OnContact::soft, "soft"},
                                                                      {OnContact::stop, "stop"}};
};

enum class ContactSearch { automatic, direct, grid, tree };
template <>
struct Choice<ContactSearch> {
  static constexpr const char* what = "search for contacts";
  static constexpr std::pair<ContactSearch, std::string_view> values[] = {
      {ContactSearch::automatic, "auto"},
      {ContactSearch::direct, "direct"},
      {ContactSearch::grid, "grid"},
      {ContactSearch::tree, "tree"}};
};

struct ContactSettings {
  std::optional<OnContact> on;
  std::optional<double> restitution;
  std::optional<double> radius;    // of bodies that come without one
  std::optional<double> density;   // from which, and its mass, a body's radius follows
  std::optional<double> duration;  // of a soft contact of two bodies
  std::optional<ContactSearch> search;

  friend bool operator==(const ContactSettings&, const ContactSettings&) = default;
};

inline OnContact on_contact(const ContactSettings& settings) {
  return settings.on.value_or(OnContact::none);
}
inline double restitution_of(const ContactSettings& settings) {
  return settings.restitution.value_or(1);
}
inline ContactSearch search_of(const ContactSettings& settings) {
  return settings.search.value_or(ContactSearch::automatic);
}

template <SameBut<ContactSettings> Settings, class Visit>
void for_each_field(Settings& settings, const Visit& visit) {
  auto& [on, restitution, radius, density, duration, search] = settings;
  visit(FieldInfo{"on", "none",
                  "what happens when bodies touch: none, merge, bounce, soft (a spring and a "
                  "damper) or stop"},
        on);
  visit(FieldInfo{"restitution", "1",
                  "bounce, soft: speed of separation over speed of approach; 1 keeps the energy"}
            .not_negative()
            .at_most(1),
        restitution);
  visit(FieldInfo{"radius", "none", "of bodies that come without one"}.not_negative(), radius);
  visit(FieldInfo{"density", "none",
                  "of bodies that come without a radius, which then follows from their mass"}
            .positive(),
        density);
  visit(FieldInfo{"duration", "none", "soft: how long two bodies touch"}.positive(), duration);
  visit(FieldInfo{"search", "auto",
                  "how touching bodies are found: direct (all pairs), grid or tree; never changes "
                  "the result"},
        search);
}

// The space that bodies may be in.
struct SpaceSettings {
  std::optional<Box> walls;             // that reflect
  std::optional<double> remove_beyond;  // distance from the origin

  friend bool operator==(const SpaceSettings&, const SpaceSettings&) = default;
};

template <SameBut<SpaceSettings> Settings, class Visit>
void for_each_field(Settings& settings, const Visit& visit) {
  auto& [walls, remove_beyond] = settings;
  visit(FieldInfo{"walls", "none", "[x0, x1, y0, y1, z0, z1]: walls that reflect bodies"}, walls);
  visit(FieldInfo{"remove_beyond", "none",
                  "bodies further than this from the origin are taken out of the run"}
            .positive(),
        remove_beyond);
}

// Those that come without one, from the settings.
void give_radii(Bodies& bodies, const ContactSettings& settings);

// bad_data for keys that mean nothing beside each other, for bodies without a size that shall
// touch, and for those that are outside of space. `origin` (a file or model) starts the message.
void require_valid(const ContactSettings& contacts);
// A spring needs some steps: with eight, the restitution is off by 0.03.
inline constexpr int least_steps_of_contact = 8;
void require_steps_in_contacts(const ContactSettings& contacts, double step);
void require_valid(const ContactSettings& contacts, const SpaceSettings& space,
                   const Bodies& bodies, const std::string& origin);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// What becomes of spheres that touch on their way through a step: contacts one after the other in
// the order of their times, each changing the paths that the later ones start from. Values in,
// values out; the same bits whatever found the pairs.
#pragma once

#include <apsis/contacts/moving_sphere.hpp>
#include <apsis/core/contact_settings.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace apsis {

struct ContactRule {
  OnContact on = OnContact::bounce;  // merge, bounce or stop
  double restitution = 1;
  std::optional<Box> walls;
};

// What happened between two bodies.
struct Contact {
  OnContact kind = OnContact::bounce;
  double time = 0;             // since the paths began
  std::uint64_t a = 0, b = 0;  // ids; of a merger `a` is the one that is left
  double mass_a = 0, mass_b = 0;
  Vec3 place_a, place_b;
  double approach = 0;                           // speed along the line of centres
  double kinetic_before = 0, kinetic_after = 0;  // of both
  double kinetic_lost = 0;                       // by the formula, not as a difference
  Vec3 angular_momentum_lost;                    // of a merger without spins
  friend bool operator==(const Contact&, const Contact&) = default;
};

// Where a contact comes among those of others that have nothing to do with it: at the latest time,
// and of equal times the largest ids, that anything before it had which led to it.
struct ContactOrder {
  double time = 0;
  std::uint64_t low = 0, high = 0;  // ids
  friend auto operator<=>(const ContactOrder&, const ContactOrder&) = default;
};

// As they meet at that time, with nothing done about it yet.
Contact contact_between(const MovingSphere& a, const MovingSphere& b, OnContact kind, double time);
// How much of a change of their relative velocity falls to a: all to the lighter one at the end.
double share_of_first(const MovingSphere& a, const MovingSphere& b);

struct ContactProblem {
  std::vector<MovingSphere> spheres;  // at time 0
  // Numbers in the list of those that may touch; any order, and each as often as it likes.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  double duration = 0;
  ContactRule rule;
  bool keeps_spin = false;  // mergers turn what angular momentum they would lose into spin
};

struct ContactOutcome {
  std::vector<MovingSphere> spheres;  // at the end, in the order that they came in
  std::vector<bool> changed;          // those whose path is not the straight one any more
  std::vector<bool> gone;             // into another one
  // How far each has been from its straight path, and its radius has grown: by that much further
  // off there may have been bodies that it should have met.
  std::vector<double> strayed;
  std::vector<Contact> contacts;  // in their order
  // Of each contact. By it, problems without a common body are joined to what one of all would be.
  std::vector<ContactOrder> order;
  std::uint64_t wall_hits = 0;
  std::uint64_t held = 0;  // contacts without end, whose bodies went on side by side
};

// Pairs of equal times come in the order of their ids. With OnContact::stop only the first contact
// is found, and nothing changes.
ContactOutcome resolve(const ContactProblem& problem);

}  // namespace apsis

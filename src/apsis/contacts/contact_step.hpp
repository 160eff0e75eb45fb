// SPDX-License-Identifier: MIT
// The contacts of one step, wherever the bodies live: candidates on the straight paths are
// resolved, and where that turns paths the search goes on around them, until nobody is missed.
#pragma once

#include <apsis/contacts/contact_parts.hpp>
#include <apsis/contacts/paths.hpp>
#include <apsis/contacts/resolve.hpp>
#include <apsis/core/bodies.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace apsis {

// Who knows the bodies. Numbers are those of the user's order.
struct ContactSource {
  std::function<FoundPairs()> candidates;
  std::function<BodyPairs(std::span<const Stray>)> near;
  std::function<std::vector<std::uint32_t>()> beyond_walls;  // empty: there are none
  SpheresOf spheres;
  int threads = 0;  // that resolve; 0: the default
};

// Body i at the beginning of a straight path of that duration, which ends where it is; its constant
// columns are in `bodies`.
MovingSphere moving_sphere(const Bodies& bodies, std::size_t i, Vec3 place, Vec3 velocity,
                           double duration);

struct ContactChanges {
  std::vector<std::uint32_t> numbers;  // of bodies that are not as the straight path left them
  std::vector<MovingSphere> spheres;   // as they are now
  std::vector<std::uint32_t> gone;     // into others; among the numbers
  std::vector<Contact> contacts;       // times since the paths began
  std::uint64_t wall_hits = 0, held = 0;
  double kinetic_lost = 0;  // beside that of the contacts: into springs and dampers

  bool empty() const { return numbers.empty() && contacts.empty(); }
};

ContactChanges contacts_of_step(const ContactSource& source, double duration,
                                const ContactRule& rule, bool keeps_spin);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// Inside lab/: contacts of one step of a ring, searched for and resolved at a place, with the time
// of both; and the forces between the same bodies beside them.
#pragma once

#include <apsis/contacts/contact_step.hpp>
#include <apsis/core/contact_settings.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/lab/places.hpp>
#include <apsis/measure/timing.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace apsis::lab {

// The area of all bodies as a share of the ring's, and the dispersion of height in their radii.
inline constexpr double optical_depth = 0.1, height_in_radii = 4;

struct Ring {
  Bodies bodies;
  PairLaw law;
  double step = 0;
};
Ring ring_of(std::uint64_t bodies);

// How often something is timed after once that does not count, or that alone where it takes all of
// the seconds. Short ones are timed more often, unless the seconds are endless.
struct Patience {
  int most = 1;
  double seconds = 1;
};

struct RingContacts {
  Timings search, resolve;     // the latter empty where it was not wanted
  double waited = 0;           // seconds that threads waited for a core for every second
  std::size_t candidates = 0;  // pairs that the search gave
  BodyPairs touching;          // those of them whose straight paths touch
  std::vector<Contact> contacts;
  std::uint64_t bytes = 0;  // that the search holds
};
RingContacts contacts_in(const Ring& ring, const LessonPlace& place, ContactSearch how, int threads,
                         const Patience& patience, bool resolves);
// In what `found` differs from what others found in the same ring; empty where it does not.
std::string disagreement(const RingContacts& found, const RingContacts& other,
                         const std::string& whose);

struct RingForces {
  Timings evaluation;
  double waited = 0;
  double error_p99 = 0;
};
RingForces forces_in(const Ring& ring, const LessonPlace& place, double accuracy, int threads,
                     const Patience& patience);

}  // namespace apsis::lab

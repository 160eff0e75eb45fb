// SPDX-License-Identifier: MIT
// What `auto` took for a question before, in the cache folder's file of measurements: the same
// question gets the same answer, until another one has been clearly better more than once.
#pragma once

#include <apsis/engines/cached_entries.hpp>

#include <optional>
#include <string>

namespace apsis {

struct PlaceAndSolver {
  std::string place, solver;

  bool operator==(const PlaceAndSolver&) const = default;
};

struct RememberedChoice {
  PlaceAndSolver choice;
  int runs = 1;                         // that took it
  std::optional<PlaceAndSolver> rival;  // clearly better at the last look
};

// The question is all that the answer depends on: places, settings, number of bodies.
std::optional<RememberedChoice> remembered_choice(const CachedJson& question);
void remember_choice(const CachedJson& question, const RememberedChoice& remembered);

// What was measured at a bad moment must not stand for ever, and measuring costs time: another look
// at the 8th, 16th, 32nd … run.
bool looks_again(const RememberedChoice& remembered);

// What is remembered after another look, which found something else `gain` times as good as what is
// remembered (or the same). It takes the other's place when that is clear for the second time.
inline constexpr double clear_gain = 1.25;
RememberedChoice after_look(const RememberedChoice& remembered, const PlaceAndSolver& found,
                            double gain);

}  // namespace apsis

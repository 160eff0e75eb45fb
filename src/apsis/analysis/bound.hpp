// SPDX-License-Identifier: MIT
// What holds together by its own gravity.
#pragma once

#include <apsis/core/bodies.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace apsis::analysis {

// Of every body its potential energy by the others for each unit of its mass.
using PotentialsOf = std::function<std::vector<double>(const Bodies&)>;

struct BoundPart {
  std::vector<std::uint8_t> is_bound;  // of every body
  std::size_t bodies = 0;
  double mass = 0;
  Vec3 position, velocity;            // of its centre of mass
  double kinetic = 0, potential = 0;  // of it alone, in its own frame
  int rounds = 0;                     // of taking out what is too fast
  // Of every body for each unit of its mass, in the field and the frame of the last round that it
  // was part of: below zero for the bound ones alone.
  std::vector<double> energies;
};

// Takes out bodies whose energy is not below zero in the field and the frame of those that are
// left, until there is none. What was taken out does not come back, and fast ones move the frame:
// in each round only the faster half of them goes, those first that are fast beside the median,
// too.
BoundPart bound_part(const Bodies& bodies, const PotentialsOf& potentials_of);

}  // namespace apsis::analysis

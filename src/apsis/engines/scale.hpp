// SPDX-License-Identifier: MIT
// Internal units: lengths, strengths and times divided by powers of two, so that SI metres or
// 1e±15 keep float's range. Powers of two change no digit.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/pair_law.hpp>

namespace apsis {

// One internal unit in the user's units.
struct Scale {
  double length = 1;
  double strength = 1;  // mass or charge
  double time = 1;

  double velocity() const { return length / time; }
  double acceleration() const { return length / time / time; }
  // The constant in internal units; for charges per unit of q/m.
  double internal_constant(double constant) const {
    return constant * (strength / length / length / length) * time * time;
  }

  friend bool operator==(const Scale&, const Scale&) = default;
};

// Largest coordinate and strength just below 1, times such that accelerations are of order 1. A
// body beyond 2^20 times the distance that is usual between bodies does not count: it has a larger
// coordinate.
Scale scale_for(const Bodies& bodies, const PairLaw& law);

// How far away in internal units a body may be so that pairs in float, or their roots, hold its
// pull: its inverse cube, or its square.
inline constexpr double reach_of_float_pairs = 0x1p41, reach_of_float_roots = 0x1p62;
// bad_data, naming the body and the remedy, where one is further away.
void require_reach(const Bodies& bodies, const Scale& scale, double reach);

// From Σ s φ in internal units, where every pair is counted twice.
double potential_energy(const PairLaw& law, const Scale& scale, double sum);
// What a body's φ in internal units is in the user's.
double potential_unit(const PairLaw& law, const Scale& scale);

}  // namespace apsis

// SPDX-License-Identifier: MIT
// Inside lab/: how encounters of two bodies change the energies of bodies in a Plummer sphere, as
// measured, and as Chandrasekhar's theory has it (Binney and Tremaine 2008, section 7.4).
#pragma once

#include <apsis/core/bodies.hpp>

#include <cstdint>
#include <vector>

namespace apsis::lab {

// ∫ b³ db / (b² + s²)² from 0 to `largest`, with s² = softening² + close²: the sum over all impact
// parameters b of the squares of what softened encounters do, which is ln(largest / s) - 1/2 where
// s is small. `close` is the distance at which two bodies turn each other by a right angle.
double coulomb_logarithm(double largest, double softening, double close);

// What the theory says of a Plummer sphere of mass 1 in Henon's units, where G = 1 and E = -1/4.
struct PlummerTheory {
  static double scale_length();      // 3π/16
  static double half_mass_radius();  // of the stars inside, which is taken for the largest b
  // Distance of a right-angled turn between typical bodies.
  static double close_encounter(double bodies);
  // Growth of the mean square change of a body's energy in a unit of time, for a Coulomb logarithm
  // of 1: for bodies with velocities of a Maxwellian of the local dispersion around them.
  static double growth(const Bodies& bodies);
};

// The mean square change of the bodies' own energies (v²/2 + φ) since the start, over time.
struct EnergyWalk {
  std::vector<double> times, mean_squares;
  // Mean of v⁴/3 at the start: what v² times the square of the dispersion along it is. Over the
  // growth it is a relaxation time: that in which speeds change by as much as they differ.
  double scale = 0;
  double growth_of_theory = 0;  // PlummerTheory::growth of the bodies at the start
  double energy_error = 0;      // of the whole, at the end: what the steps add of their own
};

struct WalkSettings {
  std::uint64_t bodies = 0, seed = 0;
  // In the first `settling` units the sphere comes to rest under its softening: what all do
  // together in doing so is no encounter. The walk is that of the `time` after it.
  double softening = 0, settling = 0, time = 1, step = 0.01;
  int looks = 12;
  int threads = 0;
  bool encounters = true;  // else each body moves alone in the smooth sphere
};
EnergyWalk walk_of(const WalkSettings& settings);

// The least-squares slope of values whose time is `from` or later.
double slope_of(const std::vector<double>& times, const std::vector<double>& values, double from);

struct MeanWithError {
  double mean = 0, error = 0;  // error of the mean from its scatter; 0 for one value
};
MeanWithError mean_of(const std::vector<double>& values);

}  // namespace apsis::lab

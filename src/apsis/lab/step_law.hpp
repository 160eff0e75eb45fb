// SPDX-License-Identifier: MIT
// Inside lab/: accelerations in double by the law that a kernel should have, and by those that it
// may have instead: a student's mistake is found by making it, too, and comparing.
#pragma once

#include <apsis/core/vec3.hpp>
#include <apsis/engines/step_kernel.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace apsis::lab {

struct StepLaw {
  double under_root = 0;       // added to r²
  double beside_root = 0;      // added to r, which is wrong
  double power = 3;            // of the distance that the difference of places is divided by
  bool with_masses = true;     // of the others
  double mass = 1;             // of each, where there are none
  bool with_own_mass = false;  // a force instead of an acceleration
  double constant = 1;
  // Bodies [first, end) pull; all groups of `own_group` only within themselves where that is not 0.
  std::size_t end = 0, own_group = 0;
};

// What a law gives at some bodies: the sum, and the sum of sizes, which bounds its rounding.
struct Pull {
  Vec3 acceleration;
  double sizes = 0;
};
std::vector<Pull> pulls(const StepBodies& bodies, const StepLaw& law,
                        std::span<const std::size_t> targets);

// All bodies of few; of many some that are spread over them, and the last ones.
std::vector<std::size_t> targets_among(std::size_t bodies);

// How the velocities of a step fit a law.
struct LawFit {
  bool fits = false;         // to rounding
  bool fits_scaled = false;  // with all accelerations times `scale`
  double scale = 1;
  double error = 0;     // largest error of an acceleration relative to its size
  double distance = 0;  // root of the mean of squares, in units of the accelerations
  std::size_t worst = 0, first_off = 0;  // bodies
};
LawFit fit_of(const StepTrace& trace, double step, std::span<const Pull> pulls,
              std::span<const std::size_t> targets);

// The softening that fits best, where a kernel brings its own: what is added to r².
double fitted_softening(const StepTrace& trace, double step, const StepLaw& law);

}  // namespace apsis::lab

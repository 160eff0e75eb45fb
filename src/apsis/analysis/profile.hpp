// SPDX-License-Identifier: MIT
// Density and motion in shells about a centre.
#pragma once

#include <apsis/analysis/centres.hpp>
#include <apsis/analysis/lagrangian.hpp>

#include <optional>
#include <span>
#include <vector>

namespace apsis::analysis {

struct Shell {
  double inner = 0, outer = 0;  // radii
  std::size_t bodies = 0;
  double mass = 0, mass_within = 0;       // of the shell, and inside of `outer`
  double density = 0, density_error = 0;  // the latter by the number of bodies
  double radial_speed = 0;                // mean, outwards
  double rotation = 0;                    // at the equator, as of a shell that turns as a whole
  double radial_dispersion = 0;           // of the radial speed
  double tangential_dispersion = 0;       // of one of the two other directions
  // 1 - tangential²/radial²: 0 where all directions are alike, 1 for radial orbits
  std::optional<double> anisotropy;
};

struct ShellChoice {
  std::size_t count = 24;
  // Logarithmic from the least to the most; what is left open holds the inner hundredth of the
  // bodies (10 at least) and all but the outer hundredth.
  std::optional<double> least, most;
};

// From the innermost on; a ball comes first that holds what is inside of `least`.
std::vector<Shell> profile(const Bodies& bodies, std::span<const AtDistance> sorted,
                           const Centre& centre, const ShellChoice& choice);

}  // namespace apsis::analysis

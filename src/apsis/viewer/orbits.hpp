// SPDX-License-Identifier: MIT
// The ellipses on which bodies go round each other, as far as there are any: pairs, and pairs of
// pairs (Moon and Earth, they and the Sun), each undisturbed enough by the rest that an ellipse is
// what the eye will see. Bodies that all pull alike have none: their trace is what there is to see.
#pragma once

#include <apsis/core/vec3.hpp>
#include <apsis/viewer/few.hpp>

#include <cstddef>
#include <vector>

namespace apsis::viewer {

// At eccentric anomaly E the body is at centre + (cos E - eccentricity) major + sin E minor, where
// `centre` is the centre of mass of `pair`, wherever its bodies go.
struct Orbit {
  std::size_t body = 0;  // the heaviest of those that move on it together
  std::vector<std::size_t> pair;
  Vec3 major, minor;
  double eccentricity = 0, period = 0;
};

// Without gravity (0) there are none. Innermost first.
std::vector<Orbit> nested_orbits(const std::vector<FewBody>& bodies, double gravity,
                                 double softening);

}  // namespace apsis::viewer

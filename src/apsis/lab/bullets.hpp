// SPDX-License-Identifier: MIT
// Inside lab/: fast bullets at a wall of spheres, looked at in two ways at once: only where each
// step ends, as textbooks have it, and along the whole of its path, as runs do it.
#pragma once

namespace apsis::lab {

struct Volley {
  double way = 0;  // of a bullet in one step, in diameters of the wall's spheres
  int shot = 0;
  int passed_by_overlap = 0;  // overlapped no sphere where a step ended
  int passed_by_sweep = 0;    // met none on their paths
};

// Bullets at places and moments that depend on their number alone.
Volley volley(double way, int bullets);

}  // namespace apsis::lab

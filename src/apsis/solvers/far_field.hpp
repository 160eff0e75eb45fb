// SPDX-License-Identifier: MIT
// What a user asks of a solver that approximates, and what it settled for.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace apsis {

struct FarFieldOptions {
  double accuracy = 1e-3;               // 99 % of the bodies shall have a smaller force error
  std::optional<double> opening_angle;  // a bare angle instead of the error-controlled criterion
  std::optional<int> order;             // of the expansions
};

// The cuts of the solver `bins`: a box and how many bins along each side.
struct BinsOptions {
  std::optional<std::array<double, 6>>
      box;       // x0, x1, y0, y1, z0, z1; the bodies' own box otherwise
  int bins = 0;  // per side; 0: chosen from the number of bodies
};

}  // namespace apsis

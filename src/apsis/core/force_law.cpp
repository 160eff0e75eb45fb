// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/force_law.hpp>

#include <fmt/format.h>

#include <cmath>

namespace apsis {

const std::vector<double>& strengths(const Bodies& bodies, Law law) {
  return law == Law::gravity ? bodies.mass : bodies.charge;
}

void require_valid(const ForceLaw& law, const Bodies& bodies, const std::string& origin) {
  if (!(law.softening >= 0) || !std::isfinite(law.softening)) {
    throw bad_data(fmt::format("{}: softening {} is not a length", origin, law.softening),
                   "give a finite softening >= 0");
  }
  if (!std::isfinite(law.constant)) {
    throw bad_data(fmt::format("{}: force constant {} is not a number", origin, law.constant),
                   "give a finite constant");
  }
  if (law.law == Law::gravity) return;
  if (!bodies.charged() && !bodies.empty()) {
    throw bad_data(fmt::format("{}: law coulomb, but the bodies have no charges", origin),
                   "add a column q, or use law = \"gravity\"");
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.charge[i] != 0 && bodies.mass[i] == 0) {
      throw bad_data(fmt::format("{}: body {} (id {}) has charge {} but no mass", origin, i,
                                 bodies.id[i], bodies.charge[i]),
                     "give it a mass: a force on no mass has no finite acceleration");
    }
  }
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
// Inside initial/: how the mass of a model is shared among its bodies.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/initial/builder.hpp>

#include <string>
#include <vector>

namespace apsis::initial {

// masses, mass_min and mass_max, as models with a mass spectrum list them.
std::vector<ModelOption> mass_options();

// Shares `total` by option `masses`: equal, salpeter or kroupa between mass_min and mass_max.
void share_mass(const ModelInput& input, double total, Bodies& bodies);

// One mass of the power law dN/dm ∝ m^-slope between low and high; u is uniform in (0, 1).
double power_law_mass(double u, double slope, double low, double high);

}  // namespace apsis::initial

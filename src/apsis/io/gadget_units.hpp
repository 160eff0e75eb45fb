// SPDX-License-Identifier: MIT
// Inside io/: what readers of GADGET's files assume where one says nothing, and what they ask of
// its header.
#pragma once

#include <apsis/core/units.hpp>
#include <apsis/core/warning.hpp>

#include <string>

namespace apsis {

Units usual_gadget_units();
Warning gadget_units_assumed(const std::string& name, const Units& units);

// GADGET-2: with a cosmology the time in its header is the scale factor.
bool time_is_scale(double time, double redshift, double omega_matter);
Warning comoving_warning(const std::string& name, double scale, double hubble);

}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/io/gadget_units.hpp>

#include <fmt/format.h>

#include <cmath>

namespace apsis {

Units usual_gadget_units() {
  Units units = custom_units(3.085678e21, 1.989e43, 1e5);
  units.name = "gadget";
  units.length_name = "kpc", units.mass_name = "1e10 Msun";
  units.velocity_name = "km/s", units.time_name = "kpc/(km/s)";
  return units;
}

Warning gadget_units_assumed(const std::string& name, const Units& units) {
  return {WarningCode::units_assumed,
          fmt::format("{} names no units: kpc, 1e10 Msun and km/s are taken, as GADGET's readers "
                      "do (G = {:.6g}); set units.system, or write the units into the file",
                      name, units.gravity)};
}

bool time_is_scale(double time, double redshift, double omega_matter) {
  return omega_matter > 0 && std::abs(time * (1 + redshift) - 1) < 1e-6;
}

Warning comoving_warning(const std::string& name, double scale, double hubble) {
  return {WarningCode::comoving,
          fmt::format("{} holds comoving coordinates at scale factor {:.6g} (h = {:g}): they "
                      "are taken as they are, in a space that does not expand",
                      name, scale, hubble)};
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/units.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace apsis {
namespace {

// IAU 2012/2015 nominal values, CODATA 2018 for G and k. Where the product G·M_sun is known
// better than either factor (AU, Msun, yr), the constant is built from the product.
constexpr double au_m = 1.495978707e11;
constexpr double year_s = 365.25 * 86400;
constexpr double gm_sun_si = 1.32712440018e20;
constexpr double gravity_si = 6.67430e-11;
constexpr double sun_g = gm_sun_si / gravity_si * 1e3;
constexpr double kpc_m = 3.0856775814913673e19;

const std::array<Units, 5>& systems() {
  static const std::array<Units, 5> table{{
      {.name = "dimensionless"},
      {.name = "henon"},
      {.name = "si",
       .length_in_cm = 100,
       .mass_in_g = 1000,
       .velocity_in_cm_per_s = 100,
       .gravity = gravity_si,
       .coulomb = 8.9875517923e9,
       .length_name = "m",
       .mass_name = "kg",
       .velocity_name = "m/s",
       .time_name = "s"},
      {.name = "au-msun-yr",
       .length_in_cm = au_m * 100,
       .mass_in_g = sun_g,
       .velocity_in_cm_per_s = au_m * 100 / year_s,
       .gravity = gm_sun_si * year_s * year_s / (au_m * au_m * au_m),
       .length_name = "AU",
       .mass_name = "Msun",
       .velocity_name = "AU/yr",
       .time_name = "yr"},
      {.name = "kpc-msun-kms",
       .length_in_cm = kpc_m * 100,
       .mass_in_g = sun_g,
       .velocity_in_cm_per_s = 1e5,
       .gravity = gm_sun_si / kpc_m * 1e-6,
       .length_name = "kpc",
       .mass_name = "Msun",
       .velocity_name = "km/s",
       .time_name = "kpc/(km/s) = 0.978 Gyr"},
  }};
  return table;
}

}  // namespace

std::vector<std::string> unit_system_names() {
  std::vector<std::string> names;
  for (const auto& units : systems()) names.push_back(units.name);
  return names;
}

Units custom_units(double length_in_cm, double mass_in_g, double velocity_in_cm_per_s) {
  constexpr double gravity_cgs = gravity_si * 1e3;
  Units units{.name = "custom",
              .length_in_cm = length_in_cm,
              .mass_in_g = mass_in_g,
              .velocity_in_cm_per_s = velocity_in_cm_per_s};
  units.gravity =
      gravity_cgs * mass_in_g / (length_in_cm * velocity_in_cm_per_s * velocity_in_cm_per_s);
  return units;
}

const Units& units_named(std::string_view name) {
  const auto found = std::find_if(systems().begin(), systems().end(),
                                  [&](const Units& units) { return units.name == name; });
  if (found != systems().end()) return *found;
  const auto names = unit_system_names();
  throw bad_data(fmt::format("unknown unit system '{}'{}", name, did_you_mean(name, names)),
                 "choose " + list_of(names));
}

}  // namespace apsis

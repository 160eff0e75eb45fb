// SPDX-License-Identifier: MIT
// Named unit systems. Every file carries the three cgs factors and the constant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apsis {

struct Units {
  std::string name = "dimensionless";
  double length_in_cm = 1;
  double mass_in_g = 1;
  double velocity_in_cm_per_s = 1;
  double gravity = 1;  // G in these units
  double coulomb = 1;  // k in these units
  // What one unit is called, for axes and messages; empty where units have no name.
  std::string length_name{}, mass_name{}, velocity_name{}, time_name{};

  double time_in_s() const { return length_in_cm / velocity_in_cm_per_s; }
  friend bool operator==(const Units&, const Units&) = default;
};

// dimensionless, henon, si, au-msun-yr or kpc-msun-kms; bad_data names the nearest for others.
const Units& units_named(std::string_view name);
std::vector<std::string> unit_system_names();

// Units known only by their size in cgs, as foreign files have them; G follows.
Units custom_units(double length_in_cm, double mass_in_g, double velocity_in_cm_per_s);

}  // namespace apsis

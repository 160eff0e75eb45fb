// SPDX-License-Identifier: MIT
// Inside io/: units as AMUSE writes them into its files. They are expressions of Python, such as
// (1000.0 * (system.get('S.I.').base('length') * (system.get('S.I.').base('time')**-1))); hand-made
// files have the short names that AMUSE prints, "km / s" or "MSun".
#pragma once

#include <cstdint>
#include <string_view>

namespace apsis {

struct AmuseUnit {
  enum class System { none, si, generic };  // generic: lengths of N-body units, where G is 1

  double factor = 1;  // on metres, kilograms and seconds, or on the generic ones
  double length = 0, mass = 0, time = 0, other = 0;  // powers; other: kelvin, ampere, ...
  System system = System::none;

  bool is(double of_length, double of_mass, double of_time) const {
    return length == of_length && mass == of_mass && time == of_time && other == 0;
  }
};

// bad_data with the part of the text that is no known unit; `where` starts the message.
AmuseUnit parse_amuse_unit(std::string_view text, std::string_view where);

}  // namespace apsis

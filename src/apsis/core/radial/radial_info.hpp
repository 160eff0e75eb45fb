// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace apsis {

// What there is to say about a radial law without computing with it.
struct RadialInfo {
  std::string_view name;     // of force.radial, and of kernels/radial_NAME.cl
  std::string_view summary;  // one line for lists
  bool takes_range = false;  // a length, force.range
};

}  // namespace apsis

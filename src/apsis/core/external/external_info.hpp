// SPDX-License-Identifier: MIT
// What every external field is made of; see external_fields.hpp.
#pragma once

#include <array>
#include <string_view>

namespace apsis {

struct ExternalInfo {
  std::string_view name;     // of the section external.NAME, and of kernels/external_NAME.cl
  std::string_view summary;  // one line for lists
  bool is_a_mass = false;    // which pulls by the law of gravity
};

// One internal unit of an engine in the user's units, and the constant of gravity in the user's.
struct ExternalUnits {
  double length = 1, time = 1, gravity = 1;

  double acceleration() const { return length / time / time; }
  // Of gravity times a mass.
  double mass() const { return length * length * length / time / time; }
};

// All that kernels and loops are told of a field at one moment.
inline constexpr std::size_t external_constant_count = 6;
template <class Real>
using ExternalConstants = std::array<Real, external_constant_count>;

template <class Real>
struct Components {
  Real x, y, z;
};

}  // namespace apsis

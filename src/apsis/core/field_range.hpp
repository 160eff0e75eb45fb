// SPDX-License-Identifier: MIT
// Whether a value is in the range that its field names.
#pragma once

#include <apsis/core/fields.hpp>

#include <cmath>

namespace apsis {

inline bool is_in_range(const FieldInfo& field, double value) {
  if (!std::isfinite(value)) return false;
  const bool high_enough = field.above_minimum ? value > field.minimum : value >= field.minimum;
  return high_enough && value <= field.maximum;
}

}  // namespace apsis

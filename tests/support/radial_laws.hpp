// SPDX-License-Identifier: MIT
// The radial laws of the table for tests of each; a new one is among them.
#pragma once

#include <apsis/core/radial_laws.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace apsis::test {

// Those that take a range with one that bodies in a ball of radius 1 feel.
inline std::vector<RadialLaw> radial_laws() {
  std::vector<RadialLaw> laws;
  for (const auto& [radial, name] : Choice<Radial>::values) {
    laws.push_back({radial, info_of(radial).takes_range ? 0.7 : 0.0});
  }
  return laws;
}

inline std::vector<RadialLaw> other_radial_laws() {
  std::vector<RadialLaw> laws = radial_laws();
  laws.erase(laws.begin());  // newton
  return laws;
}

inline std::string name_of_law(const testing::TestParamInfo<RadialLaw>& tested) {
  std::string name(name_of(tested.param.radial));
  std::replace(name.begin(), name.end(), '-', '_');  // GoogleTest takes no other signs
  return name;
}

inline RadialLaw yukawa(double range) { return {choice_from<Radial>("yukawa"), range}; }

}  // namespace apsis::test

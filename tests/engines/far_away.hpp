// SPDX-License-Identifier: MIT
// Bodies of which one is far away from all others, and how good accelerations are then.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/solvers/reference.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace apsis::test {

// As floats hold them: what is measured is the sum, not the rounding of its input.
inline Bodies with_one_away(Bodies bodies, double away) {
  bodies.x()[77] = away;
  for (const std::span<double> column : {bodies.positions.values(), std::span(bodies.mass)}) {
    for (double& value : column) value = static_cast<double>(static_cast<float>(value));
  }
  return bodies;
}

// Of all bodies, relative to each one's own acceleration.
inline double largest_error(const Bodies& bodies, const PairLaw& law, const Accelerations& got) {
  std::vector<std::size_t> all(bodies.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Accelerations expected = reference_accelerations(bodies, law, all);
  double largest = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double error = norm(got.at(i) - expected.at(i)) / norm(expected.at(i));
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

template <class Action>
std::string complaint_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(error.what()) + "; " + error.remedy();
  }
  return "";
}

}  // namespace apsis::test

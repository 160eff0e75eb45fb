// SPDX-License-Identifier: MIT
#include <apsis/engines/scale.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace apsis {
namespace {

double largest_magnitude(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

// The power of two above `value`; 1 where there is nothing to scale.
double power_of_two_above(double value) {
  if (value == 0 || !std::isfinite(value)) return 1;
  int exponent = 0;
  std::frexp(value, &exponent);
  return std::ldexp(1.0, exponent);
}

}  // namespace

Scale scale_for(const Bodies& bodies, const ForceLaw& law) {
  Scale scale;
  scale.length = power_of_two_above(std::max(
      {largest_magnitude(bodies.x), largest_magnitude(bodies.y), largest_magnitude(bodies.z)}));
  scale.strength = power_of_two_above(largest_magnitude(strengths(bodies, law.law)));
  double coupling_size = law.constant;
  if (law.law == Law::coulomb) {
    coupling_size = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      coupling_size = std::max(coupling_size, std::abs(coupling(bodies, law, i)));
    }
  }
  const double rate2 = std::abs(scale.internal_constant(coupling_size));
  if (rate2 > 0 && std::isfinite(rate2)) {
    scale.time = std::ldexp(1.0, -static_cast<int>(std::lround(std::log2(rate2) / 2)));
  }
  return scale;
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/scale.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace apsis {
namespace {

double largest_magnitude(std::span<const double> values) {
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

double largest_coordinate(const Bodies& bodies) {
  return largest_magnitude(bodies.positions.values());
}

// Of the lower half, so that of three bodies two that are near each other set the size.
double lower_median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<long>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// How far apart bodies usually are: the median distance from their middle, along the widest axis,
// of those that are not in it. 0 where all are in one place. Evenly spaced bodies stand for all.
double usual_distance(const Bodies& bodies) {
  constexpr std::size_t most_samples = 4095;
  const std::size_t count = std::min(bodies.size(), most_samples);
  std::vector<double> distances(count, 0.0), values(count);
  for (const auto column : {bodies.x(), bodies.y(), bodies.z()}) {
    for (std::size_t k = 0; k < count; ++k) values[k] = column[k * bodies.size() / count];
    const double middle = lower_median(values);
    for (std::size_t k = 0; k < count; ++k) {
      distances[k] = std::max(distances[k], std::abs(values[k] - middle));
    }
  }
  std::erase(distances, 0.0);
  return distances.empty() ? 0 : lower_median(std::move(distances));
}

// Float holds r^-3 of a pair for distances from 2^-42 to 2^42. Where the largest coordinate is 1,
// a body far away would take that room from all others: they are kept at 2^-20 or more then.
constexpr double most_crowded = 0x1p-20;

double length_for(const Bodies& bodies, const PairLaw& law) {
  const double largest = largest_coordinate(bodies);
  const double length = power_of_two_above(largest);
  if (bodies.size() < 2 || !std::isfinite(largest)) return length;
  const double crowd = power_of_two_above(std::max(usual_distance(bodies), law.softening));
  return std::min(length, crowd / most_crowded);
}

}  // namespace

Scale scale_for(const Bodies& bodies, const PairLaw& law) {
  Scale scale;
  scale.length = length_for(bodies, law);
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

void require_reach(const Bodies& bodies, const Scale& scale, double reach) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 p = bodies.position(i);
    const double away = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    if (!std::isfinite(away) || away <= reach * scale.length) continue;
    throw bad_data(
        fmt::format("body {} (id {}) is {:.1e} away, {:.0e} times as far as bodies usually are "
                    "from each other: pulls of both sizes do not fit one float",
                    i, bodies.id[i], away, away / (scale.length * most_crowded)),
        "use device cpu with precision f64, or leave the body out");
  }
}

double potential_unit(const PairLaw& law, const Scale& scale) {
  return potential_sign(law.law) * law.constant * (scale.strength / scale.length);
}

double potential_energy(const PairLaw& law, const Scale& scale, double sum) {
  if (sum == 0) return 0;  // and not -0
  const double unit = scale.strength * (scale.strength / scale.length);
  return 0.5 * potential_sign(law.law) * law.constant * unit * sum;
}

}  // namespace apsis

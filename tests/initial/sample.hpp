// SPDX-License-Identifier: MIT
// What tests of models share: a request in one line, and statistics of samples.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/energies.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/solvers/reference.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace apsis::test {

using Options = std::map<std::string, std::variant<double, std::string, bool>>;

inline ModelRequest request(const std::string& model, std::uint64_t bodies,
                            const Options& options = {}) {
  ModelRequest wanted{model, bodies, 42, {}, {}, {}};
  for (const auto& [name, value] : options) wanted.options[name] = {value, "test"};
  return wanted;
}

inline InitialState make(const std::string& model, std::uint64_t bodies,
                         const Options& options = {}) {
  return make_model(request(model, bodies, options));
}

inline Energies energies_of(const InitialState& state, double constant = 1, double softening = 0) {
  Energies energies = motion(state.bodies);
  energies.potential =
      reference_potential_energy(state.bodies, {state.defaults.law, constant, softening});
  return energies;
}

inline std::vector<double> radii(const Bodies& bodies) {
  std::vector<double> values;
  for (std::size_t i = 0; i < bodies.size(); ++i) values.push_back(norm(bodies.position(i)));
  return values;
}

// The largest distance between the sample's and the given distribution, times √n. Kolmogorov:
// above 1.63 with probability 0.01.
inline double kolmogorov(std::vector<double> sample, const std::function<double(double)>& below) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t k = 0; k < sample.size(); ++k) {
    const double expected = below(sample[k]);
    const auto rank = static_cast<double>(k);
    distance = std::max({distance, expected - rank / n, (rank + 1) / n - expected});
  }
  return distance * std::sqrt(n);
}
inline constexpr double one_percent_level = 1.63;

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// <v²>/3 of the bodies between two radii, and their number.
struct Shell {
  double dispersion_squared = 0;
  std::size_t bodies = 0;
};
inline Shell shell(const Bodies& bodies, double inner, double outer) {
  Shell found;
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double r = norm(bodies.position(i));
    if (r < inner || r >= outer) continue;
    sum += dot(bodies.velocity(i), bodies.velocity(i));
    ++found.bodies;
  }
  found.dispersion_squared =
      sum / (3 * static_cast<double>(std::max<std::size_t>(found.bodies, 1)));
  return found;
}

}  // namespace apsis::test

// SPDX-License-Identifier: MIT
#include <apsis/core/energies.hpp>
#include <apsis/initial/equilibrium.hpp>
#include <apsis/solvers/reference.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace apsis {
namespace {

// About a second of the reference solver on two cores.
constexpr std::size_t most_pairs = std::size_t{1} << 27U;
constexpr std::size_t fewest_targets = 256;

std::vector<std::size_t> targets_among(std::size_t n) {
  const std::size_t count = std::min(n, std::max(fewest_targets, most_pairs / n));
  std::vector<std::size_t> targets(count);
  for (std::size_t k = 0; k < count; ++k) targets[k] = k * n / count;
  return targets;
}

// -Σ m x·a over the targets, about the centre of mass.
double virial_of(const Bodies& bodies, const PairLaw& law,
                 const std::vector<std::size_t>& targets) {
  const Accelerations a = reference_accelerations(bodies, law, targets);
  const Vec3 centre = center_of_mass(bodies);
  double sum = 0;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    sum -= bodies.mass[targets[k]] * dot(bodies.position(targets[k]) - centre, a.at(k));
  }
  return sum;
}

}  // namespace

void bring_into_equilibrium(Bodies& bodies, const PairLaw& law) {
  if (bodies.size() < 2) return;
  const auto targets = targets_among(bodies.size());
  const double virial = virial_of(bodies, law, targets);
  double wanted = 0, given = 0;
  if (targets.size() == bodies.size()) {
    wanted = virial, given = 2 * motion(bodies).kinetic;
  } else {
    PairLaw models = law;  // what the model is in equilibrium with
    models.softening = 0, models.radial = {};
    wanted = virial, given = virial_of(bodies, models, targets);
  }
  if (!(wanted > 0 && given > 0)) return;  // nothing is bound, or nothing moves
  const double factor = std::sqrt(wanted / given);
  for (double& v : bodies.velocities.values()) v *= factor;
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/analysis/bound.hpp>
#include <apsis/analysis/centres.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

namespace apsis::analysis {
namespace {

struct Unbound {
  double energy;
  std::size_t number;  // of those that are left
};

// In the order of their numbers.
std::vector<std::size_t> faster_half(std::vector<Unbound> unbound) {
  std::ranges::stable_sort(unbound,
                           [](const Unbound& a, const Unbound& b) { return a.energy > b.energy; });
  unbound.resize((unbound.size() + 1) / 2);
  std::vector<std::size_t> numbers;
  numbers.reserve(unbound.size());
  for (const Unbound& one : unbound) numbers.push_back(one.number);
  std::ranges::sort(numbers);
  return numbers;
}

double motion_of(const Bodies& bodies, std::size_t k, Vec3 frame) {
  const Vec3 v = bodies.velocity(k) - frame;
  return dot(v, v) / 2;
}

// The value of which half of the mass has no larger one.
double weighted_median(std::span<const double> values, std::span<const double> weights) {
  std::vector<std::pair<double, double>> sorted;
  double half = 0, sum = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    sorted.emplace_back(values[k], weights[k]);
    half += weights[k] / 2;
  }
  std::ranges::sort(sorted);
  for (const auto& [value, weight] : sorted) {
    if ((sum += weight) >= half) return value;
  }
  return 0;
}

// A single body can be so fast that it carries the centre of mass away from all others, which then
// seem unbound, but hardly the median: whoever is fast there, too, goes before them.
std::vector<Unbound> runaways_first(const Bodies& bodies, std::span<const double> potential,
                                    const std::vector<Unbound>& unbound) {
  const Vec3 median{weighted_median(bodies.vx(), bodies.mass),
                    weighted_median(bodies.vy(), bodies.mass),
                    weighted_median(bodies.vz(), bodies.mass)};
  std::vector<Unbound> runaways;
  for (const Unbound& one : unbound) {
    const double energy = motion_of(bodies, one.number, median) + potential[one.number];
    if (!(energy < 0)) runaways.push_back({energy, one.number});
  }
  return runaways.empty() ? unbound : runaways;
}

void remove(std::vector<std::size_t>& from, const std::vector<std::size_t>& places) {
  std::size_t next = 0, kept = 0;
  for (std::size_t k = 0; k < from.size(); ++k) {
    if (next < places.size() && places[next] == k) {
      ++next;
    } else {
      from[kept++] = from[k];
    }
  }
  from.resize(kept);
}

}  // namespace

BoundPart bound_part(const Bodies& bodies, const PotentialsOf& potentials_of) {
  BoundPart part;
  part.is_bound.assign(bodies.size(), 0);
  part.energies.resize(bodies.size());
  std::vector<std::size_t> numbers(bodies.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  Bodies left = bodies;
  while (!left.empty()) {
    ++part.rounds;
    const std::vector<double> potential = potentials_of(left);
    const Centre frame = centre_of_mass(left);
    part.kinetic = part.potential = 0;
    std::vector<Unbound> unbound;
    for (std::size_t k = 0; k < left.size(); ++k) {
      const double motion = motion_of(left, k, frame.velocity), energy = motion + potential[k];
      if (!(energy < 0)) unbound.push_back({energy, k});
      part.energies[numbers[k]] = energy;
      part.kinetic += left.mass[k] * motion;
      part.potential += left.mass[k] * potential[k] / 2;
    }
    if (unbound.empty()) {
      part.position = frame.position, part.velocity = frame.velocity;
      break;
    }
    unbound = runaways_first(left, potential, unbound);
    const std::vector<std::size_t> gone = faster_half(std::move(unbound));
    left.remove(gone);
    remove(numbers, gone);
  }
  if (left.empty()) part.kinetic = part.potential = 0;
  for (const std::size_t i : numbers) part.is_bound[i] = 1;
  part.bodies = left.size();
  part.mass = std::accumulate(left.mass.begin(), left.mass.end(), 0.0);
  return part;
}

}  // namespace apsis::analysis

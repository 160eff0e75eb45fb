// SPDX-License-Identifier: MIT
#include <apsis/contacts/contact_step.hpp>

#include <algorithm>
#include <iterator>
#include <map>

namespace apsis {
namespace {

ContactProblem problem_of(const ContactSource& source, const std::vector<std::uint32_t>& numbers,
                          const BodyPairs& pairs) {
  ContactProblem problem;
  problem.spheres = source.spheres(numbers);
  problem.pairs = places_in(numbers, pairs);
  return problem;
}

// More than it strayed, so that what it meets there seldom sends it further than was looked.
double allowance(double strayed) { return 1.5 * strayed; }

// Those that strayed further than they may, which then may stray further.
std::vector<std::uint32_t> allow_for(const ContactOutcome& outcome,
                                     const std::vector<std::uint32_t>& numbers,
                                     std::map<std::uint32_t, double>& allowed) {
  std::vector<std::uint32_t> further;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (!outcome.changed[k]) continue;
    double& distance = allowed[numbers[k]];
    if (outcome.strayed[k] <= distance) continue;
    distance = allowance(outcome.strayed[k]);
    further.push_back(numbers[k]);
  }
  return further;
}

// How far around each of them to look: of two that strayed, the one that did so further finds the
// other.
std::vector<Stray> strays_of(const std::vector<std::uint32_t>& further,
                             const std::map<std::uint32_t, double>& allowed) {
  std::vector<Stray> strays;
  strays.reserve(further.size());
  for (const std::uint32_t number : further) {
    strays.push_back({number, 2 * allowed.at(number)});
  }
  return strays;
}

ContactChanges changes_from(ContactOutcome outcome, const std::vector<std::uint32_t>& numbers) {
  ContactChanges changes;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (!outcome.changed[k] && !outcome.gone[k]) continue;
    changes.numbers.push_back(numbers[k]);
    changes.spheres.push_back(outcome.spheres[k]);
    if (outcome.gone[k]) changes.gone.push_back(numbers[k]);
  }
  changes.contacts = std::move(outcome.contacts);
  changes.wall_hits = outcome.wall_hits, changes.held = outcome.held;
  return changes;
}

}  // namespace

std::vector<std::uint32_t> numbers_in(const BodyPairs& pairs,
                                      const std::vector<std::uint32_t>& more) {
  std::vector<std::uint32_t> firsts, others = more;  // the first ones of sorted pairs are sorted
  others.reserve(others.size() + pairs.size());
  for (const auto& [a, b] : pairs) {
    if (firsts.empty() || firsts.back() != a) firsts.push_back(a);
    others.push_back(b);
  }
  std::ranges::sort(others);
  std::vector<std::uint32_t> numbers;
  numbers.reserve(firsts.size() + others.size());
  std::ranges::merge(firsts, others, std::back_inserter(numbers));
  keep_each_once(numbers);
  return numbers;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> places_in(
    const std::vector<std::uint32_t>& numbers, const BodyPairs& pairs) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  places.reserve(pairs.size());
  auto first = numbers.begin();
  for (const auto& [a, b] : pairs) {
    while (*first != a) ++first;
    const auto second = std::lower_bound(first, numbers.end(), b);
    places.emplace_back(first - numbers.begin(), second - numbers.begin());
  }
  return places;
}

MovingSphere moving_sphere(const Bodies& bodies, std::size_t i, Vec3 place, Vec3 velocity,
                           double duration) {
  MovingSphere sphere;
  sphere.id = bodies.id[i];
  sphere.velocity = sphere.pace = velocity;
  sphere.place = place - duration * velocity;
  sphere.mass = bodies.mass[i], sphere.radius = bodies.radius_of(i);
  if (bodies.charged()) sphere.charge = bodies.charge[i];
  if (!bodies.spin.empty()) sphere.spin = bodies.spin.at(i);
  return sphere;
}

ContactChanges contacts_of_step(const ContactSource& source, double duration,
                                const ContactRule& rule, bool keeps_spin) {
  BodyPairs pairs = source.touching();
  const std::vector<std::uint32_t> outside =
      source.beyond_walls ? source.beyond_walls() : std::vector<std::uint32_t>{};
  std::map<std::uint32_t, double> allowed;
  while (!pairs.empty() || !outside.empty()) {
    const std::vector<std::uint32_t> numbers = numbers_in(pairs, outside);
    ContactProblem problem = problem_of(source, numbers, pairs);
    problem.duration = duration, problem.rule = rule, problem.keeps_spin = keeps_spin;
    ContactOutcome outcome = resolve(problem);
    const std::vector<std::uint32_t> further = allow_for(outcome, numbers, allowed);
    if (further.empty()) return changes_from(std::move(outcome), numbers);
    const BodyPairs more = source.near(strays_of(further, allowed));
    BodyPairs all;
    std::ranges::set_union(pairs, more, std::back_inserter(all));
    if (all.size() == pairs.size()) return changes_from(std::move(outcome), numbers);
    pairs = std::move(all);
  }
  return {};
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
#include <apsis/contacts/soft_contacts.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace apsis {
namespace {

double overlap(const MovingSphere& a, const MovingSphere& b, Vec3 apart) {
  return a.radius + b.radius - norm(apart);
}

// What a pair's spring and damper do to the speed at which it approaches, in one step: half of the
// damping, the spring's kick, the other half.
class Spring {
 public:
  Spring(const SoftRule& rule, double step) : step_(step) {
    const double frequency = std::numbers::pi / rule.duration;
    const double rate = -std::log(rule.restitution) / rule.duration;
    stiffness_ = frequency * frequency + rate * rate;
    half_damping_ = std::exp(-rate * step);
  }

  double change_of_approach(double approach, double overlap) const {
    const double kicked = half_damping_ * approach - stiffness_ * overlap * step_;
    return half_damping_ * kicked - approach;
  }

 private:
  double step_, stiffness_ = 0, half_damping_ = 0;
};

// A contact that begins on this path: it is listed once, where the bodies begin apart and end
// inside each other.
std::optional<Contact> contact_begun(const MovingSphere& a, const MovingSphere& b, double step) {
  if (overlap(a, b, b.at(0) - a.at(0)) > 0) return std::nullopt;
  if (!(overlap(a, b, b.at(step) - a.at(step)) > 0)) return std::nullopt;
  const auto time = time_of_contact(a, b, 0);
  if (!time) return std::nullopt;
  const bool in_order = a.id < b.id;
  return contact_between(in_order ? a : b, in_order ? b : a, OnContact::soft, *time);
}

}  // namespace

ContactChanges soft_contacts_of_step(const ContactSource& source, double step,
                                     const SoftRule& rule) {
  const BodyPairs pairs = source.candidates().touching;
  const std::vector<std::uint32_t> outside =
      source.beyond_walls ? source.beyond_walls() : std::vector<std::uint32_t>{};
  ContactChanges changes;
  if (pairs.empty() && outside.empty()) return changes;
  const std::vector<std::uint32_t> numbers = numbers_in(pairs, outside);
  const ContactProblem straight{.spheres = source.spheres(numbers),
                                .pairs = {},
                                .duration = step,
                                .rule = {.walls = rule.walls}};
  const ContactOutcome reflected = resolve(straight);
  const std::vector<MovingSphere>& ends = reflected.spheres;
  changes.wall_hits = reflected.wall_hits;
  const auto middle = [&](std::size_t k) { return ends[k].place - 0.5 * step * ends[k].pace; };

  const Spring spring(rule, step);
  std::vector<Vec3> kicks(numbers.size());
  for (const auto& [a, b] : places_in(numbers, pairs)) {
    const MovingSphere &first = ends[a], &second = ends[b];
    if (auto contact = contact_begun(straight.spheres[a], straight.spheres[b], step)) {
      changes.contacts.push_back(*contact);
    }
    const Vec3 apart = middle(b) - middle(a);
    const double depth = overlap(first, second, apart), distance = norm(apart);
    if (!(depth > 0)) continue;
    const Vec3 normal = distance > 0 ? apart / distance : Vec3{1, 0, 0};
    const double approach = -dot(second.velocity - first.velocity, normal);
    const double change = spring.change_of_approach(approach, depth);
    const double share = share_of_first(first, second);
    kicks[a] += change * share * normal;
    kicks[b] -= change * (1 - share) * normal;
  }
  std::ranges::stable_sort(changes.contacts, {}, &Contact::time);

  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const Vec3 kick = kicks[k];
    if (kick == Vec3{} && !reflected.changed[k]) continue;
    MovingSphere sphere = ends[k];
    changes.kinetic_lost -= sphere.mass * dot(kick, sphere.velocity + 0.5 * kick);
    sphere.velocity += kick, sphere.pace += kick;
    sphere.place += 0.5 * step * kick;
    changes.numbers.push_back(numbers[k]);
    changes.spheres.push_back(sphere);
  }
  return changes;
}

}  // namespace apsis

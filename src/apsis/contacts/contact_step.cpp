// SPDX-License-Identifier: MIT
#include <apsis/contacts/contact_parts.hpp>
#include <apsis/contacts/contact_step.hpp>
#include <apsis/core/parallel.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>

namespace apsis {
namespace {

// More than it strayed, so that what it meets there seldom sends it further than was looked.
double allowance(double strayed) { return 1.5 * strayed; }

// Who strayed further than it may, which then may stray further, and how far around it to look: of
// two that strayed, the one that did so further finds the other.
std::vector<Stray> further_strayed(std::span<const ContactPart> parts,
                                   std::map<std::uint32_t, double>& allowed) {
  std::vector<Stray> further;
  for (const ContactPart& part : parts) {
    for (std::size_t k = 0; k < part.numbers.size(); ++k) {
      const double strayed = part.outcome.strayed[k];
      if (!part.outcome.changed[k] || strayed <= looked_beyond * part.problem.spheres[k].radius) {
        continue;
      }
      double& distance = allowed[part.numbers[k]];
      if (strayed <= distance) continue;
      distance = allowance(strayed);
      further.push_back({part.numbers[k], 2 * distance});
    }
  }
  std::ranges::sort(further, {}, &Stray::body);
  return further;
}

// Close pairs that wait until one of them has to do with a contact.
class ClosePairs {
 public:
  explicit ClosePairs(BodyPairs pairs) : waiting_(std::move(pairs)) {}

  // Those of these bodies, sorted, each only the first time.
  BodyPairs of(std::span<const std::uint32_t> numbers) {
    if (numbers.empty() || waiting_.empty()) return {};
    const std::size_t known = std::size_t{*std::ranges::max_element(numbers)} + 1;
    asked_.resize(std::max(asked_.size(), known), false);
    for (const std::uint32_t number : numbers) asked_[number] = true;
    const auto is_asked = [&](std::uint32_t number) {
      return number < asked_.size() && asked_[number];
    };
    BodyPairs found;
    std::erase_if(waiting_, [&](const BodyPair& pair) {
      const bool wanted = is_asked(pair.a) || is_asked(pair.b);
      if (wanted) found.push_back(pair);
      return wanted;
    });
    for (const std::uint32_t number : numbers) asked_[number] = false;
    return found;
  }

 private:
  BodyPairs waiting_;  // sorted
  std::vector<bool> asked_;
};

std::vector<std::uint32_t> changed_in(std::span<const ContactPart> parts) {
  std::vector<std::uint32_t> numbers;
  for (const ContactPart& part : parts) {
    for (std::size_t k = 0; k < part.numbers.size(); ++k) {
      if (part.outcome.changed[k]) numbers.push_back(part.numbers[k]);
    }
  }
  return numbers;
}

BodyPairs joined(const BodyPairs& some, const BodyPairs& others) {
  BodyPairs all;
  all.reserve(some.size() + others.size());
  std::ranges::set_union(some, others, std::back_inserter(all));
  return all;
}

// Contacts of all parts in the order that one problem of all would have had them in.
std::vector<Contact> contacts_in_order(const std::vector<ContactPart>& parts) {
  struct Placed {
    ContactOrder order;
    const Contact* contact;
  };
  std::vector<Placed> placed;
  for (const ContactPart& part : parts) {
    for (std::size_t k = 0; k < part.outcome.contacts.size(); ++k) {
      placed.push_back({part.outcome.order[k], &part.outcome.contacts[k]});
    }
  }
  std::ranges::stable_sort(
      placed, [](const Placed& p, const Placed& q) { return (p.order <=> q.order) < 0; });
  std::vector<Contact> contacts;
  contacts.reserve(placed.size());
  for (const Placed& one : placed) contacts.push_back(*one.contact);
  return contacts;
}

ContactChanges changes_from(const std::vector<ContactPart>& parts) {
  struct Changed {
    std::uint32_t number;
    bool gone;
    const MovingSphere* sphere;
  };
  ContactChanges changes;
  std::vector<Changed> changed;
  for (const auto& [numbers, problem, outcome] : parts) {
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (!outcome.changed[k] && !outcome.gone[k]) continue;
      changed.push_back({numbers[k], outcome.gone[k], &outcome.spheres[k]});
    }
    changes.wall_hits += outcome.wall_hits, changes.held += outcome.held;
  }
  std::ranges::sort(changed, {}, &Changed::number);
  changes.numbers.reserve(changed.size()), changes.spheres.reserve(changed.size());
  for (const auto& [number, gone, sphere] : changed) {
    changes.numbers.push_back(number);
    changes.spheres.push_back(*sphere);
    if (gone) changes.gone.push_back(number);
  }
  changes.contacts = contacts_in_order(parts);
  return changes;
}

}  // namespace

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
  ContactParts parts(
      {.spheres = {}, .pairs = {}, .duration = duration, .rule = rule, .keeps_spin = keeps_spin},
      source.spheres, thread_count(source.threads));
  const std::vector<std::uint32_t> outside =
      source.beyond_walls ? source.beyond_walls() : std::vector<std::uint32_t>{};
  auto [touching, others] = source.candidates();
  ClosePairs close(std::move(others));
  const BodyPairs beside = close.of(numbers_in(touching, outside));
  std::span<const ContactPart> news = parts.add(joined(touching, beside), outside);
  std::map<std::uint32_t, double> allowed;
  while (!news.empty()) {
    BodyPairs more = close.of(changed_in(news));
    const std::vector<Stray> further = further_strayed(news, allowed);
    if (!further.empty()) more = joined(more, source.near(further));
    if (more.empty()) break;
    news = parts.add(more, {});
  }
  return changes_from(parts.all());
}

}  // namespace apsis

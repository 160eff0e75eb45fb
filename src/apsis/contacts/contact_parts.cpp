// SPDX-License-Identifier: MIT
#include <apsis/contacts/contact_parts.hpp>
#include <apsis/core/parallel.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace apsis {
namespace {

// Bodies of a part, where there are as many: enough to be worth a thread's while, and few to do
// again.
constexpr std::size_t part_size = 256;

using Places = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// The first of those that each is joined to, directly or through others.
std::vector<std::uint32_t> leaders_of(std::size_t count, const Places& pairs) {
  std::vector<std::uint32_t> leader(count);
  std::iota(leader.begin(), leader.end(), 0U);
  const auto follow = [&](std::uint32_t k) {
    while (leader[k] != k) k = leader[k] = leader[leader[k]];
    return k;
  };
  for (const auto& [a, b] : pairs) {
    const std::uint32_t first = follow(a), second = follow(b);
    leader[std::max(first, second)] = std::min(first, second);
  }
  for (std::uint32_t k = 0; k < count; ++k) leader[k] = leader[leader[k]];
  return leader;
}

// Parts of places, from 0 on: bodies that are joined are in one.
std::vector<std::uint32_t> parts_of(const std::vector<std::uint32_t>& leaders) {
  std::vector<std::uint32_t> part(leaders.size()), bodies(leaders.size(), 0);
  for (const std::uint32_t leader : leaders) ++bodies[leader];
  std::uint32_t number = 0;
  std::size_t filled = 0;
  for (std::size_t k = 0; k < leaders.size(); ++k) {
    if (leaders[k] != k) {
      part[k] = part[leaders[k]];
      continue;
    }
    if (filled >= part_size) ++number, filled = 0;
    part[k] = number, filled += bodies[k];
  }
  return part;
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

Places places_in(const std::vector<std::uint32_t>& numbers, const BodyPairs& pairs) {
  Places places;
  places.reserve(pairs.size());
  auto first = numbers.begin();
  for (const auto& [a, b] : pairs) {
    while (*first != a) ++first;
    const auto second = std::lower_bound(first, numbers.end(), b);
    places.emplace_back(first - numbers.begin(), second - numbers.begin());
  }
  return places;
}

bool ContactPart::has(BodyPair pair) const {
  const auto place = [&](std::uint32_t number) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(numbers, number) - numbers.begin());
  };
  return std::ranges::binary_search(problem.pairs, std::pair{place(pair.a), place(pair.b)});
}

const ContactParts::Member* ContactParts::find(std::uint32_t number) const {
  const auto found = std::ranges::lower_bound(members_, number, {}, &Member::number);
  return found != members_.end() && found->number == number ? &*found : nullptr;
}

void ContactParts::index() {
  members_.clear();
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    for (const std::uint32_t number : parts_[p].numbers) members_.push_back({number, p});
  }
  std::ranges::sort(members_, {}, &Member::number);
}

BodyPairs ContactParts::unknown(const BodyPairs& pairs) const {
  BodyPairs out;
  std::ranges::copy_if(pairs, std::back_inserter(out), [&](const BodyPair& pair) {
    const Member *a = find(pair.a), *b = find(pair.b);
    return a == nullptr || b == nullptr || a->part != b->part || !parts_[a->part].has(pair);
  });
  return out;
}

// What those parts had, to be had again.
ContactParts::Before ContactParts::taken_apart(const std::vector<bool>& again) {
  Before before;
  std::vector<ContactPart> kept;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    ContactPart& part = parts_[p];
    if (!again[p]) {
      kept.push_back(std::move(part));
      continue;
    }
    for (std::size_t k = 0; k < part.numbers.size(); ++k) {
      before.bodies.emplace_back(part.numbers[k], std::move(part.problem.spheres[k]));
    }
    for (const auto& [a, b] : part.problem.pairs) {
      before.pairs.push_back({part.numbers[a], part.numbers[b]});
    }
  }
  parts_ = std::move(kept);
  std::ranges::sort(before.bodies, {}, &Before::Body::first);
  std::ranges::sort(before.pairs);
  return before;
}

std::vector<MovingSphere> ContactParts::spheres_for(const std::vector<std::uint32_t>& numbers,
                                                    const Before& before) const {
  if (before.bodies.empty()) return spheres_(numbers);
  const auto known = [&](std::uint32_t number) {
    const auto found = std::ranges::lower_bound(before.bodies, number, {}, &Before::Body::first);
    return found != before.bodies.end() && found->first == number ? &found->second : nullptr;
  };
  std::vector<std::uint32_t> strangers;
  std::ranges::copy_if(numbers, std::back_inserter(strangers),
                       [&](std::uint32_t number) { return known(number) == nullptr; });
  const std::vector<MovingSphere> fetched =
      strangers.empty() ? std::vector<MovingSphere>{} : spheres_(strangers);
  std::vector<MovingSphere> spheres;
  spheres.reserve(numbers.size());
  auto next = fetched.begin();
  for (const std::uint32_t number : numbers) {
    const MovingSphere* sphere = known(number);
    spheres.push_back(sphere != nullptr ? *sphere : *next++);
  }
  return spheres;
}

void ContactParts::cut(const std::vector<std::uint32_t>& numbers, const BodyPairs& pairs) {
  const Places places = places_in(numbers, pairs);
  // the first contact of all ends the search for others: nothing of it can be done side by side
  const std::vector<std::uint32_t> part_of = like_.rule.on == OnContact::stop
                                                 ? std::vector<std::uint32_t>(numbers.size(), 0)
                                                 : parts_of(leaders_of(numbers.size(), places));
  const std::size_t first = parts_.size();
  parts_.resize(first + *std::ranges::max_element(part_of) + 1);
  std::vector<std::uint32_t> place_in_part(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    ContactPart& part = parts_[first + part_of[k]];
    place_in_part[k] = static_cast<std::uint32_t>(part.numbers.size());
    part.numbers.push_back(numbers[k]);
  }
  for (const auto& [a, b] : places) {
    parts_[first + part_of[a]].problem.pairs.emplace_back(place_in_part[a], place_in_part[b]);
  }
}

std::span<const ContactPart> ContactParts::add(const BodyPairs& pairs,
                                               const std::vector<std::uint32_t>& others) {
  Before before;
  BodyPairs all = pairs;
  if (!parts_.empty()) {
    index();
    const BodyPairs news = unknown(pairs);
    if (news.empty()) return {};
    // a part that somebody new joins is made anew, with all that it had
    std::vector<bool> again(parts_.size(), false);
    for (const std::uint32_t number : numbers_in(news, {})) {
      if (const Member* member = find(number)) again[member->part] = true;
    }
    before = taken_apart(again);
    all.clear();
    std::ranges::merge(before.pairs, news, std::back_inserter(all));
  }
  std::vector<std::uint32_t> alone = others;
  for (const auto& [number, sphere] : before.bodies) alone.push_back(number);
  const std::vector<std::uint32_t> numbers = numbers_in(all, alone);
  if (numbers.empty()) return {};
  const std::size_t first = parts_.size();
  cut(numbers, all);
  const std::vector<MovingSphere> spheres = spheres_for(numbers, before);
  const std::span<ContactPart> made(parts_.begin() + static_cast<long>(first), parts_.end());
  parallel_tasks(made.size(), threads_, [&](std::size_t p) {
    ContactProblem& problem = made[p].problem;
    auto known = numbers.begin();
    for (const std::uint32_t number : made[p].numbers) {
      known = std::lower_bound(known, numbers.end(), number);
      problem.spheres.push_back(spheres[static_cast<std::size_t>(known - numbers.begin())]);
    }
    problem.duration = like_.duration, problem.rule = like_.rule;
    problem.keeps_spin = like_.keeps_spin;
    made[p].outcome = resolve(problem);
  });
  return made;
}

}  // namespace apsis

// SPDX-License-Identifier: MIT
// Inside contacts/: the candidates of a step, cut into parts that have no body in common, so that
// threads resolve them side by side and a body that is found later makes only its own part anew.
#pragma once

#include <apsis/contacts/paths.hpp>
#include <apsis/contacts/resolve.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace apsis {

// The bodies of sorted pairs and others, sorted, each once.
std::vector<std::uint32_t> numbers_in(const BodyPairs& pairs,
                                      const std::vector<std::uint32_t>& more);
// The pairs by their places among sorted numbers.
std::vector<std::pair<std::uint32_t, std::uint32_t>> places_in(
    const std::vector<std::uint32_t>& numbers, const BodyPairs& pairs);

// Bodies that meet nobody outside the part.
struct ContactPart {
  std::vector<std::uint32_t> numbers;  // sorted; the spheres of the problem in the same order
  ContactProblem problem;
  ContactOutcome outcome;

  bool has(BodyPair pair) const;  // of its bodies, among the pairs of the problem
};

// Spheres at the beginning of their paths.
using SpheresOf = std::function<std::vector<MovingSphere>(std::span<const std::uint32_t>)>;

class ContactParts {
 public:
  // `like` says all but who and with whom.
  ContactParts(const ContactProblem& like, SpheresOf spheres, int threads)
      : like_(like), spheres_(std::move(spheres)), threads_(threads) {}

  // Sorted pairs, and others that have to be looked at; those that are known already change
  // nothing. Makes and resolves the parts that they concern, and gives these back; none if nothing
  // is new.
  std::span<const ContactPart> add(const BodyPairs& pairs,
                                   const std::vector<std::uint32_t>& others);

  const std::vector<ContactPart>& all() const { return parts_; }

 private:
  struct Member {
    std::uint32_t number = 0, part = 0;
  };
  struct Before {
    using Body = std::pair<std::uint32_t, MovingSphere>;
    std::vector<Body> bodies;  // by number
    BodyPairs pairs;
  };

  void index();
  const Member* find(std::uint32_t number) const;
  BodyPairs unknown(const BodyPairs& pairs) const;
  Before taken_apart(const std::vector<bool>& again);
  std::vector<MovingSphere> spheres_for(const std::vector<std::uint32_t>& numbers,
                                        const Before& before) const;
  void cut(const std::vector<std::uint32_t>& numbers, const BodyPairs& pairs);

  ContactProblem like_;
  SpheresOf spheres_;
  int threads_;
  std::vector<ContactPart> parts_;
  std::vector<Member> members_;  // by number
};

}  // namespace apsis

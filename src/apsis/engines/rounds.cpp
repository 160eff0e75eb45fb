// SPDX-License-Identifier: MIT
#include <apsis/engines/rounds.hpp>

#include <algorithm>
#include <limits>

namespace apsis {

double best(const Rounds& rounds) {
  return rounds.empty() ? std::numeric_limits<double>::infinity() : std::ranges::min(rounds);
}

std::vector<Rounds> taken_in_turns(std::span<const std::function<double()>> candidates,
                                   int rounds) {
  std::vector<Rounds> times(candidates.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t c = 0; c < candidates.size(); ++c) times[c].push_back(candidates[c]());
  }
  return times;
}

bool surely_faster(const Rounds& candidate, const Rounds& usual, double factor) {
  if (!(factor * best(candidate) < best(usual))) return false;
  for (std::size_t r = 0; r < std::min(candidate.size(), usual.size()); ++r) {
    if (!(candidate[r] < usual[r])) return false;
  }
  return true;
}

}  // namespace apsis

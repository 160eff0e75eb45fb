// SPDX-License-Identifier: MIT
// Times that are compared: candidates take turns, round by round, so that what disturbs the machine
// for a while, or slows it down for good, meets them all.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace apsis {

// Seconds of one candidate, a figure a round.
using Rounds = std::vector<double>;

// The fastest round: other programs can only make it slower. Infinity without rounds.
double best(const Rounds& rounds);

// Everyone's turn, `rounds` times.
std::vector<Rounds> taken_in_turns(std::span<const std::function<double()>> candidates, int rounds);

// What a candidate has to be, times as fast as the usual one, to be taken in its place, and no
// round may see it behind the usual one: rounds that contradict each other say more about the
// machine than about the two.
bool surely_faster(const Rounds& candidate, const Rounds& usual, double factor);

}  // namespace apsis

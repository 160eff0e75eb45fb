// SPDX-License-Identifier: MIT
// The threads that loops run on (parallel.hpp has the loops). Every thread that calls a loop has
// helpers of its own, which wait for the next one spinning for a moment and then asleep, so that
// waiting never takes a core from whoever computes (docs/adr/0017-own-threads.md).
#pragma once

namespace apsis {

// Cores that this process may run on.
int usable_cores();

// What 0 threads mean: all usable cores, or what a program has set (0 takes that back).
int default_threads();
void set_default_threads(int threads);

// A loop never starts more threads than there are usable cores, and for a while none where another
// program wants those cores: its results do not depend on their number, and who has to share a core
// makes all others wait. Tests lift both.
void allow_crowded_teams(bool allow);

// Called with a number below the team's size that nobody else in the team has.
using TeamWork = void (*)(void* context, int member);

// Calls work(context, 0) here and, at the same time, work(context, m) on up to threads - 1 helpers:
// on those that come before the call here returns, which may be none. So the work must be taken in
// pieces, by whoever is there. Inside of a team it is called here only. The first exception of any
// of them is thrown here, when all are through.
void run_team(int threads, TeamWork work, void* context);

}  // namespace apsis
